# SPDX-License-Identifier: Apache-2.0
"""A person at the terminal of a machine that runs machine_server.py."""
import json
import re
import socket
import time

# In seconds. It is long, because commands do work on both machines.
PATIENCE = 60


class Terminal:
    """A terminal where a user has logged in."""

    def __init__(self, path, user):
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(str(path))
        self.shown = ""
        self.type(json.dumps(user))
        self.expect(r"\$ \Z")
        # Each prompt shows the last command's status, and typed text is not echoed.
        self.type("stty -echo; PS1= PS2= PROMPT_COMMAND='printf \"<status %s>\\n\" $?'")
        self.expect(r"<status 0>\r\n")

    def type(self, line):
        self.press(f"{line}\n")

    def press(self, keys):
        self.connection.sendall(keys.encode())

    def expect(self, pattern, deadline=PATIENCE):
        """Waits until this text is shown, and returns what was shown before it."""
        end = time.monotonic() + deadline
        while not (match := re.search(pattern, self.shown, re.M)):
            self.connection.settimeout(max(0.01, end - time.monotonic()))
            try:
                data = self.connection.recv(65536)
            except TimeoutError:
                data = b""
            if not data:
                raise AssertionError(f"{pattern} was not shown within {deadline} s, but\n{self.shown[-4000:]}")
            self.shown += data.decode(errors="replace")
        before, self.shown = self.shown[:match.start()], self.shown[match.end():]
        return before.replace("\r", "")

    def finish(self, deadline=PATIENCE):
        """Returns what the command showed, and its exit status."""
        shown = self.expect(r"(?=<status \d+>\r\n)", deadline)
        self.expect(r"<status ")
        return shown, int(self.expect(r">\r\n"))

    def ask(self, command, deadline=PATIENCE):
        self.type(command)
        return self.finish(deadline)

    def run(self, command, deadline=PATIENCE):
        """Returns what a command shows, which must succeed."""
        shown, status = self.ask(command, deadline)
        if status != 0:
            raise AssertionError(f"{command}: {status}\n{shown}")
        return shown

    def close(self):
        self.connection.close()
