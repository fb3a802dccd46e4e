# Runs a program with a terminal of 40 columns as its standard error, and prints
# what it writes there, with names for the control characters:
#
#   terminal.py PROGRAM ARGUMENT...

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

ours, theirs = pty.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, 40, 0, 0))
environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
environment["TERM"] = "xterm"
program = subprocess.Popen(sys.argv[1:], stderr=theirs, env=environment)
os.close(theirs)
written = b""
while True:
    try:
        some = os.read(ours, 4096)
    except OSError:  # Linux says EIO at the end.
        break
    if not some:
        break
    written += some
text = written.decode()
print(text.replace("\r", "<CR>").replace("\x1b[K", "<ERASE>"))
print("exit code", program.wait())
