# Runs a program whose standard output nobody reads:
#
#   closed-output.py PROGRAM ARGUMENT...

import os
import subprocess
import sys

reader, writer = os.pipe()
os.close(reader)
sys.exit(subprocess.run(sys.argv[1:], stdout=writer).returncode)
