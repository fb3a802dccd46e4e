# Succeeds if a program ends with an exit code:
#
#   exits.py CODE PROGRAM ARGUMENT...

import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
if code != int(sys.argv[1]):
    sys.exit("exit code %d instead of %s" % (code, sys.argv[1]))
