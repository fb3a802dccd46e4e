#!/usr/bin/env python3
"""Says how near static costs of tuned products come to what no kernel can beat.

usage: bounds.py BIN [EXTENT...]

Tunes C += A B of each type with as many rows, columns and terms as each EXTENT
says (512 to 8192, powers of two) for an sm_90, by the static cost and the
default budget of baco-tune-driver in BIN. Prints a table in Markdown: cycles of
the best configuration, and of the bound that the model's rates give: each
multiply-add is done once, each element is read from memory once and, of C,
written, and each block of the best configuration reads its operands and C from
the L2 cache; with the eighths of the smaller bounds and the launch that the
model adds.
"""

import json
import os
import subprocess
import sys
import tempfile

# The row of sm_90 in lib/Support/NvidiaGpu.cpp, and constants of
# lib/CostModel/GpuCost.cpp.
MULTIPROCESSORS, MATRIX, F32 = 132, 2048, 128
MEMORY_BYTES, L2_BYTES = 3350 / 1.98, 32 * MULTIPROCESSORS
LAUNCH = 2000

# Type, attribute of the op, bytes of an element, multiply-adds in a cycle.
TYPES = {
    "f16": ("f16", "", 2, MATRIX),
    "bf16": ("bf16", "", 2, MATRIX),
    "tf32": ("f32", "{baco.tf32}", 4, MATRIX / 2),
    "f32": ("f32", "", 4, F32),
}


def payload(name, n):
    element, attribute, _, _ = TYPES[name]
    operand, result = f"memref<{n}x{n}x{element}>", f"memref<{n}x{n}xf32>"
    return f"""func.func @product(%a: {operand}, %b: {operand}, %c: {result}) {{
  linalg.matmul {attribute} ins(%a, %b : {operand}, {operand}) outs(%c : {result})
  return
}}
"""


def tune(program, name, n):
    """The cost and the configuration of the best trial."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "product.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(payload(name, n))
        options = ["--target=nvvm:sm_90", "--evaluator=static", "--seed=1"]
        tuned = subprocess.run(
            [program, path, *options, f"--output-dir={folder}"],
            capture_output=True,
            text=True,
            check=False,
        )
        if tuned.returncode:
            sys.exit(f"bounds.py: {name} of {n}: {tuned.stderr}")
        trials = os.path.join(folder, "product.product.trials.jsonl")
        if not os.path.exists(trials):
            trials = os.path.join(folder, "product.trials.jsonl")
        with open(trials, encoding="utf-8") as file:
            ok = [trial for trial in map(json.loads, file) if trial["status"] == "ok"]
    best = min(ok, key=lambda trial: trial["time_ns"])
    return best["time_ns"], best["configuration"]


def bound(name, n, configuration):
    _, _, size, rate = TYPES[name]
    compute = n**3 / (rate * MULTIPROCESSORS)
    memory = (2 * n * n * size + 2 * n * n * 4) / MEMORY_BYTES
    rows, columns = configuration["BM"], configuration["BN"]
    l2 = (n**3 * size * (1 / rows + 1 / columns) + 2 * n * n * 4) / L2_BYTES
    most = max(compute, memory, l2)
    return most + (compute + memory + l2 - most) / 8 + LAUNCH


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.split("\n\n")[1])
    program = os.path.join(sys.argv[1], "baco-tune-driver")
    extents = [int(text) for text in sys.argv[2:]] or [512 << i for i in range(5)]
    print("| product | extent | best cost, cycles | bound | cost / bound | configuration |")
    print("|---|---|---|---|---|---|")
    for name in TYPES:
        for n in extents:
            cost, configuration = tune(program, name, n)
            least = bound(name, n, configuration)
            knobs = ", ".join(f"{knob} = {value}" for knob, value in configuration.items())
            print(
                f"| {name} | {n} | {cost:.0f} | {least:.0f} | {cost / least:.2f} | {knobs} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
