"""tune-while-locked.py LIBRARY OTHER TUNER...: adds to LIBRARY by TUNER while
another process writes it: this one, which makes it OTHER."""

import fcntl
import os
import subprocess
import sys

library, other, *command = sys.argv[1:]
lock = library + ".lock"
with open(lock, "w") as held:
    fcntl.flock(held, fcntl.LOCK_EX)
    tuner = subprocess.Popen(command)
    try:
        # Long enough to tune; if it isn't, the tuner waits less.
        tuner.wait(timeout=4)
        sys.exit("the library was written while another process did so")
    except subprocess.TimeoutExpired:
        pass
    os.replace(other, library)
    os.unlink(lock)
sys.exit(tuner.wait())
