"""Counts the configurations of the examples' spaces by trying all, for some sizes, and
compares that with the tool's counts.

usage: count.py BACO FOLDER   with saxpy.json and xgemm-direct.json in the folder"""

import itertools
import json
import subprocess
import sys


def saxpy(n):
    return sum(n // wpt % ls == 0
               for wpt in range(1, n + 1) if n % wpt == 0
               for ls in range(1, n // wpt + 1))


def xgemm(n):
    count = 0
    for wgd, mc, nc, ma, nb, kwid in itertools.product(range(1, n + 1), repeat=6):
        items = mc * nc
        if wgd % kwid or items % ma or items % nb or items > 1024 or \
           wgd % (items // ma) or wgd % (items // nb):
            continue
        for vm, vn, pa, pb in itertools.product((1, 2, 4, 8), (1, 2, 4, 8), (0, 1),
                                                (0, 1)):
            count += (wgd % (mc * vm) == 0 and wgd % (nc * vn) == 0 and
                      wgd % (ma * vm) == 0 and wgd % (nb * vn) == 0 and
                      4 * wgd * (2 * wgd + pa + pb) <= 49152)
    return count


def check(name, n, change, counted):
    """Compares for the space after a change of its text."""
    with open("%s/%s.json" % (sys.argv[2], name), encoding="utf-8") as stream:
        space = json.loads(stream.read().replace(*change))
    for parameter in space["parameters"]:
        parameter.pop("default", None)
    with open("small.json", "w", encoding="utf-8") as stream:
        json.dump(space, stream)
    told = subprocess.run([sys.argv[1], "space", "count", "small.json"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    assert told.split()[:2] == ["feasible", str(counted)], (name, n, counted, told)
    print(name, n, counted)


for n in (1, 12, 97, 360, 1000, 1048576):
    check("saxpy", n, ("1048576", str(n)), saxpy(n))
for n in (1, 4, 8):
    check("xgemm-direct", n, ("[1, 1024]", "[1, %d]" % n), xgemm(n))
