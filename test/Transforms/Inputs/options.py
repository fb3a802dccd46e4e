"""Lists the options in LLVM's --help, one 'name: description' a line, sorted.

--pass=NAME takes the options of this pass only; --omit=A,B leaves some out.
"""

import argparse
import re
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--pass", dest="name")
parser.add_argument("--omit", default="")
arguments = parser.parse_args()

options = {}
inside = arguments.name is None
option = re.compile(r"^( +)--([a-z][a-z-]*)(=<.*?>)? +- +(.*)$")
depth = 0
for line in sys.stdin:
    match = option.match(line.rstrip())
    if not match:
        continue
    indent, name, description = len(match[1]), match[2], match[4]
    if arguments.name is not None:
        if name == arguments.name:
            inside, depth = True, indent
            continue
        inside = inside and indent > depth
    if inside and name not in arguments.omit.split(","):
        options[name] = description
for name in sorted(options):
    print(f"{name}: {options[name]}")
