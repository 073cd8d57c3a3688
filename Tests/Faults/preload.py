# SPDX-License-Identifier: Apache-2.0
"""faults.c, seen from the tests: what of a daemon's calls is to fail, and what its clock shows."""
import ctypes
import errno
import mmap
import os
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).with_name("faults.c")
# As faults.c has them.
KINDS = ("change", "open", "read", "write", "fsync", "rename", "unlink", "mkdir", "access", "accept", "allocate")
ACTIONS = ("nothing", "fail", "fail on", "kill before", "kill after", "short")


class Control(ctypes.Structure):
    _fields_ = [
        ("clock", ctypes.c_int64),
        ("counts", ctypes.c_int64 * len(KINDS)),
        ("at", ctypes.c_int64),
        ("kind", ctypes.c_int32),
        ("action", ctypes.c_int32),
        ("error", ctypes.c_int32),
        ("fired", ctypes.c_int32),
    ]


def build(directory):
    """Compiles faults.c; returns the library's path."""
    library = pathlib.Path(directory) / "faults.so"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "-o", library, SOURCE, "-ldl"], check=True)
    return library


class Fault:
    """What is to become of the nth call of a kind. `fail on`: and of all that follow."""

    def __init__(self, kind, number, action, error="EIO"):
        self.kind, self.number, self.action, self.error = kind, number, action, error

    def __str__(self):
        error = f" with {self.error}" if "fail" in self.action else ""
        return f"{self.action} at {self.kind} {self.number}{error}"

    @property
    def kills(self):
        return "kill" in self.action


class Faults:
    """The faults of one daemon, which can be changed while it runs."""

    def __init__(self, path, library, directory):
        self.path, self.library, self.directory = path, library, directory
        path.write_bytes(bytes(ctypes.sizeof(Control)))
        with open(path, "r+b") as file:
            self.control = Control.from_buffer(mmap.mmap(file.fileno(), 0))

    @property
    def prefix(self):
        """A command that runs another with them."""
        return [
            "env", f"FAULTS_CONTROL={self.path}", f"FAULTS_DIRECTORY={os.path.realpath(self.directory)}",
            f"LD_PRELOAD={self.library}",
        ]

    def arm(self, fault):
        """Counts anew from here; None only counts."""
        self.control.action = 0
        self.control.counts[:] = [0] * len(KINDS)
        self.control.fired = 0
        if fault:
            self.control.kind = KINDS.index(fault.kind)
            self.control.at = fault.number
            self.control.error = getattr(errno, fault.error)
            self.control.action = ACTIONS.index(fault.action)

    def disarm(self):
        self.control.action = 0

    @property
    def has_fired(self):
        return self.control.fired > 0

    def count(self, kind):
        """The calls since arm()."""
        return self.control.counts[KINDS.index(kind)]

    def set_clock(self, seconds):
        """Lets the wall clock be ahead, from now on."""
        self.control.clock = int(seconds)
