# Fills a database of one study with many, for tests of reports:
#
#   many-trials.py DATABASE KERNELS TRIALS [PREFIX]
#
# The study becomes KERNELS copies, whose names are PREFIX and a number, each
# with TRIALS trials of integers a, b, c in 1 to 16 and a categorical mode, as
# JSON of the study's space has them. The times follow a formula, and some fail.
# The last study has a final comparison, a schedule, and the details of its
# kernel, which is called three times.

import json
import random
import sqlite3
import sys

path, kernels, trials = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
prefix = sys.argv[4] if len(sys.argv) > 4 else "kernel"
draw = random.Random(1)
database = sqlite3.connect(path)
_, _, name, space, metadata, created, used = database.execute(
    "SELECT * FROM studies").fetchone()
parameters = json.loads(space)["parameters"]
numbers = [p["name"] for p in parameters if p["kind"] == "integer"]
mode = next(p for p in parameters if p["kind"] == "categorical")
for table in ("trials", "finals", "finalists", "studies"):
    database.execute("DELETE FROM " + table)
for study in range(1, kernels + 1):
    database.execute(
        "INSERT INTO studies VALUES (?, ?, ?, ?, ?, ?, ?)",
        (study, "%08x%024x" % (study * 2654435761 % 2**32, study),
         prefix + str(study), space, metadata, created, used))
    for number in range(trials):
        values = {n: draw.randint(1, 16) if number else 1 for n in numbers}
        values[mode["name"]] = draw.choice(mode["values"]) if number else mode["values"][0]
        a, b, c = (values[n] for n in numbers)
        time = study * (100.0 + 40 * abs(a - 11) + 3 * abs(b - 5)) * draw.uniform(1, 1.1)
        fails = number and a * b > 150 and values[mode["name"]] == mode["values"][1]
        row = ("crashed", None, 0.0, 0, 2.0e7, 1.0e7, "signal 11 with a = %d" % a) if fails \
            else ("ok", time, draw.uniform(0.001, 0.05), 9, 2.0e7, 3.0e7, "")
        database.execute(
            "INSERT INTO trials (study, number, configuration, state, status, time_ns, spread,"
            " samples, compile_ns, run_ns, message) VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, ?, ?)",
            (study, number, json.dumps(values, separators=(",", ":")), *row))
best = database.execute(
    "SELECT number, time_ns FROM trials WHERE study = ? AND status = 'ok' ORDER BY time_ns", (kernels,)).fetchone()
default = database.execute("SELECT number, time_ns FROM trials WHERE study = ? AND number = 0", (kernels,)).fetchone()
database.execute("INSERT INTO finals VALUES (?, 0, ?, 'tuned', ?, 0.99, NULL, NULL, NULL)", (kernels, trials, best[0]))
for place, (number, time) in enumerate([default, best, (None, 2 * default[1])]):
    rounds = [time * draw.uniform(0.98, 1.02) for _ in range(12)]
    database.execute(
        "INSERT INTO finalists VALUES (?, 0, ?, ?, 'ok', ?, 0.01, 12, '', ?)",
        (kernels, place, number, sorted(rounds)[6], json.dumps(rounds)))
metadata = json.loads(metadata)
metadata["kernel"] = {
    "calls": 3, "flops": 8192, "bytes": 1024, "flops_per_s": 1.2e11, "bytes_per_s": 9e10, "threads": 1,
    "listings": [{"trial": number, "text": "%04x: vfmadd231ps <img src=x>\n%04x: jne %04x\n" % (place, place + 6, place)}
                 for place, number in ((64, 0), (128, best[0]))]}
database.execute("UPDATE studies SET metadata = ? WHERE id = ?", (json.dumps(metadata), kernels))
database.execute(
    "INSERT INTO entries VALUES (1, 'tuned', '1', 'f', 's', 0, ?, ?)",
    ("%08x%024x" % (kernels * 2654435761 % 2**32, kernels),
     '  transform.named_sequence @tuned() attributes {baco.entry = {fingerprint = "1", function = "f",'
     ' structure = "s"}} {\n    // <img src=x>\n  }'))
database.commit()
