#!/usr/bin/env python3
"""Searches flags of clang for C programs (examples/programs/clang-flags.json) with
OpenTuner's technique and with baco, which has half of the evaluations, and compares
what they find. Techniques and seeds share one table of measurements per program. See
README.md."""

import argparse
import hashlib
import json
import math
import os
import pathlib
import platform
import shlex
import statistics
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SPACE = ROOT / "examples" / "programs" / "clang-flags.json"
PROGRAMS = [ROOT / "examples" / "programs" / name
            for name in ("matmul.c", "nbody.c", "edit.c")]
# The line of docs/Programs.md, up to the files.
FLAGS = ("{level} {arch} {contract} {vectorize} {slp} -mprefer-vector-width={width} "
         "-mllvm -force-vector-interleave={interleave} "
         "-mllvm -unroll-threshold={unroll}")
OURS, RIVAL = "baco", "opentuner"
# The share of seeds that --check asks for.
MIN_SHARE = 0.8
# A candidate runs in turns with the reference until three ratios differ by this share
# at most, or so many times; only twice if it is slower by a factor each time.
AGREEMENT, MAX_TURNS, SLOW = 0.01, 9, 1.25
# Turns of two candidates that were the best ones of a seed.
FINAL_TURNS = 9
# Seconds of a run.
TIMEOUT = 20


def fail(message):
    sys.exit("%s: error: %s" % (pathlib.Path(sys.argv[0]).name, message))


class Failure(Exception):
    """Why a configuration has no cost, by a kind of docs/Programs.md."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


def code_bytes(path):
    """The size of code and constants in an object file of 64-bit ELF: what size(1)
    calls text."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        fail("'%s' is no 64-bit ELF file" % path)
    table, = struct.unpack_from("<Q", data, 40)
    entry_size, count = struct.unpack_from("<HH", data, 58)
    total = 0
    for i in range(count):
        _, kind, flags, _, _, size = struct.unpack_from(
            "<IIQQQQ", data, table + i * entry_size)
        writable, allocated, progbits = flags & 1, flags & 2, 1
        if allocated and not writable and kind == progbits:
            total += size
    return total


class Journal:
    """A file with a JSON object in each line, to which lines are added."""

    def __init__(self, path):
        self.path = path
        text = path.read_text() if path.exists() else ""
        # A run that was killed may have left a part of a line.
        whole = text[:text.rfind("\n") + 1]
        if whole != text:
            path.write_text(whole)
        self.entries = [json.loads(line) for line in whole.splitlines()]

    def add(self, **entry):
        with self.path.open("a") as file:
            file.write(json.dumps(entry) + "\n")
        self.entries.append(entry)


