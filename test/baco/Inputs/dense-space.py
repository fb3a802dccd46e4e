"""A space of 32^20, about 10^30, configurations that no diagram of a few nodes
holds: 40 constraints read three parameters each, all over the space."""

import json

size, state = 20, 1
constraints = []


def draw(limit):
    """The next number of a sequence that is the same everywhere."""
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return (state >> 33) % limit


while len(constraints) < 40:
    a, b, c = (f"p{draw(size)}" for _ in range(3))
    if len({a, b, c}) == 3:
        constraints.append(f"({a} * {b} + {c}) % 11 != {draw(11)}")
print(json.dumps({
    "parameters": [{"name": f"p{k}", "kind": "integer", "range": [1, 32]}
                   for k in range(size)],
    "constraints": [{"expression": text} for text in constraints]}))
