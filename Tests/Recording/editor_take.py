# SPDX-License-Identifier: Apache-2.0
"""A text in Vim on the laptop, and the same line with the same unsaved change in Emacs on the desktop."""
import time

from compose import check_same_rows, pair
from terminal_take import ADDED, LINE, TEXT, wait_for_offer
from terminals import CLONES, clone, enter, open_terminal, set_up, wait_for_title


def take(stage, machines, output, log):
    laptop, desktop = machines
    clone(machines)
    windows = {}
    for machine in machines:
        set_up(machine)
        machine.start_screen()
        windows[machine] = open_terminal(machine)
        machine.x("mousemove", 560, 440)
    enter(laptop, f"vim {CLONES['laptop']}/tides/harbour.py", 10)
    wait_for_title(laptop, windows[laptop], "harbour.py")
    laptop.type(f"{LINE - 1}Go{ADDED}", 10)
    laptop.press("Escape")
    wait_for_offer(desktop, "harbour.py")
    time.sleep(2)
    enter(desktop, "emacs -nw -f baton-continue", 10)
    # Emacs offers it in turn.
    wait_for_offer(laptop, "harbour.py")
    time.sleep(2)
    shots = [machine.photograph(stage.directory / f"editor-{machine.name}.png") for machine in machines]
    likeness, shift = check_same_rows(*shots, TEXT)
    log(f"Both editors show the same lines, {abs(shift)} pixels apart ({likeness:.2f})")
    pair(stage, *shots, output / f"editor{stage.theme.suffix}.png")
