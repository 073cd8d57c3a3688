# SPDX-License-Identifier: Apache-2.0
"""desktop_app.py REPORT [TYPE [ARGUMENT...]]: an app that `baton agent` starts.

It registers TYPE (nothing if that is `-`), as the app that $APPLICATION names, and continues what it is asked to. It writes to REPORT how it was started and each
activity that it got, as one JSON object per line. It runs until it is killed.
"""
import json
import os
import sys
import time

from control_socket import Varlink

report = open(sys.argv[1], "a", buffering=1)


def write(event, **members):
    print(json.dumps({"event": event, **members}), file=report)


write(
    "started",
    pid=os.getpid(),
    arguments=sys.argv[2:],
    environment=dict(os.environ),
    directory=os.getcwd(),
    input=os.readlink("/proc/self/fd/0"),
    # Without the report's descriptor, and that of the folder that is being listed.
    descriptors=sorted(
        number for number in map(int, os.listdir("/proc/self/fd"))
        if number != report.fileno() and os.path.exists(f"/proc/self/fd/{number}")
    ),
    session=os.getsid(0),
)
if len(sys.argv) < 3 or sys.argv[2] == "-":
    time.sleep(600)
socket = os.environ.get("BATON_SOCKET", "/run/baton/baton.sock")
name = {"application": os.environ["APPLICATION"]} if "APPLICATION" in os.environ else {}
registration = Varlink(socket, timeout=600).more("RegisterApplication", activityTypes=[sys.argv[2]], **name)
while True:
    event = registration.receive()
    if event["event"] == "continueRequested":
        with Varlink(socket) as connection:
            write("continued", activity=connection.call("Continue", id=event["id"])["activity"])
