"""Clients of `baco serve` at a Unix socket: serve-clients.py SERVER-COMMAND...

Prints the best configuration that two clients find in turns, while the service
is killed and started again.
"""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time

SOCKET = "service"


class Client:
    def __init__(self):
        deadline = time.monotonic() + 60
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            try:
                self.socket.connect(SOCKET)
                break
            except OSError:
                # It is about to be made.
                self.socket.close()
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        self.lines = self.socket.makefile("rw")
        self.greeting = json.loads(self.lines.readline())

    def request(self, **members):
        print(json.dumps(members), file=self.lines, flush=True)
        return json.loads(self.lines.readline())


def cost(configuration):
    return abs(configuration["tile"] - 37) - 5


def start():
    return subprocess.Popen(sys.argv[1:] + ["--socket=" + SOCKET])


server = start()
clients = [Client(), Client()]
print("greeting", clients[0].greeting)
print("mode", oct(stat.S_IMODE(os.stat(SOCKET).st_mode)))

# Another service doesn't take the socket away.
print("second service:", subprocess.run(sys.argv[1:-1] + ["--socket=" + SOCKET],
                                        stderr=subprocess.DEVNULL).returncode)

asked = {}
for turn in range(20):
    client = clients[turn % 2]
    candidate = client.request(op="ask", id=turn)
    assert candidate["id"] == turn
    assert candidate["trial"] not in asked
    asked[candidate["trial"]] = candidate["configuration"]
    client.request(op="tell", trial=candidate["trial"],
                   result=cost(candidate["configuration"]))

# What a client took with it is given again, and so is what a killed service
# had given.
lost = clients[0].request(op="ask")
clients[0].lines.close()
clients[0].socket.close()
time.sleep(0.1)
again = clients[1].request(op="ask")
print("given again:", again == lost)
server.send_signal(signal.SIGKILL)
server.wait()
server = start()
client = Client()
print("trials", client.greeting["trials"])
after = client.request(op="ask")
print("given after a kill:", after["configuration"] == lost["configuration"])
client.request(op="tell", trial=after["trial"], failure="crashed")
while True:
    candidate = client.request(op="ask")
    if candidate["trial"] is None:
        break
    assert candidate["trial"] not in asked
    client.request(op="tell", trial=candidate["trial"],
                   result=cost(candidate["configuration"]))
print("reason", candidate["reason"])
print("best", client.request(op="quit"))
print("exit code", server.wait(), "left", sorted(os.listdir(".")))
