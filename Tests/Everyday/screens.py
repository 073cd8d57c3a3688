"""Screens in memory with a window manager, on which windows of several programs have and lose the focus."""
import json
import os
import shutil
import subprocess

from browsers import START_TIME
from desktop import SessionBus
from lab import PATIENCE, wait_until


class X11Screen:
    """Xvfb with openbox."""

    tools = ("Xvfb", "openbox", "xdotool")

    def __init__(self, case, directory, user):
        reading, writing = os.pipe()
        with open(directory / "xvfb.log", "wb") as log:
            case.spawn(
                ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x900x24", "-nolisten", "tcp", "-noreset", "-ac"],
                pass_fds=[writing], stdin=subprocess.DEVNULL, stderr=log,
            )
        os.close(writing)
        with os.fdopen(reading, "rb") as lines:
            self.variables = {"DISPLAY": ":" + lines.readline().decode().strip()}
        case.spawn(["openbox"], env={**os.environ, **self.variables, "HOME": str(directory)}, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: self.tool("get_num_desktops") is not None, "the window manager")

    def tool(self, *words):
        result = subprocess.run(
            ["xdotool", *words], env={**os.environ, **self.variables}, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL
        )
        return result.stdout.split() if result.returncode == 0 else None

    def focus(self, browser):
        """Gives a browser's window the focus, as a click in the task bar does."""
        def windows():
            return self.tool("search", "--onlyvisible", "--class", browser.window_class)

        # A browser answers before it has a window.
        [*_, window] = wait_until(windows, f"the window of {browser.name}", START_TIME)
        self.tool("windowactivate", "--sync", window)

    def has_focus(self, browser):
        return (self.tool("getactivewindow") or ["none"])[0] in (self.tool("search", "--onlyvisible", "--class", browser.window_class) or [])

    def token(self):
        """What the desktop gives a program that is to come to the front."""
        return "baton_TIME0"

    def leave(self):
        """Goes to another workspace, where nothing is."""
        self.tool("set_num_desktops", "2")
        self.tool("set_desktop", "1")

    def back(self):
        self.tool("set_desktop", "0")


class WaylandScreen:
    """sway."""

    tools = ("sway", "swaymsg", "wtype")

    def __init__(self, case, directory, user):
        run = directory / "sway"
        run.mkdir(mode=0o700)
        configuration = run / "config"
        configuration.write_text("xwayland disable\n")
        for path in (run, configuration):
            os.chown(path, user, user)
        self.variables = {"XDG_RUNTIME_DIR": str(run)}
        self.environment = {
            **os.environ, **self.variables, "HOME": str(run), "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1",
        }
        with open(directory / "sway.log", "wb") as log:
            case.spawn(
                ["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups", "sway", "--config", configuration],
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )
        find = lambda pattern: [path for path in run.glob(pattern) if path.is_socket()]
        display = wait_until(lambda: find("wayland-*"), "the compositor's socket")[0]
        self.variables = {"WAYLAND_DISPLAY": str(display), "MOZ_ENABLE_WAYLAND": "1"}
        self.environment["SWAYSOCK"] = str(wait_until(lambda: find("sway-ipc.*"), "sway listens")[0])
        # Without a keyboard, no window has the focus. This one is there as long as it waits.
        keyboard = {**self.environment, **self.variables}
        case.spawn(["wtype", "-s", "3600000", "-k", "Shift_L"], env=keyboard, stdin=subprocess.DEVNULL)

    def tool(self, *words):
        return subprocess.run(
            ["swaymsg", *words], env=self.environment, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL
        ).stdout

    def windows(self):
        found = [json.loads(self.tool("-t", "get_tree"))]
        for node in found:
            found += node["nodes"] + node["floating_nodes"]
        return {node["app_id"]: node for node in found if node.get("app_id")}

    def focus(self, browser):
        name = wait_until(lambda: next((name for name in self.windows() if browser.window_class in name), None), f"the window of {browser.name}")
        self.tool(f'[app_id="{name}"] focus')
        wait_until(lambda: self.windows()[name]["focused"], "the window has the focus")

    def leave(self):
        self.tool("workspace 2")

    def back(self):
        self.tool("workspace 1")