class Table:
    """The costs of a program's configurations. Those that were asked for before,
    also by another run of this script, aren't measured again; nor are equal
    binaries."""

    def __init__(self, source, options):
        self.source, self.options = source, options
        self.name = source.stem
        self.compiler = shlex.split(options.clang)
        version = run(self.compiler + ["--version"]).splitlines()[0]
        self.parameters = json.loads(SPACE.read_text())["input_parameters"]
        # Times of another program, compiler, CPU or way to measure are others.
        key = hashlib.sha256(repr((
            source.read_bytes(), version, options.clang, FLAGS, cpu_model(),
            AGREEMENT, MAX_TURNS, SLOW)).encode()).hexdigest()[:12]
        self.folder = options.work / ("%s-%s" % (self.name, key))
        self.folder.mkdir(parents=True, exist_ok=True)
        self.journal = Journal(self.folder / "measured.jsonl")
        self.builds, self.ratios, self.matches = {}, {}, {}
        for entry in self.journal.entries:
            self.remember(entry)
        self.default = {name: parameter["parameter_default"]
                        for name, parameter in self.parameters.items()}
        try:
            self.reference = self.build(self.default)["binary"]
            if options.cost == "time":
                self.seconds(self.reference)
        except Failure as failure:
            fail("'%s' fails with default flags: %s: %s" % (
                self.name, failure.kind, failure))

    def remember(self, entry):
        if "flags" in entry:
            self.builds[entry["flags"]] = entry
        elif "rival" in entry:
            self.matches[entry["binary"], entry["rival"]] = entry["ratio"]
        else:
            self.ratios[entry["binary"]] = entry["ratio"]

    def record(self, **entry):
        self.journal.add(**entry)
        self.remember(entry)
        return entry

    def build(self, configuration):
        """The name of the configuration's binary and its size. Failure if it isn't
        compiled."""
        flags = FLAGS.format(**configuration)
        if flags not in self.builds:
            self.record(flags=flags, **self.compile(flags))
        entry = self.builds[flags]
        if "failure" in entry:
            raise Failure("compile-failed", entry["failure"])
        return entry

    def compile(self, flags):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            object_file = pathlib.Path(folder) / "program.o"
            binary = pathlib.Path(folder) / "program"
            for command in (
                    self.compiler + flags.split() +
                    ["-c", self.source, "-o", object_file],
                    self.compiler + ["-s", object_file, "-o", binary, "-lm"]):
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode != 0:
                    return {"failure": done.stderr.strip()[-200:]}
            name = hashlib.sha256(binary.read_bytes()).hexdigest()[:16]
            binary.rename(self.folder / name)
            return {"binary": name, "size": code_bytes(object_file)}

    def seconds(self, binary):
        """The time that a run of a binary prints. Failure if there is none."""
        try:
            done = subprocess.run([self.folder / binary], capture_output=True,
                                  text=True, timeout=TIMEOUT, preexec_fn=pin)
        except subprocess.TimeoutExpired:
            raise Failure("timed-out", "%d s" % TIMEOUT) from None
        if done.returncode != 0:
            raise Failure("wrong-result" if done.returncode > 0 else "crashed",
                          (done.stdout + done.stderr).strip()[-200:])
        return float(done.stdout.splitlines()[-1].split()[-1])

    def turn(self, binary, other, first):
        """The time of a binary as a share of another one's, from one run of each, one
        after the other, so that a change of the machine's speed changes both."""
        if first:
            time = self.seconds(binary)
            return time / self.seconds(other)
        time = self.seconds(other)
        return self.seconds(binary) / time

    def compare(self, binary, other):
        """The same from several turns: the middle of the first three that agree, as a
        disturbance is unlikely to have the same size three times."""
        ratios = []
        while len(ratios) < MAX_TURNS:
            ratios.append(self.turn(binary, other, len(ratios) % 2))
            ratios.sort()
            if len(ratios) == 2 and ratios[0] > SLOW:
                break
            for low, middle, high in zip(ratios, ratios[1:], ratios[2:]):
                if high <= low * (1 + AGREEMENT):
                    return middle
        return statistics.median(ratios)

    def ratio(self, binary):
        """The time of a binary as a share of the default's."""
        if binary == self.reference:
            return 1.0
        if binary not in self.ratios:
            try:
                ratio = self.compare(binary, self.reference)
            except Failure as failure:
                ratio = {"failure": failure.kind, "message": str(failure)}
            self.record(binary=binary, ratio=ratio)
        ratio = self.ratios[binary]
        if isinstance(ratio, dict):
            raise Failure(ratio["failure"], ratio["message"])
        return ratio

    def cost(self, configuration, kind):
        build = self.build(configuration)
        return build["size"] if kind == "size" else self.ratio(build["binary"])

    def match(self, ours, rival):
        """The cost of a binary as a share of another one's, measured anew: what is
        the least of many times in the table is so by chance, too."""
        if ours == rival:
            return 1.0
        if (ours, rival) not in self.matches:
            self.record(binary=ours, rival=rival, ratio=statistics.median(
                self.turn(ours, rival, i % 2) for i in range(FINAL_TURNS)))
        return self.matches[ours, rival]

    def noise(self):
        """Twice the standard deviation of the ratio of a binary to itself."""
        return 2 * statistics.stdev(
            self.compare(self.reference, self.reference) for _ in range(10))


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        fail("%s: %s" % (command[0], done.stderr.strip()))
    return done.stdout


