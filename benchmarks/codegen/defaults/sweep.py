#!/usr/bin/env python3
"""Are defaults compiled fast, and no slower than the plain lowering?

  sweep.py compile [--bin DIR] [--only TEXT] [--every N] [--host ...] [--cpu ...]
  sweep.py run     [--bin DIR] [--only TEXT] [--factor 1.3] [--json FILE]

`compile` plans and compiles without running anything (baco-bench-defaults).
`run` tunes each loop nest with one evaluation, the default, and compares it
with the plain lowering, as the tuner's finals do: it needs an idle machine.
Exits with 1 if a default fails, takes too long to compile, or is slower than
plain by more than the factor.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import nests
import structured


def select(kernels, options):
    chosen = [k for k in kernels if not options.only or options.only in k[0]]
    return chosen[options.offset::options.every]


def compile_all(options):
    kernels = select(list(structured.kernels()) + list(nests.kernels()), options)
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        for name, text in kernels:
            file.write(f"// ----- {name}\n{text}")
        file.flush()
        failed = False
        for host in options.host:
            print(f"host {host or 'this one'}", flush=True)
            command = [os.path.join(options.bin, "baco-bench-defaults"),
                       file.name, "--check", f"--host={host}",
                       f"--points={options.points}", f"--cpu={options.cpu}",
                       f"--limit={options.limit}"]
            failed |= subprocess.run(command, check=False).returncode != 0
    return failed


def measure(name, text, options):
    """The summary of the kernel, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run(
            [os.path.join(options.bin, "baco-tune-driver"), path, "--budget=1",
             f"--final-time={options.final_time}", f"--output-dir={folder}"],
            capture_output=True, text=True, check=False)
        summary = os.path.join(folder, "kernel.summary.json")
        if not os.path.exists(summary):
            errors = [line for line in done.stderr.splitlines()
                      if "error" in line] or done.stderr.splitlines()[-1:]
            return {"name": name, "error": " ".join(errors[:1])}
        with open(summary, encoding="utf-8") as file:
            kernel = json.load(file)["kernels"][0]
        return {"name": name, "plain": kernel["plain_time_ns"],
                "default": kernel["default_time_ns"],
                "configuration": kernel["configuration"],
                "error": ", ".join(kernel["failures"])}


def run_all(options):
    results, failed = [], False
    for name, text in select(list(nests.kernels()), options):
        result = measure(name, text, options)
        results.append(result)
        ratio = None
        if result.get("plain") and result.get("default"):
            ratio = result["default"] / result["plain"]
        no_kernel = "nothing to tune" in result["error"]
        is_bad = (result["error"] and not no_kernel) or (
            ratio is not None and ratio > options.factor)
        failed |= bool(is_bad)
        plain = f"{result['plain'] / 1e3:10.1f}" if ratio else " " * 10
        print(f"{name:32} {f'{ratio:6.2f}' if ratio else '     -'} of plain "
              f"{plain} us {'BAD' if is_bad else '   '} "
              f"{result['error'] or result.get('configuration')}", flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("what", choices=["compile", "run"])
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--only", default="", help="kernels with this in their name")
    parser.add_argument("--every", type=int, default=1, help="take each n-th")
    parser.add_argument("--offset", type=int, default=0, help="from this one on")
    parser.add_argument("--host", nargs="*", default=[
        "", "vector-bytes=16,vector-registers=16", "vector-bytes=32,vector-registers=16"])
    parser.add_argument("--cpu", default="", help="CPUs of LLVM, by commas")
    parser.add_argument("--points", default="default,least,most")
    parser.add_argument("--limit", type=float, default=2000, help="milliseconds")
    parser.add_argument("--factor", type=float, default=1.3)
    parser.add_argument("--final-time", type=int, default=20, help="milliseconds")
    parser.add_argument("--json", help="write the times to this file")
    options = parser.parse_args()
    work = compile_all if options.what == "compile" else run_all
    sys.exit(1 if work(options) else 0)


if __name__ == "__main__":
    main()
