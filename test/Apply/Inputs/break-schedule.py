"""Copies a tuned library, with a loop that isn't there in the schedule of one
function: LIBRARY FUNCTION OUTPUT."""
import re
import sys

library, function, output = sys.argv[1:]
text = open(library).read()
begin = text.index(f"@tuned.{function}.")
vectorized = re.compile(r"(loop_vectorize<statement = 0, loop = )\d+")
assert vectorized.search(text, begin)
open(output, "w").write(text[:begin] + vectorized.sub(r"\g<1>9", text[begin:], count=1))
