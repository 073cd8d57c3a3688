# SPDX-License-Identifier: Apache-2.0
"""`baton` in a terminal of its own."""
import os
import pty
import select
import signal
import termios

from lab import PATIENCE, wait_until


class Terminal:
    """`baton` in a terminal of its own, whose user answers what it asks."""

    def __init__(self, case, daemon, *arguments, environment=None):
        self.shown = ""
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            # Whoever started the tests may have them ignored.
            for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            line = daemon.command_line(*arguments)
            os.execve(line[0], line, environment or daemon.environment)
        self.status = None
        case.addCleanup(self.end)

    def read(self, deadline=0):
        """Takes what is shown; False at its end."""
        if not select.select([self.descriptor], [], [], deadline)[0]:
            return True
        try:
            self.shown += os.read(self.descriptor, 4096).decode(errors="replace")
            return True
        except OSError:
            # Nobody has the other side any more.
            return False

    def wait_for(self, text):
        wait_until(lambda: self.read() and text in self.shown, f"{text!r} is shown")
        self.shown = self.shown.split(text, 1)[1]

    @property
    def echoes(self):
        return bool(termios.tcgetattr(self.descriptor)[3] & termios.ECHO)

    def answer(self, prompt, text, is_shown=False):
        self.wait_for(prompt)
        if not is_shown:
            self.assert_hidden()
        os.write(self.descriptor, f"{text}\n".encode())

    def press(self, keys):
        os.write(self.descriptor, keys.encode())

    def assert_hidden(self):
        if self.echoes:
            raise AssertionError("The terminal shows what is typed")

    def finish(self):
        """Returns the exit status, negative for a signal."""

        def has_ended():
            self.read()
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                self.status = os.waitstatus_to_exitcode(status)
            return process

        wait_until(has_ended, "the command has ended")
        # What it said last; the terminal's other side is closed with it.
        while self.read(PATIENCE) and select.select([self.descriptor], [], [], 0)[0]:
            pass
        return self.status

    def end(self):
        if self.status is None:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self.descriptor)
