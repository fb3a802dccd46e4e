#!/usr/bin/env python3
"""Tunes kernels of many shapes, each once alone and once with what the searches
of all other shapes teach, with a much smaller budget. See README.md.

usage: leave_one_out.py --driver=build/release/bin/baco-tune-driver --output=DIR
                        [--only=REGEX] [--seeds=N] [--alone=60] [--taught=10]
                        [-- OPTION OF THE DRIVER...]
"""

import argparse
import json
import math
import pathlib
import random
import re
import subprocess
import sys

MATMUL = """func.func @{name}(%A: memref<{m}x{k}xf32>, %B: memref<{k}x{n}xf32>,
                  %C: memref<{m}x{n}xf32>) {{
  linalg.matmul ins(%A, %B : memref<{m}x{k}xf32>, memref<{k}x{n}xf32>)
      outs(%C : memref<{m}x{n}xf32>)
  return
}}
"""

CONVOLUTION = """func.func @{name}(%I: memref<1x{p}x{p}x{c}xf32>, %K: memref<3x3x{c}x{f}xf32>,
                  %O: memref<1x{h}x{h}x{f}xf32>) {{
  linalg.conv_2d_nhwc_hwcf ins(%I, %K : memref<1x{p}x{p}x{c}xf32>, memref<3x3x{c}x{f}xf32>)
      outs(%O : memref<1x{h}x{h}x{f}xf32>)
  return
}}
"""

# Five points, weighted, from one array into another.
STENCIL = """func.func @{name}(%A: memref<{m}x{n}xf32>, %B: memref<{m}x{n}xf32>) {{
  %w = arith.constant 0.2 : f32
  affine.for %i = 1 to {m1} {{
    affine.for %j = 1 to {n1} {{
      %a = affine.load %A[%i, %j] : memref<{m}x{n}xf32>
      %b = affine.load %A[%i - 1, %j] : memref<{m}x{n}xf32>
      %c = affine.load %A[%i + 1, %j] : memref<{m}x{n}xf32>
      %d = affine.load %A[%i, %j - 1] : memref<{m}x{n}xf32>
      %e = affine.load %A[%i, %j + 1] : memref<{m}x{n}xf32>
      %s = arith.addf %a, %b : f32
      %t = arith.addf %s, %c : f32
      %u = arith.addf %t, %d : f32
      %v = arith.addf %u, %e : f32
      %x = arith.mulf %v, %w : f32
      affine.store %x, %B[%i, %j] : memref<{m}x{n}xf32>
    }}
  }}
  return
}}
"""


class Kernel:
    def __init__(self, family, template, extents, **more):
        self.family = family
        self.extents = extents
        self.name = family + "_" + "_".join(map(str, extents.values()))
        self.text = template.format(name=self.name, **extents, **more)

    def distance(self, other):
        """How different the shapes are."""
        return sum(abs(math.log(e / other.extents[x])) for x, e in self.extents.items())


def kernels():
    for m, n, k in [
        (256, 256, 256),
        (384, 384, 384),
        (512, 512, 512),
        (768, 768, 768),
        (1024, 1024, 1024),
        (1024, 256, 512),
        (256, 1024, 1024),
        (640, 480, 960),
    ]:
        yield Kernel("matmul", MATMUL, {"m": m, "n": n, "k": k})
    for h, c, f in [(56, 64, 64), (28, 128, 128), (14, 256, 256), (28, 64, 128)]:
        yield Kernel("convolution", CONVOLUTION, {"h": h, "c": c, "f": f}, p=h + 2)
    for m, n in [(1026, 1026), (2050, 1026), (514, 4098), (258, 514)]:
        yield Kernel("stencil", STENCIL, {"m": m, "n": n}, m1=m - 1, n1=n - 1)


