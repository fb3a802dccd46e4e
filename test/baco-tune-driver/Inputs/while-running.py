# Runs a program while another one is in the middle of its work: starts the first,
# waits for some text on its standard error, runs the second, and kills the first.
# Exits with the code of the second.
#
#   while-running.py TEXT FIRST ARGUMENT... -- SECOND ARGUMENT...

import signal
import subprocess
import sys

# If the first prints no such text.
signal.alarm(120)

split = sys.argv.index("--")
first = subprocess.Popen(sys.argv[2:split], stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True)
for line in first.stderr:
    if sys.argv[1] in line:
        break
else:
    sys.exit("the first program ended without the text")
code = subprocess.run(sys.argv[split + 1:]).returncode
first.kill()
first.wait()
sys.exit(code)
