# SPDX-License-Identifier: Apache-2.0
"""What perf(1) records of processes: samples of what they do, or their system calls."""
import contextlib
import os
import re
import signal
import subprocess

from comparisons.machines import Refused

SAMPLES = ["-F", "999", "-e", "cpu-clock", "-g"]
# With buffers for what stunnel does while perf waits for a processor.
CALLS = ["-m", "8M", "-e", "raw_syscalls:sys_enter", "-e", "raw_syscalls:sys_exit"]


class Recording:
    """Records in the `with` statement, also what the processes' new threads and children do."""

    def __init__(self, path, processes, events):
        self.path = path
        orders, self.orders = os.pipe()
        self.answers, answers = os.pipe()
        self.process = subprocess.Popen(
            ["perf", "record", "-q", *events, "-D", "-1", "--control", f"fd:{orders},{answers}", "-o", path, "-p",
             ",".join(map(str, processes))],
            pass_fds=(orders, answers), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True)
        for end in (orders, answers):
            os.close(end)

    def __enter__(self):
        self.ask(b"enable\n")
        return self

    def __exit__(self, *_):
        try:
            self.ask(b"disable\n")
        finally:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()
            for end in (self.orders, self.answers):
                os.close(end)

    def ask(self, order):
        """Returns when perf has done it."""
        with contextlib.suppress(BrokenPipeError):
            os.write(self.orders, order)
        if not os.read(self.answers, 64).startswith(b"ack"):
            raise Refused(f"perf record: {self.process.communicate()[1].strip()[-300:]}")

    def text(self, fields):
        done = subprocess.run(
            ["perf", "script", "--no-inline", "-F", fields, "-i", self.path], capture_output=True, text=True,
            errors="replace")
        if done.returncode != 0:
            raise Refused(f"perf script: {done.stderr.strip()[-300:]}")
        if re.search(r"\blost \d+ (chunks|events)", done.stderr):
            raise Refused("perf lost events")
        return done.stdout

    def samples(self):
        """(process, [(function, file)]) of each sample, from the innermost function out."""
        return parsed_samples(self.text("pid,ip,sym,dso"))

    def calls(self):
        """(thread, process, whether it begins, number, first argument or result) of each system call, in order."""
        return parsed_calls(self.text("pid,tid,event,trace"))


FRAME = re.compile(r"\s*[0-9a-f]+ (.*) \((.*)\)")


def parsed_samples(text):
    for block in text.split("\n\n"):
        head, *lines = block.strip("\n").split("\n")
        frames = [match.groups() for match in map(FRAME.fullmatch, lines) if match]
        if frames:
            yield int(head), frames


BEGIN = re.compile(r"\s*(\d+)/(\d+)\s+raw_syscalls:sys_enter: NR (-?\d+) \(([0-9a-f]+),.*")
END = re.compile(r"\s*(\d+)/(\d+)\s+raw_syscalls:sys_exit: NR (-?\d+) = (-?\d+).*")


def parsed_calls(text):
    for line in text.splitlines():
        if match := BEGIN.match(line):
            yield int(match[2]), int(match[1]), True, int(match[3]), int(match[4], 16)
        elif match := END.match(line):
            yield int(match[2]), int(match[1]), False, int(match[3]), int(match[4])
