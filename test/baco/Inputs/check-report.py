# Checks that the three formats of a report have the same numbers:
#
#   check-report.py BACO DATABASE [page]
#
# The JSON in the page is that of --format=json, and its numbers, written as
# people read them, are in the text. The writing is this script's own.

import json
import re
import subprocess
import sys

baco, database = sys.argv[1:3]


def report(format):
    return subprocess.run([baco, "report", database, "--format=" + format],
                          capture_output=True, text=True, check=True).stdout


def three_digits(value):
    size = abs(value)
    return "%.*f" % (0 if size == 0 or size >= 99.95 else 1 if size >= 9.995 else 2, value)


def cost(value, unit):
    if unit == "number":
        return "%.6g" % value
    assert unit == "ns", unit
    for name, scale in ("ns", 1), ("us", 1e3), ("ms", 1e6), ("s", 1e9):
        if abs(value) < 999.5 * scale:
            return three_digits(value / scale) + " " + name


facts, text = json.loads(report("json")), report("text")
# The rows of the text's tables, as lists of cells.
rows = {tuple(re.split(r" {2,}", line.strip())) for line in text.splitlines()}
checked = 0


def expect(*cells):
    global checked
    checked += 1
    assert any(set(cells) <= set(row) for row in rows), "no row of the text has %s" % (cells,)


for kernel in facts["kernels"] if len(facts["kernels"]) > 1 else []:
    study = facts["studies"][kernel["study"]]
    expect(study["name"], study["key"][:8], three_digits(100 * kernel["share"]) + " %",
           *((three_digits(100 * study["kernel"]["share_of_bound"]) + " %", three_digits(study["kernel"]["calls"]))
             if study["kernel"] else ()),
           *(cost(study[which]["time_ns"], study["unit"]) for which in ("default", "best")),
           three_digits(study["speedup"]) + "x", str(study["evaluations"]), str(study["failed"]))
for study in facts["studies"]:
    for step in study["incumbents"]:
        expect(str(step["evaluation"]), str(step["trial"]), cost(step["time_ns"], study["unit"]))
    for share in study["importance"]["shares"] if study["importance"] else []:
        expect(" with ".join(share["parameters"]), three_digits(100 * max(0, share["share"])) + " %")
    for piece in study["slices"]:
        low, high = (choose(piece["points"], key=lambda p: p["time_ns"]) for choose in (min, max))
        expect(piece["parameter"], low["value"], cost(low["time_ns"], study["unit"]),
               high["value"], cost(high["time_ns"], study["unit"]))
    for failures in study["failures"]:
        for value in failures["values"] if failures["share"] >= 0.01 else []:
            if value["failed"]:
                expect(failures["parameter"], three_digits(100 * failures["share"]) + " %", value["value"], str(value["failed"]), str(value["trials"]))
    for status, count in study["statuses"].items():
        assert study["trials"]["status"].count(status) == count
        if status not in ("ok", "cancelled"):
            expect(status, str(count))
    for finalist in study["finalists"]:
        expect("plain" if finalist["trial"] is None else "trial %d" % finalist["trial"],
               cost(finalist["time_ns"], study["unit"]))
    for lack in study["lacks"] + facts["lacks"]:
        assert "lacks: " + lack in text, lack
if "page" in sys.argv:
    page = report("html")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1]
    assert json.loads(data) == facts
print("checked", checked, "rows")
