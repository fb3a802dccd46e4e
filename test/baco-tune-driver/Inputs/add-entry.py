# Prints a library with one more entry behind its only one, which is the same but
# for its configuration and other fields: add-entry.py LIBRARY CONFIGURATION
# FIELD=TEXT...

import re
import sys

text = open(sys.argv[1]).read()
begin = text.index("  transform.named_sequence @tuned.")
end = text.index("\n  }\n", begin) + len("\n  }\n")
entry = text[begin:end].replace("@tuned.", "@another.")
fields = ["configuration=" + sys.argv[2].replace('"', "\\22")] + sys.argv[3:]
for name, value in (field.split("=", 1) for field in fields):
    entry = re.sub(
        rf'(\b{name} = )"[^"]*"', lambda found: found[1] + f'"{value}"', entry, count=1
    )
print(text[:end] + entry + text[end:], end="")
