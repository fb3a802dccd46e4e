"""A client of the reference's protocol: client.py SERVER-COMMAND...

Prints what the server sends, and answers: the time is |tile - 8| + n, and
candidates whose order begins with 2 aren't feasible. The answers are recorded in
the file "answers".
"""

import re
import subprocess
import sys

server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True)
recorded = open("answers", "w")


def answer(line):
    print(line, file=recorded)
    print(line, file=server.stdin)


while True:
    line = server.stdout.readline()
    print(line, end="")
    if not line.startswith("Request "):
        break
    header = server.stdout.readline()
    print(header, end="")
    answer("tile,n,order,time,Valid")
    for _ in range(int(line.split()[1])):
        row = server.stdout.readline()
        print(row, end="")
        tile, n, order = re.split(r",(?![^(]*\))", row.strip())
        answer(f"{tile},{n},{order},{abs(int(tile) - 8) + int(n)},"
               f"{not order.startswith('(2')}")
    server.stdin.flush()
print("exit code", server.wait())