def pin():
    """Keeps a program that is timed on one CPU, the one that 'baco tune' takes."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


class Search:
    """A search of 'baco serve', in the order of its evaluations. It is not kept: all
    of its costs are in the table, so that the same search is repeated at once."""

    def __init__(self, table, technique, seed, budget, options):
        self.costs, self.binaries = [], []
        self.default_binary = table.reference
        self.default_cost = table.cost(table.default, options.cost)
        service = subprocess.Popen(
            [options.build / "bin" / "baco", "serve", SPACE, "--optimizer=" + technique,
             "--seed=%d" % seed, "--budget=%d" % budget], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        def request(**members):
            print(json.dumps(members), file=service.stdin, flush=True)
            answer = json.loads(service.stdout.readline() or '{"error": "no answer"}')
            if "error" in answer:
                fail("baco serve: " + answer["error"])
            return answer

        service.stdout.readline()
        while (candidate := request(op="ask"))["trial"] is not None:
            outcome = self.evaluate(table, candidate["configuration"], options.cost)
            request(op="tell", trial=candidate["trial"], **outcome)
        request(op="quit")
        service.stdin.close()
        service.wait()

    def evaluate(self, table, configuration, kind):
        try:
            cost = table.cost(configuration, kind)
            self.costs.append(cost)
            self.binaries.append(table.build(configuration)["binary"])
            return {"result": cost}
        except Failure as failure:
            self.costs.append(math.inf)
            self.binaries.append(None)
            return {"failure": failure.kind, "message": str(failure)}

    def best(self):
        """The least cost. The default is known, also to a search that doesn't begin
        with it."""
        return min([self.default_cost] + self.costs)

    def best_binary(self):
        if self.default_cost <= min(self.costs):
            return self.default_binary
        return self.binaries[self.costs.index(min(self.costs))]

    def evaluations_to(self, cost):
        """Evaluations until there is a cost that isn't above this one."""
        if self.default_cost <= cost:
            return 0
        return next((i + 1 for i, c in enumerate(self.costs) if c <= cost), math.inf)


class Comparison:
    """The searches of a program with all seeds."""

    def __init__(self, table, options):
        self.table, self.options = table, options
        self.pairs = []
        for seed in range(options.first_seed, options.first_seed + options.seeds):
            ours = Search(table, OURS, seed, options.ours, options)
            rival = Search(table, RIVAL, seed, options.budget, options)
            self.pairs.append((ours, rival))
            print("%s, seed %d: %s %.4g, %s %.4g" % (
                table.name, seed, OURS, ours.best(), RIVAL, rival.best()),
                file=sys.stderr, flush=True)

    def ahead(self):
        """Seeds in which ours is at or ahead of the rival, by the table."""
        return sum(ours.best() <= rival.best() for ours, rival in self.pairs)

    def level(self):
        """Those in which ours isn't behind by more than the tolerance."""
        limit = 1 + self.options.tolerance
        if self.options.cost == "size":
            return sum(ours.best() <= rival.best() * limit for ours, rival in self.pairs)
        return sum(self.table.match(ours.best_binary(), rival.best_binary()) <= limit
                   for ours, rival in self.pairs)

    def holds(self):
        """Whether enough seeds are at or ahead. Times are as precise as the tolerance;
        sizes are exact."""
        count = self.ahead() if self.options.cost == "size" else self.level()
        return count >= MIN_SHARE * len(self.pairs)

    def row(self):
        def median(values):
            value = statistics.median_low(values)
            return "never" if math.isinf(value) else "%d" % value

        shares = [[search.best() / search.default_cost for search in pair]
                  for pair in self.pairs]
        return [self.table.name,
                "%d of %d" % (self.ahead(), len(self.pairs)),
                "%d of %d" % (self.level(), len(self.pairs)),
                *("%.3f (%.3f to %.3f)" % (statistics.median(column), min(column),
                                           max(column)) for column in zip(*shares)),
                "%.3f" % min(map(min, shares)),
                median(ours.evaluations_to(rival.best()) for ours, rival in self.pairs),
                median(rival.evaluations_to(rival.best()) for _, rival in self.pairs),
                "%d, %d" % (len(self.table.builds),
                            len({entry.get("binary")
                                 for entry in self.table.builds.values()} - {None}))]


