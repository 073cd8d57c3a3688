# SPDX-License-Identifier: Apache-2.0
"""Screens in memory with a window manager, on which windows of several programs have and lose the focus."""
import json
import os
import pathlib
import re
import shutil
import subprocess

from browsers import START_TIME
from desktop import SessionBus
from lab import PATIENCE, wait_until


def start_x(case, directory):
    """An X server. Returns the variables that name it."""
    reading, writing = os.pipe()
    with open(directory / "xvfb.log", "wb") as log:
        case.spawn(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x900x24", "-nolisten", "tcp", "-noreset", "-ac"],
            pass_fds=[writing], stdin=subprocess.DEVNULL, stderr=log,
        )
    os.close(writing)
    with os.fdopen(reading, "rb") as lines:
        return {"DISPLAY": ":" + lines.readline().decode().strip()}


class X11Screen:
    """Xvfb with openbox."""

    tools = ("Xvfb", "openbox", "xdotool")
    manager = ("openbox",)

    def __init__(self, case, directory, user):
        # With it, Firefox finds the one that runs.
        self.bus = SessionBus(case, "screen-bus", user).start()
        self.variables = {**start_x(case, directory), "DBUS_SESSION_BUS_ADDRESS": self.bus.address}
        self.minimized = {}
        environment = {**os.environ, **self.variables, "HOME": str(directory), "KWIN_COMPOSE": "N"}
        log = directory / "manager.log"
        case.logs.append(log)
        with open(log, "wb") as output:
            case.spawn(self.manager, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        wait_until(lambda: self.tool("get_num_desktops") is not None, "the window manager")

    def tool(self, *words):
        result = subprocess.run(
            ["xdotool", *words], env={**os.environ, **self.variables}, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL
        )
        return result.stdout.split() if result.returncode == 0 else None

    def focus(self, browser):
        """Gives a browser's window the focus, as a click in the task bar does."""
        # A browser answers before it has a window.
        window = self.minimized.pop(browser, None) or wait_until(lambda: self.windows(browser), f"the window of {browser.name}", START_TIME)[-1]
        self.tool("windowactivate", "--sync", window)
        # Window managers compare when the person used a window last.
        self.tool("key", "Shift_L")

    def windows(self, browser):
        return self.tool("search", "--onlyvisible", "--class", browser.window_class) or []

    def minimize(self, browser):
        self.minimized[browser] = self.windows(browser)[-1]
        self.tool("windowminimize", "--sync", self.minimized[browser])

    def has_focus(self, browser):
        return (self.tool("getactivewindow") or ["none"])[0] in self.windows(browser)

    def token(self):
        """What a notification server gives with a click. On X11, they give nothing."""

    def leave(self):
        """Goes to another workspace, where nothing is."""
        self.tool("set_num_desktops", "2")
        self.tool("set_desktop", "1")

    def back(self):
        self.tool("set_desktop", "0")


class XfceScreen(X11Screen):
    """Xvfb with Xfce's window manager, which finds its settings on a bus."""

    tools = ("Xvfb", "xfwm4", "xdotool", "dbus-run-session")
    manager = ("dbus-run-session", "--", "xfwm4")


class PlasmaX11Screen(X11Screen):
    """Xvfb with Plasma's window manager."""

    tools = ("Xvfb", "kwin_x11", "xdotool")
    manager = ("kwin_x11",)


class WaylandScreen:
    """What desktops on Wayland share. A subclass starts one."""

    def __init__(self, case, directory, user):
        self.case, self.user = case, user
        self.run = directory / "screen"
        self.run.mkdir(mode=0o700)
        os.chown(self.run, user, user)
        # No program of the system is asked, and none of the session is started.
        self.bus = SessionBus(case, "screen-bus", user).start()
        self.environment = {
            **self.bus.environment, "DBUS_SYSTEM_BUS_ADDRESS": self.bus.address, "XDG_RUNTIME_DIR": str(self.run), "HOME": str(self.run),
            "LIBGL_ALWAYS_SOFTWARE": "1",
        }
        self.log = directory / "screen.log"
        case.logs.append(self.log)

    def as_user(self, *command):
        return ["setpriv", "--reuid", str(self.user), "--regid", str(self.user), "--clear-groups", *command]

    def spawn(self, *command, **options):
        with open(self.log, "ab") as output:
            return self.case.spawn(
                self.as_user(*command), **{"env": self.environment, "stdin": subprocess.DEVNULL, "stdout": output, "stderr": output, **options}
            )

    def ask(self, *command):
        """What a program of the user prints. None if it fails."""
        result = subprocess.run(
            self.as_user(*command), env=self.environment, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL
        )
        return result.stdout if result.returncode == 0 else None

    def find(self, pattern):
        return wait_until(lambda: [path for path in self.run.glob(pattern) if path.is_socket()], pattern)[0]

    def is_there(self):
        """Call this when the compositor is."""
        self.variables = {
            "WAYLAND_DISPLAY": str(self.find("wayland-*")), "MOZ_ENABLE_WAYLAND": "1", "DBUS_SESSION_BUS_ADDRESS": self.bus.address,
        }

    def token(self):
        """What a notification server gives with a click. It gets that from the compositor, for a window that has the focus."""
        if not hasattr(self, "panel"):
            environment = {**self.environment, **self.variables, "GDK_BACKEND": "wayland"}
            self.panel = self.spawn("/usr/bin/python3", pathlib.Path(__file__).with_name("panel.py"), env=environment, stdout=subprocess.PIPE)
        self.focus(Panel)
        self.press()
        return self.panel.stdout.readline().decode().strip()


class Panel:
    name = window_class = "panel"


class SwayScreen(WaylandScreen):
    """sway."""

    tools = ("sway", "swaymsg", "wtype")

    def __init__(self, case, directory, user):
        super().__init__(case, directory, user)
        configuration = self.run / "config"
        configuration.write_text("xwayland disable\nfocus_on_window_activation focus\n")
        os.chown(configuration, user, user)
        self.environment.update(WLR_BACKENDS="headless", WLR_RENDERER="pixman", WLR_LIBINPUT_NO_DEVICES="1")
        self.spawn("sway", "--config", configuration)
        self.is_there()
        self.environment["SWAYSOCK"] = str(self.find("sway-ipc.*"))
        # Without a keyboard, no window has the focus. This one is there as long as it waits.
        self.spawn("wtype", "-s", "3600000", "-k", "Shift_L", env={**self.environment, **self.variables})

    def press(self):
        self.ask("env", f"WAYLAND_DISPLAY={self.variables['WAYLAND_DISPLAY']}", "wtype", "-k", "Shift_L")

    def windows(self):
        found = [json.loads(self.ask("swaymsg", "-t", "get_tree"))]
        for node in found:
            found += node["nodes"] + node["floating_nodes"]
        return {node["app_id"]: node for node in found if node.get("app_id")}

    def name(self, browser):
        return next((name for name in self.windows() if browser.window_class in name), None)

    def focus(self, browser):
        name = wait_until(lambda: self.name(browser), f"the window of {browser.name}", START_TIME)
        self.ask("swaymsg", f'[app_id="{name}"] focus')
        wait_until(lambda: self.has_focus(browser), f"the window of {browser.name} has the focus")

    def has_focus(self, browser):
        return self.windows()[self.name(browser)]["focused"]

    def minimize(self, browser):
        """What sway has for it."""
        self.ask("swaymsg", f'[app_id="{self.name(browser)}"] move scratchpad')

    def leave(self):
        self.ask("swaymsg", "workspace 2")

    def back(self):
        self.ask("swaymsg", "workspace 1")


class ScriptedScreen(WaylandScreen):
    """A desktop that runs scripts."""

    def call(self, *words):
        """What a program on the bus answers. None if it does not."""
        answer = self.ask("busctl", f"--address={self.bus.address}", "--json=short", "call", *words)
        return json.loads(answer)["data"] if answer else None

    def of_window(self, browser, expression):
        """The value of an expression of a browser's window `w`."""
        chosen = f"{self.all_windows}.find((w) => String(w.{self.class_name}).includes({json.dumps(browser.window_class)}))"
        return self.evaluate(f"((w) => w ? {expression} : null)({chosen})")

    def focus(self, browser):
        wait_until(lambda: self.of_window(browser, self.focusing), f"the window of {browser.name} has the focus", START_TIME)

    def has_focus(self, browser):
        return self.of_window(browser, self.focused)


class PlasmaScreen(ScriptedScreen):
    """KWin on Wayland, in a window of an X server: only there it has a keyboard."""

    tools = ("Xvfb", "kwin_wayland", "xdotool", "busctl")
    all_windows = "Object.values(workspace.clientList())"
    class_name = "resourceClass"
    focused = "workspace.activeClient == w"
    focusing = f"(w.minimized = false, workspace.activeClient = w, {focused})"

    def __init__(self, case, directory, user):
        super().__init__(case, directory, user)
        self.environment.update(start_x(case, directory), QT_LOGGING_RULES="kwin_scripting.debug=true;js.debug=true")
        self.count = 0
        # A copy has no capabilities, which a container may not give.
        program = shutil.copy(shutil.which("kwin_wayland"), self.run)
        self.spawn(program, "--x11-display", self.environment["DISPLAY"], "--width", "1300", "--height", "850", "--no-lockscreen")
        self.is_there()
        wait_until(lambda: self.evaluate("1"), "KWin")

    def evaluate(self, code):
        self.count += 1
        script = self.run / f"{self.count}.js"
        script.write_text(f"print('value-{self.count}:' + JSON.stringify({code}))")
        script.chmod(0o644)
        service, scripting = "org.kde.KWin", "org.kde.kwin.Scripting"
        number = self.call(service, "/Scripting", scripting, "loadScript", "ss", script, script.name)
        if number is None:
            return None
        self.call(service, f"/{number[0]}", "org.kde.kwin.Script", "run")
        found = wait_until(lambda: re.search(rf"value-{self.count}:(.*)\n", self.log.read_text(errors="replace")), script.read_text())
        self.call(service, "/Scripting", scripting, "unloadScript", "s", script.name)
        return json.loads(found[1])

    def press(self):
        # The mouse is above KWin's window.
        self.ask("xdotool", "key", "Shift_L")

    def minimize(self, browser):
        self.of_window(browser, "(w.minimized = true)")

    def leave(self):
        self.evaluate("(workspace.desktops = 2, workspace.currentDesktop = 2)")

    def back(self):
        self.evaluate("(workspace.currentDesktop = 1)")


class GnomeScreen(ScriptedScreen):
    """GNOME Shell."""

    tools = ("gnome-shell", "gjs", "busctl")
    all_windows = "global.get_window_actors().map((actor) => actor.meta_window)"
    class_name = "get_wm_class()"
    focused = "w.has_focus()"
    focusing = f"(Main.activateWindow(w), {focused})"

    def __init__(self, case, directory, user):
        super().__init__(case, directory, user)
        self.environment.update(XDG_CURRENT_DESKTOP="GNOME", XDG_SESSION_TYPE="wayland", GSETTINGS_BACKEND="memory")
        self.spawn("gnome-shell", "--headless", "--virtual-monitor", "1000x600", "--wayland", "--no-x11", "--unsafe-mode")
        wait_until(lambda: self.evaluate("!Main.layoutManager._startingUp"), "GNOME Shell", 60)
        self.is_there()
        self.evaluate("Main.overview.hide()")
        self.spawn("gjs", "/usr/share/gnome-shell/org.gnome.Shell.Notifications")
        # Without a keyboard, programs do not hear of the focus.
        seat = "imports.gi.Clutter.get_default_backend().get_default_seat()"
        self.evaluate(f"globalThis.keyboard = {seat}.create_virtual_device(imports.gi.Clutter.InputDeviceType.KEYBOARD_DEVICE); 0")

    def evaluate(self, code):
        """The value of JavaScript in the shell. None also while it does not answer."""
        succeeded, value = self.call("org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell", "Eval", "s", code) or (False, "")
        return json.loads(value or "null") if succeeded else None

    def minimize(self, browser):
        self.of_window(browser, "(w.minimize(), 1)")

    def go_to(self, workspace):
        self.evaluate(f"global.workspace_manager.get_workspace_by_index({workspace}).activate(global.get_current_time())")

    def leave(self):
        self.go_to(1)

    def back(self):
        self.go_to(0)

    def toggle_overview(self):
        self.evaluate("Main.overview.toggle()")
        wait_until(lambda: self.evaluate("!Main.overview.animationInProgress"), "the overview")

    def click(self, title):
        """Clicks on a notification, if it is there."""
        notifications = "Main.messageTray.getSources().flatMap((source) => source.notifications)"
        self.evaluate(f"{notifications}.find((one) => one.title == {json.dumps(title)})?.activate()")
