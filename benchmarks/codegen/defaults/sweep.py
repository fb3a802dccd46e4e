#!/usr/bin/env python3
"""Are defaults compiled fast, and no slower than the plain lowering?

  sweep.py compile [--journal FILE] [--every N] [--only TEXT] [--cpu ,znver4] [--time S]
  sweep.py run     [--journal FILE] [--every N] [--only TEXT] [--time S] [--factor 1.05]
  sweep.py report --journal FILE

`compile` plans and compiles without running anything (baco-bench-defaults).
`run` tunes each loop nest with one evaluation, the default, and compares it
with the plain lowering, as the tuner's finals do: it needs an idle machine.
What is slower is measured again, as often as --again says; the best time
counts. A journal has a line for each result: the same command goes on with what
is missing. `report` prints its table, in Markdown. --markdown=FILE also writes the
table to FILE, where it replaces an older one.
Exits with 1 if a default fails, takes too long to compile, or is certainly
slower than plain by more than the factor.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import nests
import structured

# What the planner is told of a CPU that code is generated for.
AVX512 = "vector-bytes=64,vector-registers=32"
AVX2 = "vector-bytes=32,vector-registers=16"
HOSTS = {"": "", "znver4": AVX512, "cooperlake": AVX512, "sapphirerapids": AVX512,
         "haswell": AVX2, "znver3": AVX2,
         "x86-64": "vector-bytes=16,vector-registers=16"}
# Kernels of one process: results are in the journal when it ends.
BATCH = 8


class Journal:
    """Results by what they are of: one JSON object a line."""

    def __init__(self, path, key):
        self.path, self.key, self.results = path, key, {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    # A line that was cut off is measured again.
                    if line.endswith("\n"):
                        self.remember(json.loads(line))

    def remember(self, result):
        self.results[tuple(result.get(part, "") for part in self.key)] = result

    def add(self, result):
        self.remember(result)
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")


def select(kernels, options):
    chosen = [k for k in kernels if not options.only or options.only in k[0]]
    return chosen[options.offset::options.every]


def is_late(options, left):
    if not options.time or time.monotonic() - options.start < options.time:
        return False
    print(f"stopped after {options.time} s; {left} kernels are left", flush=True)
    return True


ROW = re.compile(r"(\S+) +(plain|default|least|most)(?: (\S+))? +(\d+) +(\d+) ms +(.*)")


def read_row(line, cpus, host):
    """The results of a line of baco-bench-defaults."""
    match = ROW.fullmatch(line + " ")
    if match:
        name, point, cpu, plan, code, error = match.groups()
        return [{"kernel": name, "host": host, "cpu": cpu or "", "point": point,
                 "plan_ms": int(plan), "compile_ms": int(code),
                 "error": error.strip()}]
    name, _, reason = line.partition(" ")
    # A kernel without knobs is its plain lowering.
    reason = reason.strip()
    return [{"kernel": name, "host": host, "cpu": cpu, "point": "plan",
             "skipped" if reason.startswith("no kernel") else "error": reason}
            for cpu in cpus]


def is_wrong(result, options):
    return bool(result.get("error")) or (
        result.get("plan_ms", 0) + result.get("compile_ms", 0) > options.limit)


def compile_batch(batch, host, cpus, options):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        for name, text in batch:
            file.write(f"// ----- {name}\n{text}")
        file.flush()
        command = [os.path.join(options.bin, "baco-bench-defaults"), file.name,
                   "--all", f"--host={host}", f"--points={options.points}",
                   f"--cpu={','.join(cpus)}", f"--limit={options.limit}"]
        done = subprocess.run(command, check=False, text=True,
                              stdout=subprocess.PIPE)
    lines = done.stdout.splitlines()
    if not lines or not lines[-1].endswith("problems"):
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}")
    return [result for line in lines[:-1] for result in read_row(line, cpus, host)]


def compile_all(options):
    kernels = select(list(structured.kernels()) + list(nests.kernels()), options)
    journal = Journal(options.journal, ("kernel", "host", "cpu", "point"))
    for host in dict.fromkeys(HOSTS[cpu] for cpu in options.cpu.split(",")):
        cpus = [c for c in options.cpu.split(",") if HOSTS[c] == host]
        done = {key[0] for key in journal.results
                if key[1] == host and key[2] == cpus[-1]}
        pending = [k for k in kernels if k[0] not in done]
        for at in range(0, len(pending), BATCH):
            if is_late(options, len(pending) - at):
                break
            for result in compile_batch(pending[at:at + BATCH], host, cpus, options):
                journal.add(result)
                if is_wrong(result, options):
                    print(result, flush=True)
    return report_compile(journal, options)


def write_table(table, options):
    """Prints the table, and adds it to the file that --markdown names."""
    print()
    for row in [table["columns"], ["---"] * len(table["columns"])] + table["rows"]:
        print("| " + " | ".join(row) + " |")
    if options.markdown:
        table["program"] = "sweep.py"
        table["command"] = " ".join(["defaults/sweep.py"] + [
            a for a in sys.argv[1:] if not a.startswith("--markdown")])
        subprocess.run([os.path.join(options.bin, "baco-bench-table"),
                        options.markdown], input=json.dumps(table), text=True,
                       check=True)


def report_compile(journal, options):
    results = list(journal.results.values())
    rows = []
    for cpu in dict.fromkeys(r["cpu"] for r in results):
        mine = [r for r in results if r["cpu"] == cpu]
        times = sorted(r["plan_ms"] + r["compile_ms"] for r in mine if "plan_ms" in r)
        if not times:
            continue
        counts = [len({r["kernel"] for r in mine}),
                  sum("skipped" in r for r in mine), len(times),
                  sum(bool(r.get("error")) for r in mine),
                  sum(t > options.limit for t in times)]
        slow = [times[len(times) // 2], times[len(times) * 99 // 100], times[-1]]
        rows.append([cpu or "this one"] + [str(count) for count in counts] +
                    [f"{ms} ms" for ms in slow])
    write_table({
        "title": "defaults/sweep.py compile",
        "columns": ["CPU", "kernels", "without a plan", "compilations", "failed",
                    f"> {options.limit:g} ms", "median", "99 %", "most"],
        "rows": rows, "notes": ["CPU time, planning included"]}, options)
    return any(is_wrong(r, options) for r in results)


# Sums of so many terms in a narrow type can't be told from anything else: the
# tuner refuses them, as it should.
REFUSED = ("nothing to tune", "cannot be verified")


def measure(name, text, options):
    """The result of the kernel, or why there is none."""
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
            error = " ".join(errors[:1])
            is_refused = any(reason in error for reason in REFUSED)
            return {"kernel": name, "skipped" if is_refused else "error": error}
        with open(summary, encoding="utf-8") as file:
            kernel = json.load(file)["kernels"][0]
        return {"kernel": name, "plain": kernel["plain_time_ns"],
                "default": kernel["default_time_ns"], "kept": kernel["kept"],
                "error": ", ".join(kernel["failures"])}


def ratio(result):
    if not result.get("plain") or not result.get("default"):
        return None
    return result["default"] / result["plain"]


def is_slow(result, options):
    """Certainly slower than plain, and by more than the factor."""
    return (result.get("kept") == "plain" and
            (ratio(result) or 0) > options.factor)


def run_all(options):
    kernels = select(list(nests.kernels()), options)
    journal = Journal(options.journal, ("kernel",))
    pending = [k for k in kernels if (k[0],) not in journal.results]
    for at, (name, text) in enumerate(pending):
        if is_late(options, len(pending) - at):
            break
        result = measure(name, text, options)
        for _ in range(options.again):
            if not is_slow(result, options):
                break
            again = measure(name, text, options)
            if (ratio(again) or ratio(result)) < ratio(result):
                result = again
        journal.add(result)
        said = f"{ratio(result):6.2f} of plain" if ratio(result) else " " * 15
        print(f"{name:32} {said} {'SLOW' if is_slow(result, options) else '    '} "
              f"{result.get('error') or result.get('skipped') or ''}", flush=True)
    return report_run(journal, options)


def report_run(journal, options):
    results = list(journal.results.values())
    ratios = sorted(filter(None, map(ratio, results)))
    bad = [r for r in results if r.get("error") or is_slow(r, options)]
    rows = []
    if ratios:
        shown = [ratios[0], ratios[len(ratios) // 2], ratios[-1]]
        rows = [[str(len(results)), str(sum("skipped" in r for r in results)),
                 str(len(ratios))] + [f"{value:.2f}" for value in shown] +
                [str(sum(is_slow(r, options) for r in results)),
                 str(sum(bool(r.get("error")) for r in results))]]
    slow = [f"{r['kernel']} ({ratio(r):.2f})" for r in results if is_slow(r, options)]
    write_table({
        "title": "defaults/sweep.py run",
        "columns": ["nests", "refused or without a plan", "compared",
                    "default / plain: least", "median", "most",
                    "certainly slower than plain", "failed"],
        "rows": rows,
        "notes": ["slower than plain: " + ", ".join(slow)] if slow else []}, options)
    for result in bad:
        said = result.get("error") or f"{ratio(result):.2f} of plain"
        print(f"\n{result['kernel']}: {said}")
    return bool(bad)


def report(options):
    with open(options.journal, encoding="utf-8") as file:
        is_compile = "point" in json.loads(file.readline())
    if is_compile:
        return report_compile(
            Journal(options.journal, ("kernel", "host", "cpu", "point")), options)
    return report_run(Journal(options.journal, ("kernel",)), options)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["compile", "run", "report"])
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--journal", help="results, one a line")
    parser.add_argument("--markdown", help="also write the table to this file")
    parser.add_argument("--only", default="", help="kernels with this in their name")
    parser.add_argument("--every", type=int, default=1, help="take each n-th")
    parser.add_argument("--offset", type=int, default=0, help="from this one on")
    parser.add_argument("--time", type=float, help="begin nothing after these seconds")
    parser.add_argument("--cpu", default="", help="of LLVM, by commas: " +
                        ", ".join(filter(None, HOSTS)) + "; empty: this one")
    parser.add_argument("--points", default="default,least,most")
    parser.add_argument("--limit", type=float, default=2000, help="milliseconds")
    parser.add_argument("--factor", type=float, default=1.05)
    parser.add_argument("--again", type=int, default=2)
    parser.add_argument("--final-time", type=int, default=20, help="milliseconds")
    options = parser.parse_args()
    unknown = set(options.cpu.split(",")) - set(HOSTS)
    if unknown:
        parser.error(f"--cpu: unknown '{min(unknown)}'; there are "
                     + ", ".join(filter(None, HOSTS)))
    if options.what == "report" and not options.journal:
        parser.error("report needs --journal")
    if options.markdown and subprocess.run(
            [os.path.join(options.bin, "baco-bench-table"), "--check",
             options.markdown], check=False).returncode:
        sys.exit(1)
    options.start = time.monotonic()
    work = {"compile": compile_all, "run": run_all, "report": report}[options.what]
    sys.exit(1 if work(options) else 0)


if __name__ == "__main__":
    main()
