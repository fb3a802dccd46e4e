"""baco for Python: search spaces, studies, and tuned MLIR modules.

    import baco

    space = baco.Space([baco.integer("tile", 1, 64), baco.integer("unroll", 1, 8)],
                       ["divides(unroll, tile)"])
    study = baco.Study(space, database="mine.db")
    study.optimize(lambda tile, unroll: measure(tile, unroll), 40)
    print(study.best)

docs/Python.md has the guide.
"""

import collections
import math
import os
import shutil
import subprocess
import tempfile

from . import _baco
from ._baco import (Parameter, Space, boolean, categorical, integer, ordinal,
                    permutation, real)

__version__ = _baco.version

Trial = collections.namedtuple(
    "Trial", ["number", "configuration", "result", "status", "message"])
Trial.__doc__ = """A trial: `configuration` is a dict by names of parameters;
`result` is None unless it works; `status` is None while it is pending, or "ok", or
a kind of failure, of which `message` says more."""

Candidate = collections.namedtuple("Candidate", ["trial", "configuration"])
Candidate.__doc__ = "A candidate to evaluate, and the number of its trial."

Tuned = collections.namedtuple("Tuned", ["module", "library", "summary"])
Tuned.__doc__ = """What tuning made of a module: its text with the best schedules
applied, the tuned library for `apply`, and the summary as a dict."""


class Failure(Exception):
    """Raised by an evaluated function to say how its candidate failed: `kind` is
    a status such as "wrong-result" or "compile-failed"."""

    def __init__(self, message="", kind="crashed"):
        super().__init__(message)
        self.kind = kind


class Study:
    """A search for the configuration of `space` with the least result.

    `database` is the file of a journal: the same study goes on from it, killed
    or not, and measures nothing twice. `subject` is what results depend on besides
    the configuration: another text is another study. `optimizer` is a technique,
    as of `baco tune`, and so are `objectives` and `order`, for candidates with
    several results: results are then sequences, or dicts by name. Raises
    ValueError if one of them is wrong.
    """

    def __init__(self, space, *, optimizer="baco", seed=0, database="",
                 name="study", subject="", objectives="", order=""):
        self.space = space
        self._study = _baco.Study(space, optimizer, seed,
                                  os.fspath(database), name, subject,
                                  objectives, order)

    def ask(self):
        """The next candidate; None if every configuration was asked for.

        Several may be pending. Those that an earlier run left come first.
        """
        asked = self._study.ask()
        return None if asked is None else Candidate(*asked)

    def tell(self, trial, result):
        """Tells the result of a pending trial, a finite number, or several."""
        self._study.tell(trial, result)

    def tell_failure(self, trial, kind="crashed", message=""):
        """Tells that a pending trial failed."""
        self._study.tell_failure(trial, kind, message)

    def optimize(self, function, n):
        """Calls `function(**configuration)` until the study has `n` trials, or
        every configuration was tried, and returns the best one.

        The function returns a number, or several as `tell` has them, or None
        for a candidate that fails. An
        ArithmeticError, a Failure, or a result that isn't finite is a failure,
        too; other exceptions end the search, and the candidate is given again by
        the next one.
        """
        told = sum(trial.status is not None for trial in self.trials)
        while told < n:
            candidate = self.ask()
            if candidate is None:
                break
            kind, message, result = "crashed", "", None
            try:
                result = function(**candidate.configuration)
            except Failure as failure:
                kind, message = failure.kind, str(failure)
            except ArithmeticError as error:
                message = f"{type(error).__name__}: {error}"
            except BaseException:
                self._study.give_back(candidate.trial)
                raise
            if not _isFinite(result):
                self.tell_failure(candidate.trial, kind,
                                  message or f"the result is {result}")
            else:
                self.tell(candidate.trial, result)
            told += 1
        return self.best

    @property
    def trials(self):
        """All trials, in the order of asking."""
        return [Trial(*self._study.trial(number))
                for number in range(len(self._study))]

    @property
    def best(self):
        """The trial with the least result, or None. Of a Pareto front, the one
        whose first result is best."""
        number = self._study.best()
        return None if number is None else Trial(*self._study.trial(number))

    @property
    def front(self):
        """The trials of the Pareto front, in the order of the first result."""
        return [Trial(*self._study.trial(number))
                for number in self._study.front()]


def _isFinite(result):
    if result is None:
        return False
    if isinstance(result, dict):
        result = result.values()
    elif not isinstance(result, (tuple, list)):
        result = [result]
    return all(math.isfinite(value) for value in result)


def tune(space, n=60, **options):
    """Decorates a function that measures: calling it without arguments then tunes
    it by `n` trials, and returns the best configuration. Options are those of
    Study. Raises RuntimeError if no candidate works.

        @baco.tune(space, database="mine.db")
        def run(tile, unroll): ...

        best = run()
    """

    def decorate(function):
        def tuned():
            best = Study(space, **options).optimize(function, n)
            if best is None:
                raise RuntimeError("no candidate works")
            return best.configuration

        tuned.measure = function
        return tuned

    return decorate


class _Kernel:
    """What OpenCL and CUDA have in common."""

    def __init__(self, is_cuda, space, kernel, constants=None, platform="", device="",
                 library="", compiler="", seed=0, repeat=0, build_timeout=120000,
                 run_timeout=60000, reference=None):
        import json
        if isinstance(kernel, dict):
            text, file = json.dumps(kernel), ""
        else:
            file = os.fspath(kernel)
            with open(file, encoding="utf-8") as stream:
                text = stream.read()
        self._kernel = _baco.Kernel(space, is_cuda, text, file, constants or {},
                                    platform, device, library, compiler, seed, repeat,
                                    build_timeout, run_timeout, reference)

    def __call__(self, **configuration):
        status, message, time = self._kernel.measure(configuration)
        if status != "ok":
            raise Failure(message, status)
        return time

    @property
    def device(self):
        """The name, the platform and the driver of the device."""
        return self._kernel.device

    @property
    def fingerprint(self):
        """A text for all that results depend on besides the configuration."""
        return self._kernel.fingerprint

    @property
    def checks_results(self):
        """Whether outputs are compared with right ones."""
        return self._kernel.checks_results


