# SPDX-License-Identifier: Apache-2.0
"""The machine that a test of a distribution runs on: its files, and what is installed."""
import os
import pathlib
import re
import stat
import subprocess

from machine import Machine
from waiting import wait_until

here = Machine()
run = here.run
ARCHIVE = pathlib.Path("/archive")
# Folders that change by themselves, or that belong to the test.
LEFT_OUT = ("/proc", "/sys", "/dev", "/run", "/lab", "/archive", "/root", "/tmp", "/var/tmp", "/var/log", "/var/cache", "/home",
            "/var/lib/systemd/timers", "/var/lib/systemd/catalog", "/usr/lib/baton-tests", "/usr/local/lib/baton-tests")
# What the accounts of users are in, which a system user is added to.
ACCOUNTS = re.compile(r"/etc/(passwd|group|shadow|gshadow|subuid|subgid)-?$|/etc/\.pwd\.lock$|/etc/\.updated$|/etc/ld\.so\.cache$")


def files():
    """Each path with its kind and contents: size and time of files, targets of links."""
    found = {}
    for folder, folders, names in os.walk("/"):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in LEFT_OUT]
        for name in [*folders, *names]:
            path = os.path.join(folder, name)
            status = os.lstat(path)
            if ACCOUNTS.match(path) or "/__pycache__" in path or stat.S_ISSOCK(status.st_mode):
                continue
            if stat.S_ISLNK(status.st_mode):
                found[path] = os.readlink(path)
            elif stat.S_ISDIR(status.st_mode):
                found[path] = "directory"
            else:
                found[path] = (status.st_size, status.st_mtime_ns)
    return found


def changes(before, after):
    """The paths that are new, gone or different."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def ask(*command, path="", **environment):
    """The status and the whole output of a command, with these folders before the usual ones."""
    variables = {**os.environ, **environment}
    if path:
        variables["PATH"] = f"{path}:{variables['PATH']}"
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=variables, timeout=120)
    return done.returncode, done.stdout + done.stderr


def log_in(user):
    """Starts a user's systemd, where the user may have no bus."""
    run("loginctl", "enable-linger", user)
    manager = pathlib.Path(here.runtime(user), "systemd/private")
    wait_until(manager.exists, f"the systemd of {user} runs")


def is_active(unit="batond"):
    return here.ask("systemctl", "is-active", unit)[0] == 0


def program(folder, name, text):
    """A program that a command finds instead of the system's."""
    file = pathlib.Path(folder, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file.parent
