#!/usr/bin/env python3
# A worker that measures nothing: what it says of each candidate is in the JSON
# file that SCRIPTED_WORKER names, so that a test knows what will be measured.
#
#   {"plain": TIME, "trials": {"KNOBS": TIME}, "finals": {"KNOBS": TIME}}
#
# KNOBS are a configuration's values, joined by commas, or "plain"; a time is in
# nanoseconds, and a text instead of it is the status of a failure. Who has no
# entry under "finals" takes as long there as in its trial. Each request for a
# comparison is appended to SCRIPTED_WORKER.log, once for all of its rounds.

import json
import os
import re
import socket
import struct

here = os.path.dirname(os.path.abspath(__file__))
header = os.path.join(here, *[".."] * 3, "include", "baco", "Runtime",
                      "Messages.h")
version = int(re.search(r"protocolVersion = (\d+)", open(header).read())[1])
path = os.environ["SCRIPTED_WORKER"]
script = json.load(open(path))
tuner = socket.socket(fileno=3)


def send(kind, body):
    text = json.dumps({"kind": kind, "body": body}).encode()
    tuner.sendall(struct.pack("<I", len(text)) + text)


def take(size):
    data = b""
    while len(data) < size:
        more = tuner.recv(size - len(data))
        if not more:
            raise SystemExit(0)
        data += more
    return data


def receive():
    (size,) = struct.unpack("<I", take(4))
    message = json.loads(take(size))
    return message["kind"], message["body"]


def name_of(configuration):
    if configuration is None:
        return "plain"
    return ",".join(str(v) for v in json.loads(configuration).values())


def outcome(what):
    ok = not isinstance(what, str)
    return {"status": "ok" if ok else what, "time_ns": what if ok else None,
            "spread": 0.0, "num_samples": 3 if ok else 0, "compile_ns": 0.0,
            "run_ns": 1000.0, "message": "" if ok else "as the script says"}


def final_of(name):
    trials = dict(script["trials"], plain=script["plain"])
    return script.get("finals", {}).get(name, trials[name])


send("hello", {"version": version})
assert receive()[0] == "setup"
send("ready", {"signature": {"arguments": [], "reductionLength": 1,
                             "roundedTo": "f32", "hasJumps": False,
                             "takesAnyInteger": False},
               "plain": outcome(script["plain"]), "cpu": 0, "compileSlots": 1})
compared = None
while True:
    kind, body = receive()
    if kind == "submit":
        what = script["trials"][name_of(body["configuration"])]
        send("evaluated", {"trial": body["trial"], "outcome": outcome(what),
                           "conditions": []})
    elif kind == "compare":
        names = [name_of(c) for c in body["configurations"]]
        if names != compared:
            with open(path + ".log", "a") as log:
                print(*names, file=log)
        compared = names
        send("compared", {"candidates": [
            {"outcome": outcome(final_of(name)), "conditions": [],
             "slicesNs": [] if isinstance(final_of(name), str)
             else [[final_of(name)] * 3]} for name in names]})
