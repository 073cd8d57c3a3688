# SPDX-License-Identifier: Apache-2.0
"""Debian's Chromium and Firefox, each on a host of the lab and as a user who is not root: headless, or on a screen."""
import base64
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import urllib.parse

from lab import BUILD, PATIENCE, ROOT, on, wait_until
from websocket import BrowserError, WebSocket, unix

PICTURES = ROOT / ".build/everyday"
CHROMIUM_ID = "heeignhmlooejpneahjedncnncedefco"
FIREFOX_ID = "handoff@baton.io"
# Firefox makes a random one otherwise.
FIREFOX_UUID = "6a1de4f0-0000-4000-8000-000000000001"
HOST_NAME = "io.baton.browser"
# A busy machine starts a browser in this time.
START_TIME = 90


def install(directory, user):
    """What the package installs, in `directory`. Returns a program that runs the host, and notes what it hears."""
    subprocess.run(
        ["make", "-s", "-C", ROOT, "install-webextension", f"DESTDIR={directory}", "PREFIX=/usr"],
        check=True, stdin=subprocess.DEVNULL,
    )
    # The program that is tested is not installed.
    wrapper = directory / "browser-host"
    wrapper.write_text(
        # tee writes to its standard output first: what the host hears is in the file before.
        f'#!/bin/bash\necho "$$" >>"{directory}/hosts"\n'
        f'exec "{BUILD}/baton" browser-host < <(exec tee /dev/fd/3 3>&1 >>"{directory}/heard")\n'
    )
    wrapper.chmod(0o755)
    for name in ("hosts", "heard"):
        (directory / name).touch()
        (directory / name).chmod(0o666)
    return wrapper


