"""Files are sent from a file manager's menu, and from the dialog that asks for the machine."""
import os
import time

from compose import single
from stage import HOME, HOSTS, Machine
from waiting import wait_until

SIZES = {"laptop": ((760, 600),)}
PLACE = (30, 20, 700, 530)
FILES = {
    "Holiday.txt": "A week by the sea.\n", "Harbour map.txt": "North pier, lighthouse, slip.\n", "Packing list.txt": "Oilskins\n", "Tide table.txt": "12 h 25 min\n",
}
# Below the name of the first file: the menu hides nothing of it.
FILE = (300, 215)


def take(stage, machines, output, log):
    laptop, desktop = machines
    suffix = stage.theme.suffix
    add_tablet(stage, laptop)
    for name, text in FILES.items():
        laptop.write(f"Documents/{name}", text)
    laptop.start_screen()
    variables = {"ADW_DEBUG_COLOR_SCHEME": "prefer-dark" if stage.theme.is_dark else "prefer-light", "GTK_THEME": ""}
    laptop.start("nautilus", f"file://{HOME}/Documents", **variables)
    window = laptop.window("nautilus")
    laptop.place(window, *PLACE)
    time.sleep(5)
    laptop.photograph(stage.directory / "folder.png")
    laptop.glide(*FILE)
    laptop.x("click", 3)
    time.sleep(1)
    laptop.photograph(stage.directory / "menu.png")
    for key in ("Up", "Up", "Right"):
        laptop.press(key)
        time.sleep(0.3)
    time.sleep(1)
    single(laptop.photograph(stage.directory / "machines.png"), output / f"send{suffix}.png")
    laptop.press("Escape")
    laptop.press("Escape")
    laptop.x("windowclose", window)
    laptop.start("/usr/lib/baton/send-files", "--", f"{HOME}/Documents/Holiday.txt", log="dialog")
    dialog = laptop.window("Send with Baton", by="name")
    time.sleep(1)
    single(laptop.photograph(stage.directory / "dialog.png"), output / f"send-dialog{suffix}.png")


def add_tablet(stage, laptop):
    """A third machine of the team, which is offline."""
    tablet = Machine(stage, "tablet", HOSTS[1])
    tablet.call("JoinTeam", code=laptop.call("InviteDevice")["code"])
    wait_until(lambda: laptop.call("GetStatus")["sessions"] == 2, "the tablet is connected")
    os.killpg(tablet.daemon.pid, 15)
    tablet.daemon.wait(30)
    wait_until(lambda: laptop.call("GetStatus")["sessions"] == 1, "the tablet is offline", 60)
