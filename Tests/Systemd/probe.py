"""Tries what the service must not be able to do; run in its sandbox, it writes down what came of it."""
import ctypes
import errno
import json
import mmap
import os
import pathlib
import socket

state = pathlib.Path(os.environ["STATE_DIRECTORY"])


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
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments) != 0:
        raise OSError(ctypes.get_errno(), name)


def set_user_bit():
    file = state / "probe"
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
    "write and execute": attempt(lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)),
    "user namespace": attempt(lambda: call("unshare", 0x10000000)),
    "mount": attempt(lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None)),
    "real time": attempt(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))),
    "set-user-ID": attempt(set_user_bit),
    "host name": attempt(lambda: socket.sethostname("probe")),
    "a program": attempt(lambda: os.posix_spawn("/bin/true", ["true"], {})),
    "state": attempt(lambda: (state / "probe.txt").write_text("here")),
    "etc": attempt(lambda: pathlib.Path("/etc/probe").write_text("")),
    "usr": attempt(lambda: pathlib.Path("/usr/probe").write_text("")),
    "var": attempt(lambda: pathlib.Path("/var/lib/probe").write_text("")),
    "run": attempt(lambda: pathlib.Path("/run/probe").write_text("")),
    "home": attempt(lambda: os.listdir("/home")),
    "processes of others": attempt(lambda: os.stat("/proc/1")),
    "kernel": attempt(lambda: os.stat("/proc/kallsyms")),
    "disk": attempt(lambda: os.stat("/dev/kmsg")),
}
(state / "probe.json").write_text(json.dumps(results))
