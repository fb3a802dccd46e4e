"""Kills a tuner at 50 random instants: tune-kills.py BACO.

Each trial is run once, but for the one that is in flight when the tuner dies, and
the trials are those of a tuner that nobody kills. The run time of a candidate is
much shorter than a tuner lives, so that each life makes progress.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys

TRIALS, KILLS = 400, 50
random.seed(3)


def command(folder):
    return [sys.argv[1], "tune", "space.json", "--optimizer=random",
            "--run=echo {tile} {unroll} >> %s/ran; echo {tile}" % folder,
            "--budget=%d" % TRIALS, "--output-dir=" + folder, "--final-time=0"]


def trials(folder):
    with open(folder + "/space.trials.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


os.mkdir("killed")
os.mkdir("whole")
kills = 0
while kills < KILLS:
    tuner = subprocess.Popen(command("killed"), stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    try:
        assert tuner.wait(random.uniform(0.005, 0.03)) == 0
        # It has ended before: another study, so that there is more to kill.
        shutil.rmtree("killed")
        os.mkdir("killed")
    except subprocess.TimeoutExpired:
        tuner.send_signal(signal.SIGKILL)
        tuner.wait()
        kills += 1
subprocess.run(command("killed"), check=True, stdout=subprocess.DEVNULL,
               stderr=subprocess.DEVNULL)
subprocess.run(command("whole"), check=True, stdout=subprocess.DEVNULL,
               stderr=subprocess.DEVNULL)
found = trials("killed")
assert [trial["trial"] for trial in found] == list(range(TRIALS))
assert all(trial["status"] == "ok" for trial in found)
assert ([trial["configuration"] for trial in found]
        == [trial["configuration"] for trial in trials("whole")])
with open("killed/ran", encoding="utf-8") as file:
    ran = len(file.readlines())
assert TRIALS <= ran <= TRIALS + KILLS, ran
left = sorted(os.listdir("killed"))
assert left == ["ran", "space.baco.db", "space.best.json", "space.summary.json",
                "space.trials.jsonl"], left