class GnomeScreen:
    """GNOME Shell."""

    tools = ("gnome-shell", "gjs", "busctl")

    def __init__(self, case, directory, user):
        run = directory / "gnome"
        run.mkdir(mode=0o700)
        os.chown(run, user, user)
        self.user = user
        # No program of the system is asked, and none of the session is started.
        self.bus = SessionBus(case, "gnome-bus").start()
        self.environment = {
            **self.bus.environment, "DBUS_SYSTEM_BUS_ADDRESS": self.bus.address, "XDG_RUNTIME_DIR": str(run), "HOME": str(run),
            "XDG_CURRENT_DESKTOP": "GNOME", "XDG_SESSION_TYPE": "wayland", "GSETTINGS_BACKEND": "memory", "LIBGL_ALWAYS_SOFTWARE": "1",
        }
        log = directory / "gnome.log"
        case.logs.append(log)
        with open(log, "wb") as output:
            case.spawn(
                self.as_user("gnome-shell", "--headless", "--virtual-monitor", "1000x600", "--wayland", "--no-x11", "--unsafe-mode"),
                env=self.environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            )
        wait_until(lambda: self.evaluate("!Main.layoutManager._startingUp"), "GNOME Shell", 60)
        [display] = [path for path in run.glob("wayland-*") if path.is_socket()]
        self.variables = {
            "WAYLAND_DISPLAY": str(display), "MOZ_ENABLE_WAYLAND": "1", "DBUS_SESSION_BUS_ADDRESS": self.bus.address,
        }
        self.evaluate("Main.overview.hide()")
        with open(log, "ab") as output:
            case.spawn(
                self.as_user("gjs", "/usr/share/gnome-shell/org.gnome.Shell.Notifications"), env=self.environment,
                stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            )
        # Without a keyboard, programs do not hear of the focus.
        seat = "imports.gi.Clutter.get_default_backend().get_default_seat()"
        self.evaluate(f"globalThis.keyboard = {seat}.create_virtual_device(imports.gi.Clutter.InputDeviceType.KEYBOARD_DEVICE); 0")

    def as_user(self, *command):
        return ["setpriv", "--reuid", str(self.user), "--regid", str(self.user), "--clear-groups", *command]

    def evaluate(self, code):
        """The value of JavaScript in the shell. None also while it does not answer."""
        service = ["org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell", "Eval"]
        result = subprocess.run(
            self.as_user("busctl", f"--address={self.bus.address}", "--json=short", "call", *service, "s", code),
            env=self.environment, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL,
        )
        succeeded, value = json.loads(result.stdout)["data"] if result.returncode == 0 else (False, "")
        return json.loads(value or "null") if succeeded else None

    def of_window(self, browser, expression):
        """The value of an expression of a browser's window `w`."""
        windows = "global.get_window_actors().map((actor) => actor.meta_window)"
        chosen = f"{windows}.find((w) => w.get_wm_class()?.includes({json.dumps(browser.window_class)}))"
        return self.evaluate(f"((w) => w ? {expression} : null)({chosen})")

    def focus(self, browser):
        wait_until(lambda: self.of_window(browser, "(Main.activateWindow(w), w.has_focus())"), f"the window of {browser.name} has the focus")

    def has_focus(self, browser):
        return self.of_window(browser, "w.has_focus()")

    def click(self, title):
        """Clicks on a notification, if it is there."""
        notifications = "Main.messageTray.getSources().flatMap((source) => source.notifications)"
        self.evaluate(f"{notifications}.find((one) => one.title == {json.dumps(title)})?.activate()")

    def token(self):
        """What the desktop gives a program that is to come to the front."""
        context = "global.create_app_launch_context(global.display.get_current_time_roundtrip(), -1)"
        application = "imports.gi.Gio.DesktopAppInfo.new('firefox-esr.desktop')"
        return self.evaluate(f"{context}.get_startup_notify_id({application}, [])")
