# Starts a program again and again, and kills it after a random while, until it
# ends by itself:
#
#   resume-after-kills.py PROGRAM ARGUMENT...

import random
import subprocess
import sys

random.seed(1)
limit = 0.02
kills = 0
while True:
    program = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
    try:
        code = program.wait(timeout=random.uniform(0, limit))
        break
    except subprocess.TimeoutExpired:
        program.kill()
        program.wait()
        kills += 1
        # Each time it has longer, so that it must come to its end.
        limit *= 1.2
print("killed", "several times" if kills > 1 else kills)
sys.exit(code)