class Browser:
    """A browser of one profile. `size` is that of its window. `screen`: the variables that name one; without, it is headless."""

    def __init__(self, case, host, daemon, user, size=(1000, 700), arguments=(), screen=None):
        self.screen = screen
        self.case, self.host, self.daemon, self.user, self.size = case, host, daemon, user, size
        self.arguments = arguments
        # What it gets besides, and its hosts get from it.
        self.variables = {}
        self.directory = case.directory / f"{self.name}-{daemon.name}-{len(case.logs)}"
        self.directory.mkdir()
        self.installed = self.directory / "root"
        self.installed.mkdir()
        self.wrapper = install(self.installed, user)
        self.log = self.directory / "log"
        case.logs.append(self.log)
        self.bridge = None
        self.process = None
        case.addCleanup(self.end)

    def manifest(self, source, target):
        """The file that names the program, for this profile."""
        manifest = json.loads((self.installed / source / f"{HOST_NAME}.json").read_text())
        manifest["path"] = str(self.wrapper)
        target.mkdir(parents=True)
        (target / f"{HOST_NAME}.json").write_text(json.dumps(manifest))

    def run(self, command, **environment):
        for path in [self.directory, *self.directory.rglob("*")]:
            os.chown(path, self.user, self.user, follow_symlinks=False)
        as_user = ["setpriv", "--reuid", str(self.user), "--regid", str(self.user), "--clear-groups"]
        variables = {
            **os.environ, "HOME": str(self.directory), "BATON_SOCKET": str(self.daemon.socket),
            "TMPDIR": str(self.directory), "XDG_RUNTIME_DIR": str(self.directory), "LANG": "C.UTF-8", **environment, **self.variables, **(self.screen or {}),
        }
        log = open(self.log, "ab")
        with log:
            self.process = subprocess.Popen(
                on(self.host, *as_user, *command), env=variables, cwd=self.directory, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True,
            )

    def reach(self, port):
        """Makes the browser's port, on the loopback of its host, a Unix socket."""
        path = self.directory / "control"
        self.bridge = subprocess.Popen(
            on(self.host, "socat", f"UNIX-LISTEN:{path},fork", f"TCP:127.0.0.1:{port}"), stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

        def is_there():
            with contextlib.suppress(OSError):
                unix(path)().close()
                return True

        wait_until(is_there, "the bridge to the browser")
        return unix(path)

    def hosts(self):
        """The processes of `baton browser-host` that run for this browser."""
        numbers = (self.installed / "hosts").read_text().split()
        return [int(number) for number in numbers if is_host(int(number))]

    def processes(self):
        """The processes of the browser itself."""
        def parent(stat):
            return int(stat.rsplit(")", 1)[1].split()[1])

        parents = {}
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                parents[int(path.parent.name)] = parent(path.read_text())
        found = [self.process.pid]
        for number in found:
            found += [child for child, its in parents.items() if its == number]
        return found

    def heard(self):
        """Everything that the extension has told its hosts (bytes)."""
        return (self.installed / "heard").read_bytes()

    def end(self):
        if self.bridge:
            self.bridge.kill()
            self.bridge.wait(PATIENCE)
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait(PATIENCE)

    def wait_for_host(self):
        return wait_until(lambda: self.hosts() or None, f"{self.name} has started its host", START_TIME)

    def picture(self, name, *context):
        PICTURES.mkdir(parents=True, exist_ok=True)
        (PICTURES / f"{name}.png").write_bytes(base64.b64decode(self.screenshot(*context)))

    def wait_for(self, context, expression, what=None, deadline=PATIENCE):
        """Waits until a page's expression is true, and returns it."""
        return wait_until(lambda: self.evaluate(context, expression), what or expression, deadline)

    def context_of(self, part, deadline=PATIENCE):
        """The tab whose address contains `part`, when it is there."""
        return wait_until(lambda: next((key for key, url in self.tabs().items() if part in url), None), f"a tab of {part}", deadline)

    def set_options(self, **options):
        """What a person sets in the options and with the toolbar button."""
        text = json.dumps(options)
        api = "(globalThis.browser ?? chrome)"
        self.in_extension(f"{api}.storage.local.set({text}).then(() => 1)")


def is_host(number):
    try:
        return b"browser-host" in pathlib.Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


def content(path):
    """What a file contains (bytes). Empty if it is gone: browsers delete files at any time."""
    with contextlib.suppress(FileNotFoundError):
        return path.read_bytes()
    return b""


def memory(number):
    """What a process has written into its memory (bytes). Empty if it has ended."""
    parts = []
    with contextlib.suppress(OSError), open(f"/proc/{number}/smaps") as maps, open(f"/proc/{number}/mem", "rb", 0) as memory:
        for line in maps:
            words = line.split()
            if "-" in words[0]:
                begin, end = (int(word, 16) for word in words[0].split("-"))
                is_writable = words[1].startswith("rw")
            elif words[0] == "Rss:" and words[1] != "0" and is_writable:
                with contextlib.suppress(OSError, OverflowError):
                    memory.seek(begin)
                    parts.append(memory.read(end - begin))
    return b"\0".join(parts)


class Chromium(Browser):
    name = "chromium"
    # What window managers call its windows.
    window_class = "hromium"
    base = f"chrome-extension://{CHROMIUM_ID}"

    def start(self, url="about:blank"):
        profile = self.directory / "profile"
        self.manifest("etc/chromium/native-messaging-hosts", profile / "NativeMessagingHosts")
        extension = self.installed / "usr/share/chromium/extensions/baton"
        self.run([
            "/usr/bin/chromium", *self.window(), "--no-sandbox", "--no-first-run", "--disable-gpu",
            "--remote-debugging-port=0", f"--user-data-dir={profile}", f"--load-extension={extension}",
            f"--window-size={self.size[0]},{self.size[1]}", "--disable-component-update", "--disable-background-networking",
            *self.arguments, url,
        ])
        ports = profile / "DevToolsActivePort"

        def port():
            lines = ports.read_text().split() if ports.exists() else []
            return lines if len(lines) == 2 else None

        number, path = wait_until(port, "Chromium listens", START_TIME)
        self.control = WebSocket(self.reach(number), f"ws://127.0.0.1:{number}{path}", PATIENCE)
        self.sessions = {}
        return self

    def window(self):
        if self.screen is None:
            return ["--headless=new"]
        return [f"--ozone-platform={'wayland' if 'WAYLAND_DISPLAY' in self.screen else 'x11'}", "--no-default-browser-check"]

    def targets(self):
        return self.control.command("Target.getTargets", {"filter": [{}]})["targetInfos"]

    def tabs(self):
        return {target["targetId"]: target["url"] for target in self.targets() if target["type"] == "page"}

    def session(self, target):
        if target not in self.sessions:
            parameters = {"targetId": target, "flatten": True}
            self.sessions[target] = self.control.command("Target.attachToTarget", parameters)["sessionId"]
        return self.sessions[target]

    def command(self, target, method, **parameters):
        try:
            return self.control.command(method, parameters, sessionId=self.session(target))
        except BrowserError as error:
            if "Session with given id not found" not in str(error):
                raise
            del self.sessions[target]
            return self.control.command(method, parameters, sessionId=self.session(target))

    def evaluate(self, target, expression, isApart=False):
        reply = self.command(
            target, "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True
        )
        if "exceptionDetails" in reply:
            details = reply["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return reply["result"].get("value")

    def open(self, url):
        """A new tab, which is shown."""
        target = self.control.command("Target.createTarget", {"url": url})["targetId"]
        self.wait_for(target, "location.href != 'about:blank' && document.readyState == 'complete'")
        return target

    def show(self, target):
        self.control.command("Target.activateTarget", {"targetId": target})

    def navigate(self, target, url):
        self.command(target, "Page.navigate", url=url)
        self.wait_for(target, f"document.readyState == 'complete' && location.href.startsWith({json.dumps(url.split('#')[0])})")

    def close(self, target):
        self.control.command("Target.closeTarget", {"targetId": target})
        wait_until(lambda: target not in self.tabs(), "the tab is closed")

    def screenshot(self, target):
        return self.command(target, "Page.captureScreenshot")["data"]

    def worker(self):
        """The service worker, started if it does not run."""
        def found():
            return next((t["targetId"] for t in self.targets() if t["type"] == "service_worker" and CHROMIUM_ID in t["url"]), None)

        return wait_until(found, "the service worker")

    def in_extension(self, expression):
        return self.evaluate(self.worker(), expression)

    def kill_worker(self):
        worker = self.worker()
        self.sessions.pop(worker, None)
        page = next(iter(self.tabs()))
        self.command(page, "ServiceWorker.enable")
        self.control.command("Target.closeTarget", {"targetId": worker})


class Firefox(Browser):
    name = "firefox"
    window_class = "irefox"
    base = f"moz-extension://{FIREFOX_UUID}"

    def start(self, url="about:blank"):
        profile = self.directory / "profile"
        profile.mkdir()
        uuids = json.dumps(json.dumps({FIREFOX_ID: FIREFOX_UUID}))
        preferences = [
            f'user_pref("extensions.webextensions.uuids", {uuids});',
            'user_pref("browser.shell.checkDefaultBrowser", false);',
            'user_pref("datareporting.policy.dataSubmissionEnabled", false);',
            'user_pref("browser.aboutwelcome.enabled", false);',
            # What only costs time here: processes for later, pictures in between, and what is written for a later start.
            'user_pref("dom.ipc.processPrelaunch.enabled", false);',
            'user_pref("layout.frame_rate", 10);',
            'user_pref("ui.prefersReducedMotion", 1);',
            'user_pref("browser.sessionstore.interval", 600000);',
            'user_pref("browser.newtab.preload", false);',
            'user_pref("places.history.enabled", false);',
            'user_pref("browser.cache.disk.enable", false);',
            'user_pref("extensions.openPopupWithoutUserGesture.enabled", true);',
        ]
        if self.screen:
            # Otherwise it takes itself for the program with the focus all the time.
            preferences.append('user_pref("remote.prefs.recommended", false);')
        (profile / "user.js").write_text("\n".join(preferences) + "\n")
        self.manifest("usr/lib/mozilla/native-messaging-hosts", self.directory / ".mozilla/native-messaging-hosts")
        self.run(
            [
                "firefox-esr", *(["--new-instance"] if self.screen else ["--headless", "--no-remote"]), "--profile", profile, "--remote-debugging-port", "0",
                "--remote-allow-system-access", "--width", self.size[0], "--height", self.size[1], *self.arguments, url,
            ],
            MOZ_HEADLESS_WIDTH=str(self.size[0]), MOZ_HEADLESS_HEIGHT=str(self.size[1]), MOZ_CRASHREPORTER_DISABLE="1",
        )

        def port():
            found = re.search(r"WebDriver BiDi listening on ws://127\.0\.0\.1:(\d+)", self.log.read_text(errors="replace"))
            return found and found[1]

        number = wait_until(port, "Firefox listens", START_TIME)
        self.control = WebSocket(self.reach(number), f"ws://127.0.0.1:{number}/session", PATIENCE)
        self.control.command("session.new", {"capabilities": {"alwaysMatch": {}}})
        tree = self.installed / "usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}" / FIREFOX_ID
        self.control.command("webExtension.install", {"extensionData": {"type": "path", "path": str(tree)}})
        return self

    def tabs(self):
        contexts = self.control.command("browsingContext.getTree", {"maxDepth": 0})["contexts"]
        return {context["context"]: context["url"] for context in contexts}

    def evaluate(self, context, expression, isApart=False, isActive=True):
        """`isApart`: where scripts of the page change nothing. `isActive`: as if the person had done it."""
        reply = self.control.command("script.evaluate", {
            "expression": f"(async () => JSON.stringify((await ({expression})) ?? null))()",
            "target": {"context": context, **({"sandbox": "test"} if isApart else {})}, "awaitPromise": True, "userActivation": isActive,
        })
        if reply["type"] == "exception":
            raise BrowserError(reply["exceptionDetails"]["text"])
        return json.loads(reply["result"]["value"])

    def open(self, url, isBackground=False):
        context = self.control.command("browsingContext.create", {"type": "tab", "background": isBackground})["context"]
        self.navigate(context, url)
        return context

    def show(self, context):
        self.control.command("browsingContext.activate", {"context": context})

    def navigate(self, context, url):
        self.control.command("browsingContext.navigate", {"context": context, "url": url, "wait": "complete"})

    def close(self, context):
        self.control.command("browsingContext.close", {"context": context})

    def screenshot(self, context):
        return self.control.command("browsingContext.captureScreenshot", {"context": context})["data"]

    def in_extension(self, expression):
        # In the background, because the toolbar button's page looks once at the tab that is shown.
        page = self.open(f"{self.base}/options.html", isBackground=True)
        try:
            return self.evaluate(page, expression)
        finally:
            self.close(page)
