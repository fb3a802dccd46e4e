#!/usr/bin/env python3
"""Tunes examples/programs/opencl/xgemm-direct.cl for ATF's four sizes, and compares
it with CLBlast's XgemmDirect at the same defaults, and with OpenTuner's technique on
the space without its constraints. See README.md."""

import argparse
import collections
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXAMPLE = ROOT / "examples" / "programs" / "opencl"
SPACE = EXAMPLE / "xgemm-direct.json"
KERNEL = EXAMPLE / "xgemm-direct.kernel.json"
# M, N, K: ATF's sizes, of layers of neural networks.
SIZES = [(20, 1, 576), (20, 25, 576), (50, 1, 64), (10, 64, 500)]
# What --check asks for: the default is at most so much slower than CLBlast's, and
# the tuned kernel so much faster than the default, as a geometric mean.
MOST_RATIO, LEAST_SPEEDUP = 1.10, 1.2


def fail(message):
    sys.exit("gemm.py: error: %s" % message)


def run(command, **options):
    done = subprocess.run([str(word) for word in command], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, **options)
    return done


class Bench:
    def __init__(self, options, work):
        self.options = options
        self.work = work
        self.baco = pathlib.Path(options.build) / "bin" / "baco"
        self.environment = dict(os.environ)
        if options.threads:
            self.environment["POCL_MAX_PTHREAD_COUNT"] = str(options.threads)

    def tune(self, size, budget, seed, space=SPACE, final=2000):
        """A study's summary."""
        folder = self.work / ("study-%d" % len(os.listdir(self.work)))
        done = run([self.baco, "tune", space, "--opencl=%s" % KERNEL,
                    "--define=M=%d,N=%d,K=%d" % size,
                    "--platform=%s" % self.options.platform,
                    "--budget=%d" % budget, "--seed=%d" % seed,
                    "--final-time=%d" % final, "--compile-timeout=20000",
                    "--run-timeout=5000", "--output-dir=%s" % folder,
                    "--name=gemm", "--quiet"], env=self.environment)
        if done.returncode not in (0, 3):
            fail(done.stderr.strip())
        return json.loads((folder / "gemm.summary.json").read_text())["kernels"][0]

    def clblast(self, program, size):
        done = run([program, self.options.platform, *size], env=self.environment)
        if done.returncode != 0:
            fail(done.stderr.strip())
        return float(done.stdout)

    def compile_clblast(self):
        program = self.work / "clblast-gemm"
        done = run([self.options.clang, "-std=c++20", "-O2",
                    HERE / "clblast-gemm.cpp", "-o", program, "-lclblast",
                    "-lOpenCL"])
        if done.returncode != 0:
            print("CLBlast is left out: install libclblast-dev and "
                  "ocl-icd-opencl-dev", file=sys.stderr)
            return None
        return program


