# SPDX-License-Identifier: Apache-2.0
"""Tries what a service must not be able to do; run in its sandbox, it prints what came of it, as JSON."""
import ctypes
import errno
import glob
import json
import mmap
import os
import pathlib
import re
import shutil
import socket
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
LOADER = glob.glob("/lib64/ld-linux-*.so.*") + glob.glob("/lib/ld-linux-*.so.*")
IO_URING_SETUP = 425
# Where anyone may write, or this service.
FOLDERS = ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/run/lock", "/var/lib", "/etc", "/usr", "/usr/lib", "/home", "/opt", "/srv"]
STATE = os.environ.get("STATE_DIRECTORY")


def attempt(action):
    """`done`, or the name of the error."""
    try:
        action()
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    return "done"


def family(number, kind=socket.SOCK_STREAM):
    return attempt(lambda: socket.socket(number, kind).close())


def call(name, *arguments):
    if getattr(LIBC, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


def run(*words):
    process = os.posix_spawn(words[0], words, {})
    if os.waitpid(process, 0)[1] != 0:
        raise OSError(errno.ENOEXEC, words[0])


def bring(path):
    """Brings a program along."""
    shutil.copy("/bin/true", path)
    os.chmod(path, 0o700)


def bring_to_memory():
    file = os.memfd_create("program", 0)
    os.write(file, pathlib.Path("/bin/true").read_bytes())
    return f"/proc/self/fd/{file}"


def set_user_bit():
    file = pathlib.Path(STATE or "/tmp", "probe")
    file.touch()
    file.chmod(0o4755)


results = {
    "unix": family(socket.AF_UNIX),
    "inet": family(socket.AF_INET),
    "inet6": family(socket.AF_INET6),
    "netlink": family(socket.AF_NETLINK, socket.SOCK_RAW),
    "packet": family(socket.AF_PACKET, socket.SOCK_RAW),
    "vsock": family(socket.AF_VSOCK),
    "alg": family(socket.AF_ALG, socket.SOCK_SEQPACKET),
    "io_uring": attempt(lambda: call("syscall", IO_URING_SETUP, 1, ctypes.create_string_buffer(120))),
    "write and execute": attempt(lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)),
    "user namespace": attempt(lambda: call("unshare", 0x10000000)),
    "mount": attempt(lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None)),
    "real time": attempt(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))),
    "set-user-ID": attempt(set_user_bit),
    "host name": attempt(lambda: socket.sethostname("probe")),
    "run /bin/true": attempt(lambda: run("/bin/true")),
    "run from memory": attempt(lambda: run(bring_to_memory())),
    "run from memory by the loader": attempt(lambda: run(LOADER[0], bring_to_memory())),
    "run the loader": attempt(lambda: run(LOADER[0], "--version")),
    "run /bin/true by the loader": attempt(lambda: run(LOADER[0], "/bin/true")),
    "home": attempt(lambda: os.listdir("/home")),
    "processes of others": attempt(lambda: os.stat("/proc/1")),
    "kernel": attempt(lambda: os.stat("/proc/kallsyms")),
    "disk": attempt(lambda: os.stat("/dev/kmsg")),
}
for folder in [*FOLDERS, *([STATE] if STATE else [])]:
    name, path = "state" if folder == STATE else folder, f"{folder}/probe.program"
    results[f"write {name}"] = attempt(lambda: bring(path))
    results[f"run from {name}"] = attempt(lambda: run(path))
    results[f"run from {name} by the loader"] = attempt(lambda: run(LOADER[0], path))
for name in ("probe", "probe.program"):
    attempt(lambda: os.unlink(f"{STATE or '/tmp'}/{name}"))
filters = int(re.search(r"Seccomp_filters:\s*(\d+)", pathlib.Path("/proc/self/status").read_text())[1])
print(json.dumps({"token": sys.argv[1], "filters": filters, "results": results}), flush=True)
