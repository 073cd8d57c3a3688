# SPDX-License-Identifier: Apache-2.0
"""Debian's file managers on a screen in memory, with Baton's menus, as a user who is not root."""
import json
import os
import pathlib
import subprocess

from lab import BUILD, PATIENCE, ROOT, wait_until
from pictures import PICTURES

# A busy machine starts a file manager in this time.
START_TIME = 60
BUS = """<busconfig>
  <type>session</type><listen>{address}</listen><servicedir>{services}</servicedir>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
  </policy>
</busconfig>"""

# Nemo and Thunar say where their lists have a file, but not where their icons are.
SETTINGS = {
    "glib-2.0/settings/keyfile": (
        "[org/nemo/preferences]\ndefault-folder-viewer='list-view'\n"
        "[org/gnome/nautilus/window-state]\ninitial-size=(760, 620)\n"
    ),
    "xfce4/xfconf/xfce-perchannel-xml/thunar.xml": """<?xml version="1.0" encoding="UTF-8"?>
<channel name="thunar" version="1.0"><property name="last-view" type="string" value="ThunarDetailsView"/></channel>
""",
    # Two clicks of a test are no double click, however fast it is.
    "gtk-4.0/settings.ini": "[Settings]\ngtk-enable-animations=0\ngtk-double-click-time=0\n",
    # Without a window manager, shadows are black.
    "gtk-4.0/gtk.css": "popover > contents { border-radius: 0; box-shadow: none; margin: 0; }",
}


