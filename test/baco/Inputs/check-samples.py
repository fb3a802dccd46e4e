"""Checks samples of spaces.json, on standard input, against its constraints."""
import json
import sys

seen = set()
number = 0
for line in sys.stdin:
    c = json.loads(line)
    order = c["order"]
    assert c["tile"] % c["unroll"] == 0, line
    assert order.index(0) < order.index(2) or c["tile"] > 4, line
    seen.add(line)
    number += 1
print(f"{number} samples, all feasible, {len(seen)} different")
