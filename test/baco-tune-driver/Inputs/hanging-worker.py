"""A worker that greets the tuner as the real one does, and then hangs.

Usage: hanging-worker.py WORKER
"""

import os
import socket
import subprocess
import sys
import time

WORKER_SOCKET = 3

print("started", file=sys.stderr, flush=True)
tuner = os.dup(WORKER_SOCKET)
ours, theirs = socket.socketpair()
os.dup2(theirs.fileno(), WORKER_SOCKET)
with subprocess.Popen(sys.argv[1:], pass_fds=[WORKER_SOCKET]) as worker:
    greeting = ours.recv(4096)
    worker.kill()
os.write(tuner, greeting)
time.sleep(1000)
