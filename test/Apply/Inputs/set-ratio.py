"""set-ratio.py TIMES RATIO LOW HIGH: TIMES with that ratio over plain, and none
over the default, in each entry."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    times = json.load(file)
ratio, low, high = map(float, sys.argv[2:])
for entry in times["entries"]:
    for field in ("speedup", "speedup_interval"):
        entry.pop(field, None)
    entry["speedup_over_plain"] = ratio
    entry["speedup_over_plain_interval"] = [low, high]
print(json.dumps(times))
