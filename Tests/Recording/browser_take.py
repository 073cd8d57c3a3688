# SPDX-License-Identifier: Apache-2.0
"""What the extension shows: the toolbar button's list in Firefox, and the options in Chromium."""
import time

from atlas import NAME
from compose import single
from stage import WIDTH
from waiting import wait_until
from web import CHROMIUM_ID, prepare, serve, start_chromium, start_firefox, wait_for_page  # noqa: F401 (prepare is called by record.py)

HEIGHT = 560
SIZES = {"laptop": ((760, 540),), "desktop": ((WIDTH, HEIGHT),)}
# Baton's button in Firefox's toolbar.
BUTTON = (511, 80)
# The field of the options in which a site is typed.
SITE = (200, 250)


def take(stage, machines, output, log):
    laptop, desktop = machines
    suffix = stage.theme.suffix
    for machine in machines:
        serve(machine)
        machine.start_screen()
    firefox = start_firefox(desktop, f"https://{NAME}/", (26, 18, WIDTH - 52, HEIGHT - 40))
    chromium = start_chromium(laptop, f"https://{NAME}/relay-race", (26, 18, 708, 500))
    for machine, window, title in ((desktop, firefox, "Atlas"), (laptop, chromium, "Relay race")):
        wait_for_page(machine, window, title)
    wait_until(laptop.offers, "Firefox offers its page", 120)
    wait_until(desktop.offers, "Chromium offers its page", 120)
    time.sleep(3)
    before = desktop.x("search", "--onlyvisible", "--class", "firefox").split()
    desktop.glide(*BUTTON)
    desktop.x("click", 1)
    wait_until(lambda: set(desktop.x("search", "--onlyvisible", "--class", "firefox").split()) - set(before), "Baton's list is shown")
    time.sleep(3)
    single(desktop.photograph(stage.directory / "popup.png"), output / f"browser-popup{suffix}.png")
    laptop.press("ctrl+l")
    laptop.type(f"chrome-extension://{CHROMIUM_ID}/options.html", 5)
    laptop.press("Return")
    wait_for_page(laptop, chromium, "Baton")
    time.sleep(1)
    laptop.glide(*SITE, 0.2)
    laptop.x("click", 1)
    laptop.type("bank.example", 10)
    # The list of teams, in which “no machine” is chosen, and the button after it.
    for key in ("Tab", "Tab", "Return"):
        laptop.press(key)
        time.sleep(0.2)
    time.sleep(0.5)
    laptop.x("mousemove", 690, 480)
    single(laptop.photograph(stage.directory / "options.png"), output / f"browser-options{suffix}.png")
