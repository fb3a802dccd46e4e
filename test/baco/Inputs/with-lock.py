"""with-lock.py FILE PROGRAM...: runs a program while this one holds the lock of
a file, as a tuner does that writes to a study."""

import fcntl
import os
import subprocess
import sys

with open(sys.argv[1], "w") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    file.write(str(os.getpid()))
    file.flush()
    sys.exit(subprocess.call(sys.argv[2:]))
