# SPDX-License-Identifier: Apache-2.0
"""What `baton doctor` prints where all is well."""
import contextlib
import pathlib
import time

from compose import single
from terminals import enter, open_terminal, set_up
from waiting import Deadline, wait_until

SIZES = {"desktop": ((860, 640),)}
PLACE = (24, 18, 812, 598)


def take(stage, machines, output, log):
    laptop, desktop = machines
    for machine in machines:
        set_up(machine)
    desktop.start_screen()
    desktop.start_agent()
    wait_until(lambda: "baton/search.sock" in " ".join(map(str, desktop.run.rglob("*.sock"))), "the agent of the desktop")
    open_terminal(desktop, PLACE)
    desktop.x("mousemove", 800, 560)
    enter(desktop, "baton doctor", 10)
    wait_until(is_running, "the doctor begins")
    wait_until(lambda: not is_running(), "the doctor ends")
    time.sleep(0.5)
    single(desktop.photograph(stage.directory / "doctor.png"), output / f"doctor{stage.theme.suffix}.png")
    # The picture of a healthy machine.
    result = desktop.ask("baton", "doctor")
    if not result.endswith("No problems found."):
        raise Deadline(f"baton doctor finds problems: {result}")


def is_running():
    """Whether a doctor runs in this lab, where all processes are ours."""
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if path.read_bytes().split(b"\0")[:2] == [b"baton", b"doctor"]:
                return True
    return False