class OpenCL(_Kernel):
    """A kernel in OpenCL C as a function to optimize: called with a keyword argument
    for each parameter of `space`, it builds, checks and times that candidate on a
    device, and returns nanoseconds. Raises Failure if the candidate fails.

        kernel = baco.OpenCL(space, "saxpy.kernel.json", constants={"N": 4096})
        baco.Study(space, subject=kernel.fingerprint).optimize(kernel, 40)

    `kernel` is the name of a file as of `baco tune --opencl`, or what is in one as a
    dict; files that it names are relative to the current folder then. Options are
    `constants`, `platform` and `device`, which replace those in it, `library` (the
    driver's), `seed` (of random contents), `repeat` (timed launches; 0: as many as
    take 50 ms), `build_timeout` and `run_timeout` (ms), and `reference`, which is
    called with a memoryview for each buffer, and makes those of outputs the right
    ones. Raises ValueError for mistakes, or if there is no such device.
    """

    def __init__(self, space, kernel, **options):
        super().__init__(False, space, kernel, **options)


class CUDA(_Kernel):
    """The same for a kernel in CUDA C++ on a GPU of NVIDIA; `compiler` is the library
    of NVRTC."""

    def __init__(self, space, kernel, **options):
        super().__init__(True, space, kernel, **options)


def read_trials(path, study=""):
    """The trials with outcomes of a study in a journal, as columns: a dict of
    arrays of numpy, or of lists where that isn't installed. `result` is NaN where
    `status` isn't "ok". Times are nanoseconds."""
    rows = _baco.read_trials(os.fspath(path), study)
    columns = {name: [row[0][name] for row in rows]
               for name in (rows[0][0] if rows else {})}
    columns["result"] = [row[1] for row in rows]
    columns["status"] = [row[2] for row in rows]
    try:
        import numpy
    except ImportError:
        return columns

    def array(values):
        if values and isinstance(values[0], tuple):
            # An order stays one element.
            made = numpy.empty(len(values), dtype=object)
            made[:] = values
            return made
        return numpy.array(values)

    return {name: array(values) for name, values in columns.items()}


#===-----------------------------------------------------------------------===#
# ATF's words
#===-----------------------------------------------------------------------===#


def interval(lower, upper, step=1):
    """The values of `tp` from `lower` to `upper`, as in ATF."""
    return range(lower, upper + 1, step)


def tp(name, values, constraint=""):
    """A tuning parameter in ATF's words: `values` is an interval or a sequence,
    `constraint` an expression, of parameters before it, too. For `space`."""
    if isinstance(values, range) and values.step > 0 and len(values) > 0:
        return integer(name, values[0], values[-1], values.step), constraint
    values = list(values)
    isNumber = all(isinstance(value, (int, float)) and
                   not isinstance(value, bool) for value in values)
    if isNumber and values == sorted(set(values)):
        return ordinal(name, values), constraint
    return categorical(name, values), constraint


def space(*parameters):
    """The space of parameters that `tp` has made."""
    return Space([parameter for parameter, _ in parameters],
                 [constraint for _, constraint in parameters if constraint])


#===-----------------------------------------------------------------------===#
# MLIR
#===-----------------------------------------------------------------------===#


def _driver():
    """The installed driver: $BACO_DRIVER, beside this package, or in the path."""
    here = os.path.dirname(os.path.abspath(__file__))
    candidates = [os.environ.get("BACO_DRIVER", "")]
    for up in range(1, 5):
        candidates.append(os.path.join(here, *[".."] * up, "bin",
                                       "baco-tune-driver"))
    candidates.append(shutil.which("baco-tune-driver") or "")
    for candidate in candidates:
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    raise RuntimeError("baco-tune-driver isn't found: install it, or set "
                       "BACO_DRIVER")


def _run_driver(text, folder, options):
    file = os.path.join(folder, "module.mlir")
    with open(file, "w", encoding="utf-8") as output:
        output.write(text)
    run = subprocess.run([_driver(), file, "--output-dir=" + folder] + options,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip() or
                           f"the driver has ended with {run.returncode}")


def _read(folder, ending):
    with open(os.path.join(folder, "module" + ending), encoding="utf-8") as file:
        return file.read()


def tune_module(text, **options):
    """Tunes the kernels of a module in MLIR's syntax, and returns a Tuned.
    Options are those of baco-tune-driver: `budget=30` is --budget=30. Raises
    RuntimeError with the driver's message."""
    import json
    with tempfile.TemporaryDirectory() as folder:
        _run_driver(text, folder,
                    [f"--{name.replace('_', '-')}={value}"
                     for name, value in options.items()])
        library = ""
        if os.path.exists(os.path.join(folder, "module.library.mlir")):
            library = _read(folder, ".library.mlir")
        return Tuned(_read(folder, ".tuned.mlir"), library,
                     json.loads(_read(folder, ".summary.json")))


def apply(text, library):
    """Applies a tuned library, its text, to a module without a search, and
    returns the module's text."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "given.library.mlir")
        with open(file, "w", encoding="utf-8") as output:
            output.write(library)
        _run_driver(text, folder, ["--apply=" + file])
        return _read(folder, ".tuned.mlir")