def is_valid(c):
    """The constraints of the space."""
    items = c["MDIMCD"] * c["NDIMCD"]
    wgd = c["WGD"]
    return (wgd % c["KWID"] == 0 and wgd % (c["MDIMCD"] * c["VWMD"]) == 0 and
            wgd % (c["NDIMCD"] * c["VWND"]) == 0 and
            wgd % (c["MDIMAD"] * c["VWMD"]) == 0 and
            wgd % (c["NDIMBD"] * c["VWND"]) == 0 and
            items % c["MDIMAD"] == 0 and wgd % (items // c["MDIMAD"]) == 0 and
            items % c["NDIMBD"] == 0 and wgd % (items // c["NDIMBD"]) == 0 and
            items <= 1024 and
            4 * wgd * (2 * wgd + c["PADA"] + c["PADB"]) <= 49152)


def search_unconstrained(bench, size, budget, seed):
    """How many valid candidates OpenTuner's technique finds in the space without its
    constraints, and the least time among them, in nanoseconds, or None."""
    space = json.loads(SPACE.read_text())
    del space["constraints"]
    path = bench.work / "unconstrained.json"
    path.write_text(json.dumps(space))
    service = subprocess.Popen(
        [bench.baco, "serve", path, "--optimizer=opentuner", "--seed=%d" % seed,
         "--budget=%d" % budget], text=True, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE)

    def request(**members):
        print(json.dumps(members), file=service.stdin, flush=True)
        return json.loads(service.stdout.readline())

    service.stdout.readline()
    valid, best = 0, None
    while (candidate := request(op="ask"))["trial"] is not None:
        told = dict(op="tell", trial=candidate["trial"])
        if not is_valid(candidate["configuration"]):
            # What violates a constraint is an evaluation that failed.
            request(failure="compile-failed", message="a constraint", **told)
            continue
        valid += 1
        point = {"parameters": [
            {"name": name, "kind": "ordinal", "values": [value]}
            for name, value in candidate["configuration"].items()]}
        one = bench.work / "one.json"
        one.write_text(json.dumps(point))
        summary = bench.tune(size, 1, 0, space=one, final=0)
        if time := summary["best_time_ns"]:
            best = time if best is None else min(best, time)
            request(result=time, **told)
        else:
            request(failure="crashed", message="", **told)
    request(op="quit")
    service.wait()
    return valid, best


def geometric(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=ROOT / "build" / "release")
    parser.add_argument("--platform", default="Portable",
                        help="a part of its name (PoCL)")
    parser.add_argument("--threads", type=int, default=1,
                        help="of PoCL; 0: as many as there are CPUs (1)")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--budget", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=9,
                        help="runs in turns of the defaults and CLBlast's")
    parser.add_argument("--unconstrained", type=int, default=10000,
                        help="evaluations of OpenTuner's technique; 0: none")
    parser.add_argument("--size", action="append", metavar="M,N,K",
                        help="in place of ATF's")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--markdown", help="a file for the tables")
    parser.add_argument("--check", action="store_true",
                        help="fail unless the bars of README.md are met")
    options = parser.parse_args()
    if options.seeds < 1 or options.budget < 1 or options.rounds < 1:
        parser.error("--seeds, --budget and --rounds must be at least 1")
    sizes = [tuple(int(n) for n in size.split(","))
             for size in options.size] if options.size else SIZES
    lines = []

    def tell(line=""):
        print(line, flush=True)
        lines.append(line)

    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, pathlib.Path(folder))
        program = bench.compile_clblast()
        tell("| M × N × K | CLBlast | default | default / CLBlast | tuned: least, median, "
             "most speed-up | failed |")
        tell("|---|---|---|---|---|---|")
        ratios, means = [], []
        for size in sizes:
            theirs, ours, quotients = [], [], []
            for _ in range(options.rounds if program else 0):
                theirs.append(bench.clblast(program, size))
                ours.append(bench.tune(size, 1, 0, final=0)["best_time_ns"])
                quotients.append(ours[-1] / theirs[-1])
            speedups, failures = [], collections.Counter()
            for seed in range(options.seeds):
                summary = bench.tune(size, options.budget, seed)
                # A default that stays is level with itself.
                speedups.append(summary["speedup"] or 1.0)
                failures.update(summary["failures"])
            ratio = statistics.median(quotients) if quotients else None
            if ratio:
                ratios.append(ratio)
            means.append(geometric(speedups))
            tell("| %d × %d × %d | %s | %s | %s | %.2f, %.2f, %.2f | %d of %d%s |" % (
                *size, "%.1f us" % (statistics.median(theirs) / 1e3) if ratio else "",
                "%.1f us" % (statistics.median(ours) / 1e3) if ratio else "",
                "%.2f" % ratio if ratio else "", min(speedups),
                statistics.median(speedups), max(speedups),
                sum(failures.values()), options.seeds * options.budget,
                "".join(", %d %s" % (count, kind)
                        for kind, count in sorted(failures.items()))))
        whole = geometric(means)
        tell()
        tell("Geometric mean of the speed-ups over the default: %.2f (%d seeds, %d "
             "evaluations each)." % (whole, options.seeds, options.budget))
        if options.unconstrained:
            tell()
            tell("| M × N × K | OpenTuner's technique without constraints |")
            tell("|---|---|")
            for size in sizes:
                valid, best = search_unconstrained(
                    bench, size, options.unconstrained, 0)
                tell("| %d × %d × %d | %d of %d valid%s |" % (
                    *size, valid, options.unconstrained,
                    ", best %.1f us" % (best / 1e3) if best else ""))
    if options.markdown:
        pathlib.Path(options.markdown).write_text("\n".join(lines) + "\n")
    if options.check and (whole < LEAST_SPEEDUP or not ratios or
                          max(ratios) > MOST_RATIO):
        fail("a bar isn't met")


if __name__ == "__main__":
    main()
