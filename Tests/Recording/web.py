# SPDX-License-Identifier: Apache-2.0
"""The site of the pictures, and browsers with the installed extension that no program controls remotely."""
import json
import pathlib
import subprocess

from atlas import NAME
from stage import HOME, write_json
from waiting import wait_until

CHROMIUM_ID = "heeignhmlooejpneahjedncnncedefco"
FIREFOX_ID = "handoff@baton.io"
HERE = pathlib.Path(__file__).resolve().parent
FIREFOX = {
    "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False, "browser.aboutwelcome.enabled": False,
    "browser.tabs.inTitlebar": 1, "browser.newtabpage.enabled": False, "browser.toolbars.bookmarks.visibility": "never",
    "trailhead.firstrun.didSeeAboutWelcome": True, "termsofuse.bypassNotification": True, "browser.preonboarding.enabled": False,
    "sidebar.revamp": False, "extensions.pocket.enabled": False, "general.smoothScroll": True, "browser.tabs.firefox-view": False,
    "identity.fxaccounts.enabled": False, "browser.translations.automaticallyPopup": False, "browser.download.useDownloadDir": True,
    "sidebar.main.tools": "", "sidebar.visibility": "hide-sidebar", "browser.tabs.tabmanager.enabled": False,
}


def prepare(stage):
    """The authority that certifies the site, and policies by which both browsers trust it and show Baton's button."""
    folder = stage.directory / "tls"
    folder.mkdir()

    def run(*words):
        subprocess.run(words, check=True, capture_output=True, cwd=folder, stdin=subprocess.DEVNULL)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    run("openssl", "req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "30", "-subj", "/CN=Authority of the pictures",
        "-addext", "basicConstraints=critical,CA:TRUE")
    run("openssl", "req", *key, "-keyout", "site.key", "-out", "site.csr", "-subj", f"/CN={NAME}")
    (folder / "names").write_text(f"subjectAltName=DNS:{NAME}\n")
    run("openssl", "x509", "-req", "-in", "site.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "site.pem", "-days", "30",
        "-extfile", "names")
    for file in folder.iterdir():
        file.chmod(0o644)
    with open(stage.etc / "hosts", "a") as hosts:
        hosts.write(f"127.0.0.1 {NAME}\n")
    write_json(stage.etc / "firefox/policies/policies.json", {"policies": {
        "Certificates": {"Install": [str(folder / "ca.pem")]}, "DontCheckDefaultBrowser": True, "OverrideFirstRunPage": "",
        "OverridePostUpdatePage": "", "DisableTelemetry": True, "NoDefaultBookmarks": True,
        "ExtensionSettings": {FIREFOX_ID: {"default_area": "navbar"}},
    }})
    write_json(stage.etc / "chromium/policies/managed/record.json", {
        "BrowserSignin": 0, "NewTabPageLocation": "about:blank", "BookmarkBarEnabled": False, "PromotionsEnabled": False,
        "ShowHomeButton": False, "DefaultSearchProviderEnabled": False, "ExtensionSettings": {CHROMIUM_ID: {"toolbar_pin": "force_pinned"}},
    })


def serve(machine):
    folder = machine.stage.directory / "tls"
    machine.start("/usr/bin/python3", HERE / "atlas.py", folder / "site.pem", folder / "site.key", log="site", user="root")


def with_shadow(place, left, top, right, bottom):
    """The rectangle of a window that draws its own frame, and a shadow around it."""
    x, y, width, height = place
    return x - left, y - top, width + left + right, height + top + bottom


def start_chromium(machine, url, place):
    """Starts Chromium, and returns its window. `place`: x, y, width and height of what people see of the window."""
    place = with_shadow(place, 17, 10, 17, 24)
    database = f"sql:{HOME}/.pki/nssdb"
    machine.write(".pki/nssdb/.keep", "")
    machine.ask("certutil", "-d", database, "-N", "--empty-password")
    machine.ask("certutil", "-d", database, "-A", "-t", "C,,", "-n", "record", "-i", machine.stage.directory / "tls/ca.pem")
    x, y, width, height = place
    machine.start(
        "chromium", "--no-first-run", f"--user-data-dir={HOME}/.config/chromium", f"--window-size={width},{height}", f"--window-position={x},{y}",
        "--disable-gpu", "--test-type", "--password-store=basic", "--disable-background-networking", "--disable-component-update",
        "--disable-features=Translate,MediaRouter", "--hide-crash-restore-bubble", *(["--force-dark-mode"] if machine.theme.is_dark else []), url,
        GTK_THEME=machine.theme.gtk,
    )
    window = machine.window("chromium")
    machine.place(window, *place)
    return window


def start_firefox(machine, url, place):
    """Starts Firefox, and returns its window. The place is as in Chromium."""
    place = with_shadow(place, 22, 15, 23, 31)
    dark = machine.theme.is_dark
    look = "dark" if dark else "light"
    preferences = {
        **FIREFOX, "layout.css.prefers-color-scheme.content-override": 0 if dark else 1, "ui.systemUsesDarkTheme": int(dark),
        "browser.theme.toolbar-theme": 0 if dark else 1, "extensions.activeThemeID": f"firefox-compact-{look}@mozilla.org",
        "browser.startup.homepage": url,
    }
    lines = "\n".join(f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in preferences.items())
    machine.write(".firefox/user.js", lines + "\n")
    machine.start("firefox-esr", "--no-remote", "--profile", f"{HOME}/.firefox", "--width", place[2], "--height", place[3], url, log="firefox")
    window = machine.window("firefox")
    machine.place(window, *place)
    return window


def wait_for_page(machine, window, words):
    wait_until(lambda: words in machine.title(window), lambda: f"“{words}” in the title of the browser: {machine.title(window)!r}", 60)
