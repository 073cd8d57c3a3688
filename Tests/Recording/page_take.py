# SPDX-License-Identifier: Apache-2.0
"""A page goes from the laptop's Chromium to the desktop's Firefox: the README's moving picture, and stills of it."""
import time

from atlas import NAME
from compose import Recording, check_same_rows, check_shown_once, film, pair, single
from stage import HEIGHT, WIDTH
from waiting import wait_until
from web import prepare, serve, start_chromium, start_firefox, wait_for_page

PLACE = (26, 18, WIDTH - 52, HEIGHT - 40)
# Where the page's text is in both browsers, without the top and without the scroll bar: width, height, x, y.
PAGE = (480, 270, 45, 150)
# Where the notification hides a part of the browser that is the same in both pages.
IN_NOTIFICATION = (50, 16, 345, 106)
# The part of the screen with the notification.
TOP = (WIDTH, 300, 0, 0)
TITLE = "Relay race"


def set_up(stage, machines):
    laptop, desktop = machines
    for machine in machines:
        serve(machine)
        machine.start_screen()
    desktop.start_agent()
    firefox = start_firefox(desktop, f"https://{NAME}/", PLACE)
    chromium = start_chromium(laptop, "about:blank", PLACE)
    # Firefox is connected as soon as its page is offered.
    wait_until(laptop.offers, "Firefox offers its page", 120)
    wait_for_page(desktop, firefox, "Atlas")
    desktop.x("mousemove", 470, 330)
    laptop.x("mousemove", 420, 330)
    time.sleep(4)
    return firefox, chromium


def take(stage, machines, output, log):
    laptop, desktop = machines
    suffix = stage.theme.suffix
    firefox, chromium = set_up(stage, machines)
    shots = {}

    def still(name, machine):
        shots[name] = machine.photograph(stage.directory / f"{name}.png")

    # The film begins while the reader types the address.
    address = f"{NAME}/relay-race"
    laptop.press("ctrl+l")
    laptop.type(address[:5])
    with Recording(machines, "handoff") as recording:
        laptop.type(address[5:])
        laptop.press("Return")
        wait_for_page(laptop, chromium, TITLE)
        laptop.glide(470, 300, 0.4)
        time.sleep(0.3)
        for count in (3, 3, 2, 2):
            laptop.x("click", "--repeat", count, "--delay", 90, 5)
            time.sleep(0.25)
        notification = wait_until(lambda: popup(desktop), "the notification is shown", 20)
        # The offer has the place where the reader stops.
        time.sleep(1.2)
        desktop.glide(*button(notification), 0.8)
        time.sleep(0.35)
        still("notification", desktop)
        desktop.x("click", 1)
        clicked = time.monotonic()
        wait_for_page(desktop, firefox, TITLE)
        log(f"Firefox shows the article {time.monotonic() - clicked:.1f} s after the click")
        time.sleep(0.5)
        desktop.glide(470, 330, 0.5)
        time.sleep(2.2)
    for machine in machines:
        still(f"page-{machine.name}", machine)
    likeness, shift = check_same_rows(shots["page-laptop"], shots["page-desktop"], PAGE)
    log(f"Both show the same lines, {abs(shift)} pixels apart ({likeness:.2f})")
    check_shown_once(recording, desktop, IN_NOTIFICATION)
    seconds = film(recording, output / f"handoff{suffix}.gif", (8, 12))
    log(f"handoff{suffix}.gif lasts {seconds:.1f} s")
    pair(stage, shots["page-laptop"], shots["page-desktop"], output / f"page{suffix}.png")
    single(shots["notification"], output / f"notification{suffix}.png", TOP)


def popup(machine):
    """Where the notification is: x, y, width, height."""
    for window in machine.x("search", "--onlyvisible", "--class", "xfce4-notifyd").split():
        place = machine.rectangle(window)
        if place[2] > 100 and place[3] > 40:
            return place
    return None


def button(place):
    """Where a person clicks on it."""
    x, y, width, height = place
    return x + width // 3, y + height - 26
