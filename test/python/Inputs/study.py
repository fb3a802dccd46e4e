"""Checks of the module for Python; the working folder is empty."""

import math

import baco


def raises(error, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except error as caught:
        return str(caught)
    raise AssertionError(f"{function} raised nothing")


# Spaces.
space = baco.Space([baco.integer("tile", 1, 64), baco.integer("unroll", 1, 8),
                    baco.categorical("kind", ["a", "b c", True]),
                    baco.permutation("order", 3)],
                   ["divides(unroll, tile)"])
assert space.names == ["tile", "unroll", "kind", "order"]
assert space.count == sum(1 for t in range(1, 65) for u in range(1, 9)
                          if t % u == 0) * 3 * 6
assert baco.Space.parse(space.to_json()).count == space.count
assert "did you mean 'x'" in raises(ValueError, baco.Space,
                                    [baco.integer("x", 1, 2)], ["y > 1"])
raises(ValueError, baco.integer, "x", 3, 2)
raises(ValueError, baco.ordinal, "x", [1, 2], default=3)
assert "No such file" in raises(RuntimeError, baco.Space.read, "nowhere.json")

# ATF's words: saxpy.
N = 64
saxpy = baco.space(baco.tp("WPT", baco.interval(1, N), f"divides(WPT, {N})"),
                   baco.tp("LS", baco.interval(1, N), f"divides(LS, {N} / WPT)"))
assert saxpy.count == sum(1 for w in range(1, N + 1) for ls in range(1, N + 1)
                          if N % w == 0 and (N // w) % ls == 0)

# Ask and tell.
calls = []


def cost(tile, unroll, kind, order):
    calls.append((tile, unroll, kind, order))
    assert tile % unroll == 0 and sorted(order) == [0, 1, 2]
    if kind is True:
        raise baco.Failure("no such kind", "compile-failed")
    if unroll == 7:
        return 1 / 0
    if unroll == 5:
        return None
    return (tile - 48) ** 2 + 10 * abs(unroll - 4) + order[0]


study = baco.Study(space, seed=3, database="db", name="mine")
best = study.optimize(cost, 60)
assert len(calls) == 60 == len(study.trials)
assert best.result == min(t.result for t in study.trials if t.result is not None)
assert best.configuration["tile"] % best.configuration["unroll"] == 0
kinds = {t.status for t in study.trials}
assert "ok" in kinds and "compile-failed" in kinds, kinds
assert "no such kind" in {t.message for t in study.trials}
# Nobody else may write it meanwhile.
raises(RuntimeError, baco.Study, space, seed=3, database="db", name="mine")

# It goes on from its journal, and an exception gives the candidate again.
del study
calls.clear()
again = baco.Study(space, seed=3, database="db", name="mine")
assert len(again.trials) == 60


def interrupted(**configuration):
    raise KeyboardInterrupt


raises(KeyboardInterrupt, again.optimize, interrupted, 61)
pending = again.trials[60]
assert pending.status is None and pending.result is None
assert again.ask() == (60, pending.configuration)
again.tell(60, -1e9)
assert again.best.number == 60
assert "already" in raises(ValueError, again.tell, 60, 1)
assert "asked" in raises(ValueError, again.tell, 99, 1)
candidate = again.ask()
raises(ValueError, again.tell, candidate.trial, math.nan)
raises(ValueError, again.tell_failure, candidate.trial, "bad luck")
again.tell_failure(candidate.trial, "timed-out", "slow")
del again

# Columns.
columns = baco.read_trials("db", "mine")
assert set(columns) == {"tile", "unroll", "kind", "order", "result", "status"}
assert len(columns["tile"]) == 62 and columns["order"][0] == (0, 1, 2)
assert columns["result"][60] == -1e9 and math.isnan(columns["result"][61])
raises(ValueError, baco.read_trials, "db", "other")


# Scripts.
@baco.tune(baco.Space([baco.integer("x", 0, 30)]), n=20)
def run(x):
    return abs(x - 17)


assert run() == {"x": 17}
raises(RuntimeError, baco.tune(baco.Space([baco.integer("x", 0, 3)]))(
    lambda x: None))
raises(ValueError, baco.Study, space, optimizer="nothing")

# Several results: as a dict, a sequence, with a bound.
two = baco.Study(baco.Space([baco.integer("x", 0, 20)]),
                 objectives="f, g, size <= 18")
two.optimize(lambda x: {"g": (x - 15) ** 2, "f": (x - 5) ** 2, "size": x}, 15)
two.optimize(lambda x: ((x - 5) ** 2, (x - 15) ** 2, x), 21)
assert [t.configuration["x"] for t in two.front] == list(range(5, 16))
assert two.best.result == {"f": 0, "g": 100, "size": 5}
assert sum(t.status == "wrong-result" for t in two.trials) == 2
study = baco.Study(baco.Space([baco.integer("x", 0, 20)]),
                   objectives="f, g, size <= 18")
first = study.ask().trial
for wrong in (1, (1, 2), {"f": 1}):
    assert "results" in raises(ValueError, study.tell, first, wrong)
