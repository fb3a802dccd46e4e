#!/usr/bin/env python3
"""Several tuners at once on one database or library, many times.

concurrent-tuners.py BIN [--rounds=N] [--tuners=N] [--kills=N] [-- OPTION...]

BIN has baco, baco-opt and baco-tune-driver; OPTIONs are for the tuners. In each
round, in a new folder, each tuner has a kernel of its own. Modes:

  database  --apply --apply-mode=tune --db=X
  library   --apply=X.library.mlir --apply-mode=tune
  plain     --db=X

All must end well, and afterwards frozen look-ups must find all kernels. With
--kills some tuners are killed (-9) at moments of their own, and started again
after the others have ended: those must not notice, and no trial that was
committed may be gone. Prints one line for each mode; exit 1 if anything is
wrong.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time

KERNEL = """func.func @k{0}(%A: memref<{0}x8xf32>, %B: memref<8x8xf32>, %C: memref<{0}x8xf32>) {{
  linalg.matmul ins(%A, %B : memref<{0}x8xf32>, memref<8x8xf32>) outs(%C : memref<{0}x8xf32>)
  return
}}
"""
MODES = {
    "database": (["--apply", "--apply-mode=tune", "--db=x.db"], "x.db"),
    "library": (["--apply=x.library.mlir", "--apply-mode=tune"],
                "x.library.mlir"),
    "plain": (["--db=x.db"], "x.db"),
}


class Round:
    def __init__(self, folder, mode, args, rng):
        self.folder, self.args, self.rng = folder, args, rng
        self.options, self.shared = MODES[mode]
        self.sizes = [4 * (i + 1) for i in range(args.tuners)]
        for size in self.sizes:
            self.write("k%d.mlir" % size, KERNEL.format(size))
        self.write("all.mlir", "".join(map(KERNEL.format, self.sizes)))
        self.wrong = []

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def tool(self, name):
        return os.path.join(os.path.abspath(self.args.bin), name)

    def start(self, size):
        log = open(os.path.join(self.folder, "k%d.log" % size), "a")
        return subprocess.Popen(
            [self.tool("baco-tune-driver"), "k%d.mlir" % size,
             "--output-dir=out", "--seed=1"] + self.options + self.args.options,
            cwd=self.folder, stdout=log, stderr=log)

    def expect_success(self, size, tuner):
        if tuner.wait() == 0:
            return
        with open(os.path.join(self.folder, "k%d.log" % size)) as log:
            errors = [line for line in log if "error" in line]
        self.wrong.append("k%d: exit %d: %s" % (
            size, tuner.returncode, errors[-1].strip() if errors else ""))

    def count_trials(self):
        """The number of trials with an outcome of each study."""
        if not self.shared.endswith(".db"):
            return {}
        path = os.path.join(self.folder, self.shared)
        if not os.path.exists(path) or os.path.getsize(path) == 0:
            return {}
        listed = subprocess.run(
            [self.tool("baco"), "study", "list", self.shared, "--format=json"],
            cwd=self.folder, capture_output=True, text=True)
        if listed.returncode != 0:
            self.wrong.append(listed.stderr.strip())
            return {}
        return {study["key"]: sum(study["statuses"].values())
                for study in json.loads(listed.stdout)}

    def run(self):
        tuners = {size: self.start(size) for size in self.sizes}
        victims = self.rng.sample(self.sizes, self.args.kills)
        committed = {}
        for size in victims:
            time.sleep(self.rng.uniform(0, self.args.latest_kill))
            tuners[size].kill()
            tuners[size].wait()
            for key, trials in self.count_trials().items():
                committed[key] = max(trials, committed.get(key, 0))
        for size in self.sizes:
            if size not in victims:
                self.expect_success(size, tuners[size])
        for size in victims:
            self.expect_success(size, self.start(size))
        now = self.count_trials()
        for key, trials in committed.items():
            if now.get(key, 0) < trials:
                self.wrong.append("study %s has lost trials: %d of %d" % (
                    key[:8], now.get(key, 0), trials))
        found = subprocess.run(
            [self.tool("baco-opt"), "all.mlir", "-o", os.devnull,
             "--baco-apply=library=" + self.shared],
            cwd=self.folder, capture_output=True, text=True)
        if found.returncode != 0:
            self.wrong += found.stderr.splitlines()
        # A tuner that could not leave its log would leave it here.
        for name in os.listdir(self.folder):
            if name.endswith(("-wal", "-shm")) and not victims:
                self.wrong.append("left behind: " + name)
        return self.wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--tuners", type=int, default=6)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--latest-kill", type=float, default=0.5)
    parser.add_argument("--modes", default=",".join(MODES))
    # argparse takes what follows "--" for positional arguments before it.
    own, options = sys.argv[1:], ["--budget=2", "--evaluator=static"]
    if "--" in own:
        at = own.index("--")
        own, options = own[:at], own[at + 1:]
    args = parser.parse_args(own)
    args.options = options
    rng = random.Random(1)
    is_fine = True
    for mode in args.modes.split(","):
        bad = 0
        for number in range(args.rounds):
            with tempfile.TemporaryDirectory() as folder:
                wrong = Round(folder, mode, args, rng).run()
            bad += bool(wrong)
            for line in wrong:
                print("%s, round %d: %s" % (mode, number, line))
        print("%s: %d tuners, %d of them killed, %d of %d rounds without a fault"
              % (mode, args.tuners, args.kills, args.rounds - bad, args.rounds),
              flush=True)
        is_fine = is_fine and bad == 0
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
