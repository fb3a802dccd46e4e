"""The cases of baco-bench-sparse for the scripts beside this file: payloads with
recipes, whose default is the space's or the expert's, and runs of the tuner."""

import csv
import io
import json
import pathlib
import re
import subprocess
import sys

# Evaluations of the paper (Table 3).
BUDGETS = {"spmv": 70, "spmm": 60, "sddmm": 60, "ttv": 70, "mttkrp": 60}


def fail(message):
    sys.exit("%s: error: %s" % (pathlib.Path(sys.argv[0]).name, message))


def run(command, log=None):
    """The standard output; ends the program if the command fails."""
    done = subprocess.run(list(map(str, command)), capture_output=True,
                          text=True)
    if log:
        log.write_text(done.stdout + done.stderr)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        errors = [line for line in lines if "error: " in line] or lines[-1:]
        fail(" ".join(map(str, command[:2])) + ": " + "".join(errors[:1]))
    return done.stdout


def mlir_text(value):
    if isinstance(value, list):
        return "array<i64: %s>" % ", ".join(map(str, value))
    return '"%s"' % value if isinstance(value, str) else str(value)


def with_defaults(text, choice):
    """An annotated payload in whose recipe knobs have these defaults."""
    for name, value in choice.items():
        pattern = (r'(#baco\.knob<"%s", #baco\.\w+<.*?>, default = )'
                   r'("[^"]*"|array<[^>]*>|\d+)' % re.escape(name))
        text, count = re.subn(
            pattern, lambda match: match.group(1) + mlir_text(value), text)
        if count != 1:
            fail("the recipe has %d knobs '%s'" % (count, name))
    return text


class Case:
    """One kernel on one tensor, in a folder of its own."""

    def __init__(self, tools, description, payload, folder):
        self.tools, self.folder = tools, folder
        self.row, self.name = description["row"], description["case"]
        self.inputs = description["inputs"]
        self.threads = description["threads"]
        self.expert = json.loads(description["expert"])
        self.budget = BUDGETS[self.row]
        folder.mkdir(parents=True, exist_ok=True)
        recipe = run([tools / "baco-opt", payload, "--baco-annotate"])
        # The tuner names its results after the file.
        for kind, choice in ("default", {}), ("expert", self.expert):
            (folder / (kind + ".mlir")).write_text(
                with_defaults(recipe, choice))

    def options(self, kind):
        return [self.folder / (kind + ".mlir"), "--arg=" + self.inputs,
                "--host=threads=%d" % self.threads]

    def space(self):
        """As a JSON object, without places in files of this machine."""
        text = run([self.tools / "baco-tune-driver"] + self.options("default") +
                   ["--emit-space=-"])

        def strip(value):
            if isinstance(value, dict):
                return {key: strip(inner) for key, inner in value.items()
                        if key != "location"}
            return list(map(strip, value)) if isinstance(value, list) else value
        return strip(json.loads(text))

    def tune(self, kind, folder, options):
        """Runs the tuner; the folder gets what it writes."""
        folder.mkdir(parents=True, exist_ok=True)
        run([self.tools / "baco-tune-driver"] + self.options(kind) +
            ["--output-dir=%s" % folder] + options, folder / "log")

    def trials(self, kind, folder):
        """Rows of the journal, by names of columns, in the order of asking."""
        table = run([self.tools / "baco", "study", "export",
                     folder / (kind + ".baco.db"), "--format=csv"])
        return list(csv.DictReader(io.StringIO(table)))


def selected_cases(options, work):
    """The cases that the options name, in folders of `work`."""
    work = pathlib.Path(work)
    tools = pathlib.Path(options.build) / "bin"
    if not (tools / "baco-bench-sparse").exists():
        fail("there is no program '%s'" % (tools / "baco-bench-sparse"))
    payloads = work / "payloads"
    run([tools / "baco-bench-sparse", "--write=%s" % payloads,
         "--data=" + options.data] + ["--case=" + text for text in options.case] +
        ["--row=" + options.row] * bool(options.row) +
        ["--small"] * options.small)
    return [Case(tools, description, payloads / description["payload"],
                 work / re.sub("-+", "-", description["payload"][:-5]).strip("-"))
            for description in
            json.loads((payloads / "cases.json").read_text())]


def cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return "an unknown CPU"


def load_average():
    return float(pathlib.Path("/proc/loadavg").read_text().split()[0])


def add_options(parser):
    """What all scripts understand."""
    parser.add_argument("--build", default="build/release", metavar="FOLDER",
                        help="build folder (default: build/release)")
    parser.add_argument("--row", default="", metavar="NAME,...",
                        help="kernels (default: all)")
    parser.add_argument("--case", action="append", default=[], metavar="TEXT",
                        help="only cases whose name contains this; may be "
                        "given again")
    parser.add_argument("--data", default="", metavar="FOLDER",
                        help="also the tensors in this folder")
    parser.add_argument("--small", action="store_true",
                        help="the tiny tensors of the tests")
    parser.add_argument("--cpu", type=int, default=-1, metavar="N",
                        help="CPU to measure on (default: the last one)")
