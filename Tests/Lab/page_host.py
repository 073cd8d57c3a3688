#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page_host.py URL TITLE: offers a page through `baton browser-host` until it's ended, as a browser does."""
import json
import struct
import subprocess
import sys

host = subprocess.Popen(["baton", "browser-host"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def tell(**message):
    data = json.dumps(message).encode()
    host.stdin.write(struct.pack("=I", len(data)) + data)
    host.stdin.flush()


tell(type="hello", isTaken=False)
tell(type="page", page={"url": sys.argv[1], "title": sys.argv[2]}, isChosen=True)
while head := host.stdout.read(4):
    message = json.loads(host.stdout.read(*struct.unpack("=I", head)))
    print(message, flush=True)
    if message["type"] == "getState":
        tell(type="state", request=message["request"], url=sys.argv[1], state={})
