"""Runs a command beside a folder of energy counters, as a machine with one socket has
them, that take 1 mJ more each ms, and soon wrap around.

usage: ticking.py FOLDER COMMAND..."""

import os
import subprocess
import sys
import time

folder = sys.argv[1]
zone = os.path.join(folder, "intel-rapl:0")
os.makedirs(zone)


def write(name, text):
    with open(os.path.join(folder, "next"), "w", encoding="utf-8") as stream:
        stream.write(text + "\n")
    os.rename(os.path.join(folder, "next"), os.path.join(zone, name))


LARGEST = 400_000
write("name", "package-0")
write("max_energy_range_uj", str(LARGEST))
write("energy_uj", "0")
command = subprocess.Popen(sys.argv[2:])
begin = time.monotonic()
while command.poll() is None:
    write("energy_uj", str(int((time.monotonic() - begin) * 1000) * 1000 % LARGEST))
    time.sleep(0.0005)
sys.exit(command.returncode)
