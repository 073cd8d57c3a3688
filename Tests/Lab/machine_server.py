# SPDX-License-Identifier: Apache-2.0
"""Serves a booted machine to programs outside of it: `machine_server.py serve SOCKET`, until `machine_server.py end SOCKET`.

The first line of a connection is JSON. If it is a list of a command and its input, the command is run as root, and the answer is
its status, output and errors. If it is a user's name, the rest is what is typed and shown in a terminal where that user has
logged in. If it is null, the server ends.
"""
import json
import os
import pty
import select
import socket
import subprocess
import sys
import threading
import time

from machine import execute

LENGTH = 65536


def answer(connection, command, text):
    try:
        done = execute(command, text)
    except (OSError, subprocess.TimeoutExpired) as error:
        done = (127, "", str(error))
    connection.sendall(json.dumps(done).encode() + b"\n")


def read(terminal, child):
    """Returns what the terminal shows. Debian 13's login closes its terminal and opens it again, so only login's end counts."""
    while True:
        try:
            return os.read(terminal, LENGTH)
        except OSError:
            if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                raise
            time.sleep(0.01)


def log_in(connection, user):
    child, terminal = pty.fork()
    if child == 0:
        # No colours, and nothing that moves a cursor.
        os.execvpe("login", ["login", "-f", user], {"TERM": "dumb", "PATH": os.environ["PATH"]})
    while True:
        readable, _, _ = select.select([connection, terminal], [], [])
        try:
            if connection in readable:
                typed = connection.recv(LENGTH)
                if not typed:
                    break
                os.write(terminal, typed)
            if terminal in readable:
                connection.sendall(read(terminal, child))
        except OSError:
            break
    # Closing the terminal hangs up its user.
    os.close(terminal)
    os.waitpid(child, 0)


def serve_one(connection, asked):
    with connection:
        if isinstance(asked, str):
            log_in(connection, asked)
        else:
            answer(connection, *asked)


def serve(path):
    with socket.socket(socket.AF_UNIX) as listener:
        # The socket gets its name only when clients can connect.
        listener.bind(f"{path}.new")
        listener.listen()
        os.rename(f"{path}.new", path)
        while True:
            connection, _ = listener.accept()
            asked = json.loads(connection.makefile("r").readline() or "null")
            if not asked:
                return
            threading.Thread(target=serve_one, args=[connection, asked], daemon=True).start()


def end(path):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(b"null\n")


if __name__ == "__main__":
    {"serve": serve, "end": end}[sys.argv[1]](sys.argv[2])
