# Sends Ctrl-C to a program that reads its standard input, and tells how it
# ended:
#
#   interrupt-stdin.py PROGRAM ARGUMENT...

import array
import fcntl
import signal
import subprocess
import sys
import termios

# If the program doesn't end.
signal.alarm(60)
# lit ignores Ctrl-C, and what is ignored stays so in the programs it runs.
signal.signal(signal.SIGINT, signal.SIG_DFL)
program = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
program.stdin.write(b"func.func")
program.stdin.flush()
# Once it has taken this, it waits for more.
unread = array.array("i", [1])
while unread[0]:
    fcntl.ioctl(program.stdin, termios.FIONREAD, unread)
program.send_signal(signal.SIGINT)
print("exit code", program.wait())
