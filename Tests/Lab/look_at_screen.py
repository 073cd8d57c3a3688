# SPDX-License-Identifier: Apache-2.0
"""look_at_screen.py: what programs tell screen readers of their windows. For each line of its input, it prints as JSON what is
shown: role, name, description, and the rectangle (x, y, width, height), which is on the screen, or in the window (GTK 4).

It asks over D-Bus, because libatspi follows all events of the programs, and is much slower."""
import json
import sys

from gi.repository import Gio, GLib

ROOT = "/org/a11y/atspi/accessible/root"
ACCESSIBLE = "org.a11y.atspi.Accessible"
SHOWING = 25
SCREEN, WINDOW = 0, 1
# In milliseconds: a program that does not answer is left out.
PATIENCE = 5_000


def connect():
    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    answer = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, 30_000)
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(answer.unpack()[0], flags)


def call_all(calls):
    """The answers to many calls at the same time, each (program, path, interface, method, parameters). None for errors."""
    answers, loop, left = [None] * len(calls), GLib.MainLoop(), len(calls)

    def answered(bus, result, index):
        nonlocal left
        try:
            answers[index] = bus.call_finish(result).unpack()
        except GLib.Error:
            pass
        left -= 1
        if left == 0:
            loop.quit()

    for index, (program, path, interface, method, parameters) in enumerate(calls):
        bus.call(program, path, interface, method, parameters, None, 0, PATIENCE, None, answered, index)
    if calls:
        loop.run()
    return answers


def ask(nodes, method, parameters=None, interface=ACCESSIBLE):
    return call_all([(*node, interface, method, parameters) for node in nodes])


def get(nodes, name, interface=ACCESSIBLE):
    answers = ask(nodes, "Get", GLib.Variant("(ss)", (interface, name)), "org.freedesktop.DBus.Properties")
    return [answer and answer[0] for answer in answers]


def children(nodes):
    return [[tuple(child) for child in answer[0]] if answer else [] for answer in ask(nodes, "GetChildren")]


def is_showing(state):
    return bool(state) and bool(state[0][0] >> SHOWING & 1)


def look():
    programs = children([("org.a11y.atspi.Registry", ROOT)])[0]
    toolkits = get(programs, "ToolkitName", "org.a11y.atspi.Application")
    versions = get(programs, "Version", "org.a11y.atspi.Application")
    # It does not say what is shown. What is not has no size.
    gtk4 = {
        program[0] for program, toolkit, version in zip(programs, toolkits, versions)
        if (toolkit or "").lower() == "gtk" and (version or "").startswith("4.")
    }
    nodes, shown = [child for each in children(programs) for child in each], []
    while nodes:
        states = ask(nodes, "GetState")
        nodes = [node for node, state in zip(nodes, states) if is_showing(state) or node[0] in gtk4]
        extents = [
            answer and answer[0] for answer in call_all([
                (*node, "org.a11y.atspi.Component", "GetExtents", GLib.Variant("(u)", (WINDOW if node[0] in gtk4 else SCREEN,)))
                for node in nodes
            ])
        ]
        roles = [answer and answer[0] for answer in ask(nodes, "GetRoleName")]
        for line in zip(roles, get(nodes, "Name"), get(nodes, "Description"), extents):
            if line[3] and line[3][2] > 1 and line[3][3] > 1:
                shown.append(line)
        nodes = [child for each in children(nodes) for child in each]
    return shown


bus = connect()
for _ in sys.stdin:
    print(json.dumps(look()), flush=True)
