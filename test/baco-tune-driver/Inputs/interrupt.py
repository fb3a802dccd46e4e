# Runs a program until its standard error has a line with some text, sends it a
# signal, and tells how it ended:
#
#   interrupt.py SIGINT TEXT PROGRAM ARGUMENT...

import ctypes
import os
import signal
import subprocess
import sys

PR_SET_CHILD_SUBREAPER = 36
# Processes whose parent ends become children of this one.
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
# If the program neither prints the text nor ends, or if it leaves processes.
signal.alarm(120)

number = getattr(signal, sys.argv[1])
# lit ignores Ctrl-C, and what is ignored stays so in the programs it runs.
if number != signal.SIGKILL:
    signal.signal(number, signal.SIG_DFL)
program = subprocess.Popen(sys.argv[3:], stderr=subprocess.PIPE, text=True)
for line in program.stderr:
    sys.stderr.write(line)
    if sys.argv[2] in line:
        program.send_signal(number)
        break
sys.stderr.write(program.stderr.read())
print("exit code", program.wait())
# Those that are left were killed and are about to end, or this never ends.
try:
    while True:
        os.wait()
except ChildProcessError:
    print("left no process behind")
