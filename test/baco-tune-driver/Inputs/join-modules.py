"""join-modules.py A B: the functions of two files, one of which has a module
around them, as one module."""

import sys


def body(path):
    lines = open(path).read().splitlines()
    inside = [line for line in lines if line not in ("module {", "}")
              or line == "}" and "module {" not in lines]
    aliases = [line for line in inside if line.startswith("#")]
    return aliases, [line for line in inside if not line.startswith("#")]


first, second = body(sys.argv[1]), body(sys.argv[2])
print("\n".join(first[0] + second[0] + first[1] + second[1]))
