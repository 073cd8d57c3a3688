# SPDX-License-Identifier: Apache-2.0
"""Commands in terminals: a directory that is continued, and what is copied."""
import time

from compose import pair
from terminal_take import wait_for_offer
from terminals import CLONES, clone, enter, open_terminal, set_up, wait_for_title
from waiting import wait_until

# Where the windows are, and how much of the screen is shown.
PLACE = (22, 18, 576, 268)
SCREEN = (620, 322, 0, 0)


def take(stage, machines, output, log):
    laptop, desktop = machines
    suffix = stage.theme.suffix
    clone(machines)
    for machine in machines:
        set_up(machine)
        machine.start_screen()
        machine.start_agent("--no-notifications")

    def open_both():
        windows = {machine: open_terminal(machine, PLACE) for machine in machines}
        for machine in machines:
            machine.x("mousemove", 560, 225)
        return windows

    def save(name):
        time.sleep(0.7)
        shots = [machine.photograph(stage.directory / f"{name}-{machine.name}.png") for machine in machines]
        pair(stage, *shots, output / f"{name}{suffix}.png", SCREEN)
        log(f"{name}{suffix}.png")

    windows = open_both()
    enter(laptop, "cd src/app/tides", 10)
    enter(laptop, "ls", 10)
    wait_for_offer(desktop, "tides")
    enter(desktop, "baton continue --latest", 10)
    wait_for_title(desktop, windows[desktop], f"~/{CLONES['desktop']}/tides")
    enter(desktop, "ls", 10)
    save("terminal")

    open_both()
    enter(laptop, "cat src/app/README.md | baton copy", 10)
    wait_until(lambda: [o for o in desktop.offers() if o["activityType"] == "io.baton.clipboard"], "what is copied is offered")
    enter(desktop, "baton paste --list", 10)
    time.sleep(1)
    enter(desktop, "baton paste", 10)
    time.sleep(1)
    save("clipboard")
