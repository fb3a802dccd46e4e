#!/usr/bin/env python3
"""Writes a payload whose knobs have other defaults, to measure a configuration
as the default.

usage: set-defaults.py PAYLOAD EXPERTS.json NAME

NAME is a key of the file: {"NAME": {"KNOB": VALUE, ...}}. Fails if the payload
lacks one of the knobs.
"""

import json
import sys


def end_of(text, begin):
    """Behind the bracket that closes the one at `begin`."""
    depth = 0
    for i in range(begin, len(text)):
        depth += {"<": 1, ">": -1}.get(text[i], 0)
        if depth == 0:
            return i
    sys.exit("set-defaults.py: a bracket isn't closed")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    path, experts, name = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(experts, encoding="utf-8") as file:
        configuration = json.load(file)[name]
    for knob, value in configuration.items():
        begin = text.find(f'#baco.knob<"{knob}",')
        if begin < 0:
            sys.exit(f"set-defaults.py: {path} has no knob '{knob}'")
        end = end_of(text, text.index("<", begin))
        words = text[begin:end].split(", default = ")[0]
        text = f"{text[:begin]}{words}, default = {value}{text[end:]}"
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
