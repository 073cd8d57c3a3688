# SPDX-License-Identifier: Apache-2.0
"""Two machines with a desktop each, on which the installed programs run as they do at a person's."""
import contextlib
import glob
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Lab"))
from control_socket import Varlink  # noqa: E402
from waiting import Deadline, wait_until  # noqa: E402

HOSTS = os.environ.get("LAB_HOSTS", "").split()
# What the lab's own scripts need.
LAB = {name: value for name, value in os.environ.items() if name.startswith("LAB_")}
PERSON, USER = "ada", 1500
HOME = f"/home/{PERSON}"
# The size of a screen, so that two of them fit into a README without becoming unreadable.
WIDTH, HEIGHT = 620, 470
# A busy machine starts a browser in this time.
START_TIME = 120
# Runs a command on one machine: with its home, its runtime directories and its name.
ENTER = f"""#!/bin/sh
set -e
mount --bind "$1/home" {HOME}
mkdir -p /run/user/{USER} /run/baton
mount --bind "$1/run" /run/user/{USER}
mount --bind "$1/baton" /run/baton
hostname "$2"
user=$3
shift 3
cd {HOME}
if [ "$user" = root ]; then exec "$@"; fi
exec setpriv --reuid {USER} --regid {USER} --clear-groups "$@"
"""
XFWM4 = {
    "theme": "Arc", "title_font": "Inter Semi-Bold 10", "button_layout": "O|HMC", "use_compositing": False,
    "placement_mode": "center", "workspace_count": 1, "wrap_windows": False, "snap_to_border": False, "raise_on_click": True,
}


