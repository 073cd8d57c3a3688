"""Terminals of a booted machine for who is outside of it: `terminals.py serve SOCKET` until `terminals.py end SOCKET`.

A connection's first line is a user's name. The rest is what is typed in a terminal where that user has logged in, and what is
shown there.
"""
import os
import pty
import select
import socket
import sys
import threading

LENGTH = 65536


def relay(connection):
    user = connection.makefile("r", buffering=1).readline().strip()
    child, terminal = pty.fork()
    if child == 0:
        # No colours, and nothing that moves a cursor.
        os.execvpe("login", ["login", "-f", user], {"TERM": "dumb", "PATH": os.environ["PATH"]})
    with connection:
        while True:
            readable, _, _ = select.select([connection, terminal], [], [])
            try:
                if connection in readable:
                    typed = connection.recv(LENGTH)
                    if not typed:
                        break
                    os.write(terminal, typed)
                if terminal in readable:
                    connection.sendall(os.read(terminal, LENGTH))
            except OSError:
                break
    # A terminal that is closed hangs its user up.
    os.close(terminal)
    os.waitpid(child, 0)


def serve(path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        while True:
            connection, _ = listener.accept()
            if connection.recv(1, socket.MSG_PEEK) in (b"\n", b""):
                return
            threading.Thread(target=relay, args=[connection], daemon=True).start()


def end(path):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(b"\n")


if __name__ == "__main__":
    {"serve": serve, "end": end}[sys.argv[1]](sys.argv[2])
