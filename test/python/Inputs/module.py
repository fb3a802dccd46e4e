"""Tunes a module and applies its library: module.py FILE."""

import sys

import baco

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
tuned = baco.tune_module(text, budget=3, final_time=50, trial_time=5)
assert tuned.summary["kernels"][0]["evaluations"] == 3, tuned.summary
assert "linalg.batch_matmul" not in tuned.module or tuned.summary["kernels"][0]["kept"] == "plain"
assert "baco.library" in tuned.library or "fingerprint" in tuned.library, tuned.library[:500]
applied = baco.apply(text, tuned.library)
assert "func.func @batch" in applied
try:
    baco.tune_module("nonsense")
except RuntimeError as error:
    assert "error" in str(error), error
else:
    raise AssertionError("nonsense was tuned")