class Stage:
    """What both machines share: the installed programs, the authority of the web site, and the work directory."""

    def __init__(self, directory, theme):
        self.directory, self.theme = directory, theme
        self.processes = []
        directory.chmod(0o755)
        self.enter = directory / "enter"
        self.enter.write_text(ENTER)
        self.enter.chmod(0o755)

    def install(self, build):
        """Puts what the packages install over /usr and /etc. Only the lab around this process sees it."""
        root = self.directory / "root"
        subprocess.run(
            ["make", "-s", "-C", ROOT, "install", "install-webextension", "install-editors", "install-desktop", f"DESTDIR={root}",
             "PREFIX=/usr", f"RELEASE={build}"],
            check=True, stdin=subprocess.DEVNULL,
        )
        etc = root / "etc"
        (etc / "passwd").write_text(
            f"{pathlib.Path('/etc/passwd').read_text()}{PERSON}:x:{USER}:{USER}:Ada:{HOME}:/bin/bash\n"
        )
        (etc / "group").write_text(f"{pathlib.Path('/etc/group').read_text()}{PERSON}:x:{USER}:\n")
        (etc / "hosts").write_text("127.0.0.1 localhost laptop desktop\n")
        self.etc = etc

    def mount(self):
        """Call this when everything is in `etc`."""
        root = self.directory / "root"
        for name in ("usr", "etc"):
            subprocess.run(["mount", "-t", "overlay", "overlay", "-o", f"lowerdir={root / name}:/{name}", f"/{name}"], check=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/home"], check=True)
        pathlib.Path(HOME).mkdir()

    def spawn(self, command, log, **options):
        with open(self.directory / f"{log}.log", "ab") as output:
            process = subprocess.Popen(
                [str(word) for word in command],
                **{"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output, "start_new_session": True, **options},
            )
        self.processes.append(process)
        return process

    def end(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            for process in reversed(self.processes):
                if process.poll() is None:
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(process.pid, number)
            end = time.monotonic() + 3
            while time.monotonic() < end and any(process.poll() is None for process in self.processes):
                time.sleep(0.05)
        self.processes.clear()


class Machine:
    """One of them, with a screen, a window manager, and what its person uses."""

    def __init__(self, stage, name, host, size=(WIDTH, HEIGHT)):
        self.stage, self.name, self.host, self.theme, self.size = stage, name, host, stage.theme, size
        self.directory = stage.directory / name
        self.home, self.run = self.directory / "home", self.directory / "run"
        for directory in (self.home, self.run, self.directory / "baton", self.directory / "state"):
            directory.mkdir(parents=True)
        self.socket = self.directory / "baton/baton.sock"
        self.environment = {
            "HOME": HOME, "USER": PERSON, "LOGNAME": PERSON, "SHELL": "/bin/bash", "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": f"/run/user/{USER}", "DBUS_SESSION_BUS_ADDRESS": f"unix:path=/run/user/{USER}/bus",
            "XDG_CURRENT_DESKTOP": "XFCE", "XDG_SESSION_TYPE": "x11", "XCURSOR_THEME": "DMZ-White", "XCURSOR_SIZE": "28", "GTK_THEME": self.theme.gtk,
            "GIO_USE_VFS": "local", "GSETTINGS_BACKEND": "keyfile", "MOZ_CRASHREPORTER_DISABLE": "1", "LIBGL_ALWAYS_SOFTWARE": "1",
            "GSK_RENDERER": "cairo", "QT_QPA_PLATFORM": "xcb",
        }
        self.settings()
        self.start_daemon()

    # ------------------------------------------------------------------------------------------------ Files

    def write(self, path, text):
        """Writes a file of the person."""
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        self.own()
        return file

    def own(self):
        for path in (self.home, self.run, *self.home.rglob("*")):
            os.chown(path, USER, USER, follow_symlinks=False)

    def settings(self):
        dark = int(self.theme.is_dark)
        self.write(".config/gtk-3.0/settings.ini", f"""[Settings]
gtk-icon-theme-name=elementary-xfce
gtk-font-name=Inter 10
gtk-cursor-theme-name=DMZ-White
gtk-application-prefer-dark-theme={dark}
gtk-enable-animations=1
""")
        self.write(".config/gtk-4.0/settings.ini", f"[Settings]\ngtk-application-prefer-dark-theme={dark}\ngtk-enable-animations=0\n")
        self.write(".config/glib-2.0/settings/keyfile", "[org/gnome/desktop/interface]\ncolor-scheme='" + ("prefer-dark" if dark else "default") + "'\n")
        self.channel("xfwm4", "general", {**XFWM4, "theme": self.theme.gtk})
        self.channel("xfce4-notifyd", None, {
            "theme": "Default", "notify-location": 2, "initial-opacity": 1.0, "do-fadeout": False, "expire-timeout": -1, "primary-monitor": 0,
        })
        self.run.chmod(0o700)
        self.own()

    def channel(self, name, group, values):
        """What xfconfd finds for one of Xfce's programs."""
        kinds = {bool: "bool", int: "int", float: "double", str: "string"}
        lines = "".join(
            f'<property name="{key}" type="{kinds[type(value)]}" value="{str(value).lower() if isinstance(value, bool) else value}"/>\n'
            for key, value in values.items()
        )
        if group:
            lines = f'<property name="{group}" type="empty">\n{lines}</property>\n'
        self.write(f".config/xfce4/xfconf/xfce-perchannel-xml/{name}.xml",
                   f'<?xml version="1.0" encoding="UTF-8"?>\n<channel name="{name}" version="1.0">\n{lines}</channel>\n')

    # ------------------------------------------------------------------------------------------------ Programs

    def command(self, *words, user=PERSON):
        return [os.environ["LAB_ON"], self.host, "unshare", "--uts", self.stage.enter, self.directory, self.name, user, *map(str, words)]

    def start(self, *words, log=None, user=PERSON, **variables):
        return self.stage.spawn(
            self.command(*words, user=user), f"{self.name}-{log or pathlib.Path(str(words[0])).name}",
            env={**LAB, **self.environment, **variables},
        )

    def ask(self, *words, check=True, **variables):
        """What a program of the person prints."""
        result = subprocess.run(
            list(map(str, self.command(*words))), env={**LAB, **self.environment, **variables}, capture_output=True, text=True, timeout=60,
            stdin=subprocess.DEVNULL,
        )
        if check and result.returncode != 0:
            raise Deadline(f"{self.name}: {' '.join(map(str, words))}: {result.stdout}{result.stderr}")
        return result.stdout.strip()

    def x(self, *words):
        """xdotool, which needs no network and no home."""
        result = subprocess.run(["xdotool", *map(str, words)], env={**self.environment, "PATH": os.environ["PATH"]}, capture_output=True, text=True, timeout=30)
        return result.stdout.strip()

    def start_daemon(self):
        self.daemon = self.start(
            "/usr/sbin/batond", "--name", self.name, "--state-directory", self.directory / "state", "--port", 0, user="root", log="batond",
        )
        wait_until(self.socket.exists, f"batond of the {self.name}")

    def call(self, method, **parameters):
        """Calls the daemon as the person, whom it knows by the user's number."""
        os.seteuid(USER)
        try:
            connection = Varlink(self.socket)
        finally:
            os.seteuid(0)
        with connection:
            return connection.call(method, **parameters)

    def offers(self):
        return self.call("ListOffers")["offers"]

    # ------------------------------------------------------------------------------------------------ The screen

    def start_screen(self):
        reading, writing = os.pipe()
        size = "x".join(map(str, (*self.size, 24)))
        self.stage.spawn(
            ["Xvfb", "-displayfd", writing, "-screen", "0", size, "-nolisten", "tcp", "-noreset", "-ac"], f"{self.name}-xvfb", pass_fds=[writing],
        )
        os.close(writing)
        with os.fdopen(reading) as lines:
            self.environment["DISPLAY"] = ":" + lines.readline().strip()
        self.start("dbus-daemon", "--session", f"--address={self.environment['DBUS_SESSION_BUS_ADDRESS']}", "--nofork", "--nopidfile")
        wait_until((self.run / "bus").exists, f"the bus of the {self.name}")
        self.start("xfwm4", "--compositor=off")
        wait_until(lambda: self.x("get_num_desktops"), f"the window manager of the {self.name}")
        # Draws shadows. Xfce's own compositor leaves black spots without a graphics card.
        self.start(
            "picom", "--backend", "xrender", "--config", "/dev/null", "--no-fading-openclose", "--shadow", "--shadow-radius", 14, "--shadow-opacity",
            0.4, "--shadow-offset-x", -14, "--shadow-offset-y", -10, "--shadow-exclude", "_GTK_FRAME_EXTENTS@:c",
            "--shadow-exclude", "override_redirect = true",
        )
        # Programs that start before it draw no shadows of their own.
        time.sleep(1.5)
        picture = self.home / ".background.png"
        subprocess.run(
            ["convert", "-size", "x".join(map(str, self.size)), f"gradient:{'-'.join(self.theme.sky)}", picture], check=True,
        )
        self.own()
        self.ask("feh", "--no-fehbg", "--bg-fill", f"{HOME}/{picture.name}")
        self.ask("xsetroot", "-cursor_name", "left_ptr")

    def start_agent(self, *options):
        """The notification server, and the agent."""
        server = glob.glob("/usr/lib/*/xfce4/notifyd/xfce4-notifyd")
        self.start(server[0], log="notifyd")
        wait_until(lambda: "org.freedesktop.Notifications" in self.names(), "the notification server")
        self.start("baton", "agent", *options, log="agent")

    def names(self):
        return self.ask("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.ListNames")

    def window(self, name, by="class"):
        """The window of a program, when it is shown."""
        return wait_until(lambda: self.x("search", "--onlyvisible", f"--{by}", name).split()[-1:], f"{name} on the {self.name}", START_TIME)[0]

    def title(self, window):
        return self.x("getwindowname", window)

    def rectangle(self, window):
        """Where a window is, without its frame: x, y, width, height."""
        lines = self.x("getwindowgeometry", "--shell", window).splitlines()
        values = dict(line.split("=") for line in lines if "=" in line)
        return tuple(int(values.get(key, 0)) for key in ("X", "Y", "WIDTH", "HEIGHT"))

    def place(self, window, x, y, width, height):
        """Moves a window, and changes its size. New windows do not obey at first, and terminals round the size down."""
        def is_placed():
            self.x("windowmove", window, x, y)
            self.x("windowsize", window, width, height)
            time.sleep(0.2)
            now = self.rectangle(window)
            return -24 < now[2] - width <= 0 and -24 < now[3] - height <= 0

        wait_until(is_placed, lambda: f"the size of a window of the {self.name}: {self.rectangle(window)} is not {width} x {height}")
        self.x("windowactivate", "--sync", window)

    def glide(self, x, y, seconds=0.6, steps=24):
        """Moves the pointer as a hand does: slow, fast, slow."""
        begin = [int(part.split(":")[1]) for part in self.x("getmouselocation").split()[:2]]
        start = time.monotonic()
        for step in range(1, steps + 1):
            part = step / steps
            part = part * part * (3 - 2 * part)
            self.x("mousemove", *(round(a + (b - a) * part) for a, b in zip(begin, (x, y))))
            time.sleep(max(0, start + seconds * step / steps - time.monotonic()))

    def type(self, text, delay=38):
        self.x("type", "--delay", delay, text)

    def press(self, *keys):
        self.x("key", *keys)

    def photograph(self, path):
        """A picture of the screen, with the pointer."""
        subprocess.run(
            ["ffmpeg", "-y", "-loglevel", "error", "-f", "x11grab", "-draw_mouse", "1", "-video_size", "x".join(map(str, self.size)),
             "-i", self.environment["DISPLAY"], "-frames:v", "1", path],
            check=True, timeout=60, stdin=subprocess.DEVNULL,
        )
        return path


def make_team(stage, machines):
    """Makes the first one's team, and lets the others join."""
    first, *others = machines
    first.call("CreateTeam", name="Home")
    for machine in others:
        machine.call("JoinTeam", code=first.call("InviteDevice")["code"])
    for machine in others:
        wait_until(lambda: machine.call("GetStatus")["sessions"] == len(others), "the machines are connected")


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
