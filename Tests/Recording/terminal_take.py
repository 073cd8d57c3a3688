# SPDX-License-Identifier: Apache-2.0
"""A directory and a text go from the laptop to the desktop: the second moving picture."""
import time

from compose import Recording, check_same_rows, film
from terminals import CLONES, clone, enter, open_terminal, set_up, wait_for_title
from waiting import wait_until

# Inside both terminals: width, height, x, y.
TEXT = (480, 250, 60, 60)
LINE = 10
ADDED = "    # Wind and pressure shift it by minutes."


def wait_for_offer(machine, words):
    wait_until(lambda: [offer for offer in machine.offers() if words in (offer.get("title") or "")], f"“{words}” is offered to the {machine.name}")


def take(stage, machines, output, log):
    laptop, desktop = machines
    suffix = stage.theme.suffix
    clone(machines)
    windows = {}
    for machine in machines:
        set_up(machine)
        machine.start_screen()
        windows[machine] = open_terminal(machine)
        machine.x("mousemove", 560, 440)
    with Recording(machines, "terminal-editor") as recording:
        enter(laptop, "cd src/app/tides")
        time.sleep(0.5)
        enter(laptop, "ls")
        wait_for_offer(desktop, "tides")
        time.sleep(0.4)
        enter(desktop, "baton continue --latest", 28)
        wait_for_title(desktop, windows[desktop], f"~/{CLONES['desktop']}/tides")
        enter(desktop, "ls")
        time.sleep(1.2)
        enter(laptop, "vim harbour.py", 28)
        wait_for_title(laptop, windows[laptop], "harbour.py")
        time.sleep(0.4)
        laptop.type(f"{LINE - 1}Go", 60)
        laptop.type(ADDED, 22)
        laptop.press("Escape")
        wait_for_offer(desktop, "harbour.py")
        time.sleep(1)
        enter(desktop, "vim +BatonContinue", 28)
        wait_for_title(desktop, windows[desktop], f"harbour.py line {LINE}")
        time.sleep(3)
    shots = [machine.photograph(stage.directory / f"vim-{machine.name}.png") for machine in machines]
    likeness, shift = check_same_rows(*shots, TEXT)
    log(f"Both editors show the same lines, {abs(shift)} pixels apart ({likeness:.2f})")
    seconds = film(recording, output / f"terminal-editor{suffix}.gif", (8, 13))
    log(f"terminal-editor{suffix}.gif lasts {seconds:.1f} s")