class Desktop:
    """A user's session: a screen, a bus and a screen reader."""

    def __init__(self, case, machine, user, size=(900, 640)):
        self.case, self.machine, self.user = case, machine, user
        self.directory = case.directory / f"desktop-{machine.daemon.name}"
        self.runtime = self.directory / "run"
        self.programs = self.directory / "bin"
        self.home = machine.home
        for directory in (self.runtime, self.programs):
            directory.mkdir(parents=True)
        self.share = self.directory / "usr/share"
        subprocess.run(
            ["make", "-s", "-C", ROOT, "install-desktop", f"PREFIX={self.directory}/usr"], check=True, stdin=subprocess.DEVNULL,
        )
        (self.programs / "baton").symlink_to(BUILD / "baton")
        # Notes with what Baton's program is run, and when it has ended.
        self.calls = self.directory / "calls"
        self.calls.touch()
        self.calls.chmod(0o666)
        sender = self.directory / "usr/lib/baton/send-files"
        sender.rename(sender.with_name("real"))
        sender.write_text(
            f'#!/bin/sh\necho "begin $1" >>"{self.calls}"\n"{sender.with_name("real")}" "$@"\n'
            f'status=$?\necho "end $1" >>"{self.calls}"\nexit $status\n'
        )
        sender.chmod(0o755)
        # Nemo looks only here and in /usr/share, where the package installs its plugin. The other programs also look in `share`.
        (self.home / ".local/share").mkdir(parents=True)
        (self.home / ".local/share/nemo-python").symlink_to(self.share / "nemo-python")
        for name, text in SETTINGS.items():
            file = self.home / ".config" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        self.runtime.chmod(0o700)
        for path in (self.runtime, self.home, *self.home.rglob("*")):
            os.chown(path, user, user, follow_symlinks=False)
        self.log = self.directory / "log"
        case.logs.append(self.log)
        self.log.touch()
        address = f"unix:path={self.runtime}/bus"
        self.environment = {
            "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.runtime), "LANG": "C.UTF-8",
            "PATH": f"{self.programs}:/usr/bin:/bin",
            "XDG_DATA_DIRS": f"{self.share}:/usr/share",
            "DBUS_SESSION_BUS_ADDRESS": address, "BATON_SOCKET": str(machine.daemon.socket),
            "BATON_SEARCH_SOCKET": str(machine.socket), "GSETTINGS_BACKEND": "keyfile", "GIO_USE_VFS": "local", "GSK_RENDERER": "cairo",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_QPA_PLATFORM": "xcb",
        }
        reading, writing = os.pipe()
        try:
            self.start(
                "Xvfb", "-displayfd", writing, "-screen", "0", "x".join(map(str, (*size, 24))), "-nolisten", "tcp", "-noreset",
                pass_fds=[writing],
            )
        finally:
            os.close(writing)
        with os.fdopen(reading) as lines:
            self.environment["DISPLAY"] = ":" + lines.readline().strip()
        # The bus starts only these, and no index of the whole disk.
        services = self.directory / "services"
        services.mkdir()
        for name in ("org.a11y.Bus", "org.xfce.Xfconf"):
            (services / f"{name}.service").symlink_to(f"/usr/share/dbus-1/services/{name}.service")
        configuration = self.directory / "bus.conf"
        configuration.write_text(BUS.format(address=address, services=services))
        self.start("dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile")
        wait_until((self.runtime / "bus").exists, "the session bus")
        self.reader = self.start(
            "/usr/bin/python3", ROOT / "Tests/Lab/look_at_screen.py", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        # Starts the bus of accessibility, which some programs look for only when they start.
        self.shown()

    def command(self, *words):
        return [str(word) for word in ("setpriv", "--reuid", self.user, "--regid", self.user, "--clear-groups", *words)]

    def start(self, *words, stdin=subprocess.DEVNULL, **options):
        with open(self.log, "ab") as log:
            return self.case.spawn(
                self.command(*words), env=self.environment, stdin=stdin, stderr=log, **{"stdout": log, **options},
            )

    def run(self, *words):
        return subprocess.run(
            self.command(*words), env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=True,
        ).stdout

    def shown(self):
        """What is shown: role, name, description and rectangle of each thing."""
        self.reader.stdin.write("\n")
        self.reader.stdin.flush()
        return json.loads(self.reader.stdout.readline())

    def find(self, name, role="menu item", deadline=PATIENCE):
        """The rectangle of what is shown with this role, and with this in its name."""
        def found():
            return [place for kind, shown, _, place in self.shown() if kind == role and name in shown]

        return wait_until(found, f"{role} {name!r} is shown", deadline)[0]

    def names(self, role):
        """The names of what is shown with this role."""
        return [name for kind, name, _, _ in self.shown() if kind == role]

    def click(self, place, button=1):
        """Clicks into the middle of a rectangle."""
        x, y, width, height = place
        self.run("xdotool", "mousemove", str(x + width // 2), str(y + height // 2), "click", str(button))

    def press(self, *keys):
        self.run("xdotool", "key", *keys)

    def windows(self):
        """The windows of programs, and the menus that are open."""
        return set(self.run("xdotool", "search", "--onlyvisible", "--maxdepth", "1", "--class", ".*").split())

    def questions(self, event="begin"):
        """How often Baton's program was asked for the machines, or has ended then (`end`)."""
        return self.calls.read_text().splitlines().count(f"{event} --machines")

    def picture(self, name, place):
        """Saves what the screen shows there."""
        x, y, width, height = place
        PICTURES.mkdir(parents=True, exist_ok=True)
        file = self.runtime / "picture.png"
        self.run("import", "-window", "root", "-crop", f"{width}x{height}+{x}+{y}", "+repage", str(file))
        pathlib.Path(PICTURES / f"{name}.png").write_bytes(file.read_bytes())


class FileManager:
    """A file manager that shows a folder with one file."""

    # What screen readers call a file in it.
    cell = "table cell"

    def __init__(self, desktop, folder):
        self.desktop = desktop
        self.process = desktop.start(self.program, f"file://{folder}")

    def file(self, name):
        """Where the file's name or icon is. A click beside it would be one on the folder."""
        x, y, _, height = self.desktop.find(name, self.cell, START_TIME)
        return x, y, 40, height

    def open_menu(self, name):
        """The menu of the file."""
        place, self.windows = self.file(name), self.desktop.windows()
        self.desktop.click(place, 3)
        wait_until(lambda: self.desktop.windows() - self.windows, f"{self.program} shows a menu")

    def close_menu(self, levels=1):
        self.desktop.press(*["Escape"] * levels)
        wait_until(lambda: self.desktop.windows() <= self.windows, f"{self.program} closes its menu")

    def wait_until_asked(self, before=0):
        """Waits until the plugin knows the machines: it has asked for them after so many questions, and handled what came
        before what we ask it."""
        wait_until(lambda: self.desktop.questions("end") > before, f"{self.program} has asked for the machines", START_TIME)
        for _ in range(2):
            self.desktop.shown()


def below(place):
    """The name of an icon."""
    x, y, width, height = place
    return x, y + height - 24, width, 24


class Nautilus(FileManager):
    program = "nautilus"
    cell = "grid cell"

    def file(self, name):
        return below(self.desktop.find(name, self.cell, START_TIME))

    def open_machines(self, name):
        # GTK 4.8 does not tell screen readers what its menus contain. The menu is the last but one entry.
        self.open_menu(name)
        before = self.height()
        self.desktop.press("Up", "Up", "Right")
        wait_until(lambda: self.height() != before, "Nautilus shows the machines")

    def height(self):
        """That of the menu."""
        return [place[3] for role, _, _, place in self.desktop.shown() if role == "menu"]

    def choose(self, name, machine):
        """Sends to the machine of this number."""
        self.open_machines(name)
        self.desktop.press(*["Down"] * machine, "Return")


class Nemo(FileManager):
    program = "nemo"

    def open_machines(self, name):
        self.open_menu(name)
        self.desktop.click(self.desktop.find("Send with Baton", "menu"))


class Thunar(FileManager):
    program = "thunar"

    def choose(self, name):
        self.open_menu(name)
        self.desktop.click(self.desktop.find("Send To", "menu"))
        self.desktop.click(self.desktop.find("Send with Baton"))


class Dolphin(FileManager):
    program = "dolphin"
    cell = "cell"

    def file(self, name):
        return below(self.desktop.find(name, self.cell, START_TIME))

    def choose(self, name):
        # Screen readers learn nothing of this menu. The entry is the last but one.
        self.open_menu(name)
        self.desktop.press("Up", "Up", "Return")