def result_table(comparisons, options, seconds):
    within = "within %g %%" % (100 * options.tolerance)
    notes = [
        run(shlex.split(options.clang) + ["--version"]).splitlines()[0] + "; "
        "costs are shares of the default's, -O3 -march=native: median of the seeds, and "
        "least to largest. The last columns: evaluations until a search has what "
        "%s finds with %d, medians (never: not within the budget); different "
        "configurations and binaries in the table." % (RIVAL, options.budget)]
    if options.cost == "time":
        notes += [
            "*At or ahead* compares times of the table, of which a search takes the least; "
            "*%s* compares both choices anew, in %d turns." % (within, FINAL_TURNS),
            "The ratio of a binary to itself, two standard deviations: " + ", ".join(
                "%s %.2f %%" % (c.table.name, 100 * c.table.noise())
                for c in comparisons) + "."]
    notes += ["It took %.0f minutes; load average %.1f." % (
        seconds / 60, os.getloadavg()[0])]
    return {
        "program": HERE.name + "/" + pathlib.Path(sys.argv[0]).name,
        "command": ("benchmarks/programs/clang-flags.py " + " ".join(
            argument for argument in sys.argv[1:]
            if not argument.startswith(
                ("--markdown", "--work", "--build")))).strip(),
        "title": "Flags of clang for %s: %s after %d evaluations, %s after %d" % (
            options.cost, OURS, options.ours, RIVAL, options.budget),
        "columns": ["program", "at or ahead", within, "%s, %d" % (OURS, options.ours),
                    "%s, %d" % (RIVAL, options.budget), "least", "%s reaches" % OURS,
                    "%s reaches" % RIVAL, "configurations, binaries"],
        "rows": [comparison.row() for comparison in comparisons],
        "notes": notes}


def print_table(table):
    print("%s\n\n%s\n" % (table["title"], table["command"]))
    for row in table["columns"], ["---"] * len(table["columns"]), *table["rows"]:
        print("| %s |" % " | ".join(row))
    for note in table["notes"]:
        print("\n" + note)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, metavar="FOLDER",
                        default=ROOT / "build" / "release",
                        help="build folder, for baco (default: build/release)")
    parser.add_argument("--work", type=pathlib.Path, metavar="FOLDER",
                        help="tables of measurements; the same folder goes on with "
                        "them (default: clang-flags in the build folder)")
    parser.add_argument("--cost", choices=["time", "size"], default="time",
                        help="time of the program, or size of its code (default: time)")
    parser.add_argument("--program", type=pathlib.Path, action="append", metavar="FILE",
                        help="a C file that prints its time (default: three)")
    parser.add_argument("--seeds", type=int, default=10, metavar="N")
    parser.add_argument("--first-seed", type=int, default=0, metavar="N")
    parser.add_argument("--budget", type=int, default=60, metavar="N",
                        help="evaluations of %s (default: 60)" % RIVAL)
    parser.add_argument("--ours", type=int, metavar="N",
                        help="evaluations of %s (default: half of --budget)" % OURS)
    parser.add_argument("--tolerance", type=float, default=0.01, metavar="SHARE",
                        help="differences that are noise (default: 0.01)")
    parser.add_argument("--clang", default="clang-22", metavar="COMMAND")
    parser.add_argument("--markdown", metavar="FILE", help="also adds the table to FILE")
    parser.add_argument("--check", action="store_true",
                        help="exits with 1 unless %s is at or ahead of %s in %d %% of "
                        "the seeds of each program" % (OURS, RIVAL, 100 * MIN_SHARE))
    options = parser.parse_args()
    if options.seeds < 1 or options.budget < 2:
        fail("--seeds must be at least 1, and --budget at least 2")
    if options.work is None:
        options.work = options.build / "clang-flags"
    if options.ours is None:
        options.ours = options.budget // 2
    for program in options.program or PROGRAMS:
        if not program.exists():
            fail("there is no file '%s'" % program)
    if not (options.build / "bin" / "baco").exists():
        fail("there is no program '%s'" % (options.build / "bin" / "baco"))
    return options


def main():
    options = parse_options()
    tabulate = options.build / "bin" / "baco-bench-table"
    if options.markdown:
        run([tabulate, "--check", options.markdown])
    begin = time.monotonic()
    comparisons = [Comparison(Table(program, options), options)
                   for program in options.program or PROGRAMS]
    table = result_table(comparisons, options, time.monotonic() - begin)
    print_table(table)
    if options.markdown:
        subprocess.run([tabulate, options.markdown], check=True, text=True,
                       input=json.dumps(table))
    if options.check and not all(c.holds() for c in comparisons):
        sys.exit(1)


main()
