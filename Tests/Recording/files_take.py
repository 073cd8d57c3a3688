# SPDX-License-Identifier: Apache-2.0
"""Files are sent from a file manager's menu, and from the dialog that asks for the machine."""
import os
import time

from compose import single
from stage import HOME, HOSTS, Machine
from waiting import wait_until

SIZES = {"laptop": ((760, 580),)}
FILES = {
    "Harbour map.txt": "North pier, lighthouse, slip\n", "Holiday.txt": "A week by the sea\n", "Packing list.txt": "Oilskins\n",
    "Tide table.txt": "12 h 25 min\n", "Weather.txt": "Wind from the west\n",
}
# Where the window is: its shadow is around it.
CORNER = (40, 50)
# A file of which the menu hides nothing, because it opens below.
FILE = (420, 182)
# Around the dialog.
DIALOG = (500, 320, 130, 130)
SETTINGS = """[org/gnome/nautilus/preferences]
default-folder-viewer='list-view'

[org/gnome/nautilus/list-view]
default-visible-columns=['name', 'size']

[org/gnome/nautilus/window-state]
initial-size=(680, 480)
"""


def take(stage, machines, output, log):
    laptop, desktop = machines
    suffix = stage.theme.suffix
    add_tablet(stage, laptop)
    for name, text in FILES.items():
        laptop.write(f"Documents/{name}", text)
    file = laptop.home / ".config/glib-2.0/settings/keyfile"
    file.write_text(f"{file.read_text()}\n{SETTINGS}")
    laptop.start_screen()
    # With a theme of GTK 3, GTK 4 has no colours for what is selected.
    scheme = f"prefer-{stage.theme.name}"
    laptop.start("env", "-u", "GTK_THEME", f"ADW_DEBUG_COLOR_SCHEME={scheme}", "nautilus", f"file://{HOME}/Documents", log="nautilus")
    laptop.window("nautilus")
    # Its plugin asks for the machines, and it has its final size.
    time.sleep(5)
    window, left, top = wait_until(lambda: folder(laptop), "the folder's window")
    laptop.x("windowmove", window, CORNER[0] - left, CORNER[1] - top)
    time.sleep(1)
    laptop.glide(*FILE)
    laptop.x("click", 3)
    time.sleep(1)
    menu = heights(laptop)
    # The last but one entry.
    for key in ("Up", "Up", "Right"):
        laptop.press(key)
        time.sleep(0.3)
    wait_until(lambda: heights(laptop) != menu, "the machines are shown")
    time.sleep(1)
    single(laptop.photograph(stage.directory / "machines.png"), output / f"send{suffix}.png")
    laptop.press("Escape")
    laptop.press("Escape")
    laptop.x("windowclose", window)
    laptop.x("mousemove", 560, 400)
    laptop.start("/usr/lib/baton/send-files", "--", f"{HOME}/Documents/Holiday.txt", log="dialog")
    dialog = laptop.window("Send with Baton", by="name")
    time.sleep(1)
    single(laptop.photograph(stage.directory / "dialog.png"), output / f"send-dialog{suffix}.png", DIALOG)


def folder(machine):
    """The window that draws its own shadow, and how much of it is on the left and at the top."""
    for window in machine.x("search", "--onlyvisible", "--class", "nautilus").split():
        words = machine.ask("xprop", "-id", window, "-notype", "_GTK_FRAME_EXTENTS").partition("=")[2].split(",")
        if len(words) == 4:
            return window, int(words[0]), int(words[2])
    return None


def heights(machine):
    """Those of the menus that are open."""
    return [machine.rectangle(window)[3] for window in machine.x("search", "--onlyvisible", "--maxdepth", 1, "--class", "nautilus").split()]


def add_tablet(stage, laptop):
    """A third machine of the team, which is offline."""
    tablet = Machine(stage, "tablet", HOSTS[1])
    tablet.call("JoinTeam", code=laptop.call("InviteDevice")["code"])
    wait_until(lambda: laptop.call("GetStatus")["sessions"] == 2, "the tablet is connected")
    os.killpg(tablet.daemon.pid, 15)
    tablet.daemon.wait(30)
    wait_until(lambda: laptop.call("GetStatus")["sessions"] == 1, "the tablet is offline", 60)
