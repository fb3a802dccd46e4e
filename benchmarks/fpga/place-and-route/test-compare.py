#!/usr/bin/env python3
"""Checks compare.py without the tools that it needs: its correlations, by hand,
and what it says if a tool is missing."""

import math
import os
import subprocess
import sys

import compare


def make_variants(costs, times):
    return [{
        "estimated cycles": cost,
        "time": time,
        "cycles": time,
        "estimated logic": 1,
        "cells": time
    } for cost, time in zip(costs, times)]


def main():
    # Without ties it is 1 - 6 sum d^2 / (n (n^2 - 1)): ranks differ by 1, 1, 2,
    # 1 and 1, so that it is 1 - 6 * 8 / (5 * 24).
    assert math.isclose(compare.spearman([10, 20, 30, 40, 50], [2, 1, 5, 3, 4]),
                        0.6)
    # Ranks 1.5, 1.5, 3 and 1, 2, 3: (0.5 + 1) / sqrt(1.5 * 2).
    assert math.isclose(compare.spearman([7, 7, 9], [1, 2, 3]), 0.75**0.5)
    rows = {
        "small": make_variants([1, 2, 3], [10, 20, 30]),
        "large": make_variants([100, 200, 300], [9, 8, 7]),
    }
    small, large, both = compare.summarize(rows)
    assert small[:3] == ["small", 3, 1] and large[:3] == ["large", 3, -1]
    # Ranks within each function agree and disagree alike.
    assert both[:3] == ["all", 6, 0] and math.isnan(both[4])

    done = subprocess.run(
        [sys.executable, compare.__file__, "baco-tune-driver"],
        check=False,
        capture_output=True,
        env=os.environ | {"PATH": "/nowhere"},
        text=True,
    )
    assert done.returncode == 1 and done.stderr == (
        "error: there is no program 'iverilog'; install the package "
        "iverilog\n"), done.stderr


if __name__ == "__main__":
    main()