class Tuner:
    def __init__(self, settings):
        self.settings = settings

    def folder(self, kind, kernel, seed, budget):
        return self.settings.output / f"{kind}-{budget}-{seed}" / kernel.name

    def speedup(self, kind, kernel, seed, budget, likes):
        """Over the default schedule; of an earlier run if there is one."""
        folder = self.folder(kind, kernel, seed, budget)
        summary = folder / f"{kernel.name}.summary.json"
        if not summary.exists():
            folder.mkdir(parents=True, exist_ok=True)
            source = folder / "input" / f"{kernel.name}.mlir"
            source.parent.mkdir(exist_ok=True)
            source.write_text(kernel.text)
            command = [
                self.settings.driver,
                str(source),
                f"--budget={budget}",
                f"--seed={seed}",
                f"--output-dir={folder}",
                f"--db={folder}/study.db",
                f"--like={','.join(likes)}",
                *self.settings.options,
            ]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{' '.join(command)}\n{done.stderr}")
        result = json.loads(summary.read_text())["kernels"][0]
        return result["speedup"] or 1

    def changes(self, kernel, others, seed):
        """log(speed-up when taught / alone)."""
        budget = self.settings.alone
        alone = self.speedup("alone", kernel, seed, budget, [])
        # The searches of the others have another seed.
        likes = []
        for other in others:
            self.speedup("alone", other, seed + 1000, budget, [])
            folder = self.folder("alone", other, seed + 1000, budget)
            likes.append(f"{folder}/study.db")
        taught = self.speedup("taught", kernel, seed, self.settings.taught, likes)
        print(
            f"{kernel.name:28} seed {seed}: {alone:7.2f}x alone, "
            f"{taught:7.2f}x taught, {taught / alone:6.3f}",
            flush=True,
        )
        return math.log(taught / alone)


def mean(values):
    return sum(values) / len(values)


# The bar: few evaluations when taught reach what many reach alone, over
# so many kernels of these families.
LOSS = 0.01
LEAST_KERNELS = [({"matmul"}, 8), ({"stencil", "convolution"}, 6)]


def verdict(results, settings):
    """Whether the bar is met, on one line."""
    average = mean([x for group in results["all"].values() for x in group])
    counts = [
        (sum(len(results.get(f, {})) for f in families), least, families)
        for families, least in LEAST_KERNELS
    ]
    missing = [
        f"{least - count} more of {' or '.join(sorted(families))}"
        for count, least, families in counts
        if count < least
    ]
    bar = (
        f"{settings.taught} evaluations when taught reach what {settings.alone} reach "
        f"alone (geometric mean at least {1 - LOSS:.2f}): {math.exp(average):.3f}"
    )
    if missing:
        return f"{bar}, not judged: it needs {', '.join(missing)}"
    return f"{bar}, {'met' if math.exp(average) >= 1 - LOSS else 'missed'}"


def interval(groups):
    """The bootstrap's 95 % interval of the mean, drawing kernels."""
    draw = random.Random(0)
    means = sorted(
        mean([x for group in draw.choices(groups, k=len(groups)) for x in group])
        for _ in range(2000)
    )
    return means[50], means[1949]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\nusage")[0])
    parser.add_argument("--driver", required=True)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--only", default="", help="kernels whose names match")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--alone", type=int, default=60, help="evaluations")
    parser.add_argument("--taught", type=int, default=10, help="evaluations")
    parser.add_argument("options", nargs="*", help="of the driver, after --")
    tuner = Tuner(parser.parse_args())
    chosen = [k for k in kernels() if re.search(tuner.settings.only, k.name)]
    families = {}
    for kernel in chosen:
        families.setdefault(kernel.family, []).append(kernel)
    results = {}
    for family, members in families.items():
        if len(members) < 2:
            sys.exit(f"{family}: at least two kernels are needed")
        for kernel in members:
            # The most similar ones come first.
            others = sorted((k for k in members if k is not kernel), key=kernel.distance)
            for seed in range(tuner.settings.seeds):
                change = tuner.changes(kernel, others, seed)
                results.setdefault(family, {}).setdefault(kernel.name, []).append(change)
    results["all"] = {n: x for family in results.values() for n, x in family.items()}
    print(f"\nspeed of {tuner.settings.taught} evaluations when taught over")
    print(f"{tuner.settings.alone} alone, geometric mean and 95 % interval over kernels")
    for family, changes in results.items():
        groups = list(changes.values())
        low, high = interval(groups)
        average = mean([x for group in groups for x in group])
        print(
            f"{family:12} {math.exp(average):6.3f} "
            f"({math.exp(low):.3f} to {math.exp(high):.3f}), {len(groups)} kernels"
        )
    print(verdict(results, tuner.settings))


if __name__ == "__main__":
    main()
