# SPDX-License-Identifier: Apache-2.0
"""`baton doctor` says why no notification appears: asked of real dunst, and of programs that answer as others do."""
# Labs: lo
import json
import os
import shutil
import socket
import subprocess

from desktop import Screen, SessionBus
from lab import PATIENCE, LabTest, wait_until

# Answers as the server whose name it is given, which is muted.
SERVER = """
import sys
import dbus, dbus.mainloop.glib, dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()

class Server(dbus.service.Object):
    @dbus.service.method(NAME, out_signature="ssss")
    def GetServerInformation(self):
        return sys.argv[1], "vendor", "6", "1.2"

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return {(NAME, "Inhibited"): True}[interface, name]

class Mako(dbus.service.Object):
    @dbus.service.method("fr.emersion.Mako", out_signature="as")
    def ListModes(self):
        return ["default", "do-not-disturb"]

objects = Server(bus, "/org/freedesktop/Notifications"), Mako(bus, "/fr/emersion/Mako")
name = dbus.service.BusName(NAME, bus)
GLib.MainLoop().run()
"""


class NotificationDoctorTests(LabTest):
    labs = ("lo",)

    def setUp(self):
        super().setUp()
        self.laptop = self.batond("laptop").start()
        self.bus = SessionBus(self).start()

    def doctor(self, **environment):
        """What the doctor says of notifications; nil if it says nothing."""
        environment = {**self.bus.environment, **self.laptop.environment, "DISPLAY": ":1", **environment}
        environment["DBUS_SESSION_BUS_ADDRESS"] = environment.get("BUS", self.bus.address)
        environment.pop("WAYLAND_DISPLAY", None)
        document = json.loads(
            subprocess.run(
                self.laptop.command_line("doctor", "--json"), env=environment, capture_output=True, timeout=PATIENCE
            ).stdout
        )
        return next((check for check in document["checks"] if check["check"] == "notifications"), None)

    def assertNotes(self, detail, advice, **environment):
        check = self.doctor(**environment)
        self.assertEqual(check["outcome"], "note")
        self.assertIn(detail, check["detail"])
        self.assertIn(advice, check["advice"])

    def serve(self, name):
        server = self.spawn(["/usr/bin/python3", "-c", SERVER, name], env=self.bus.environment)
        wait_until(lambda: "org.freedesktop.Notifications" in self.bus.names(), name)
        return server

    def test_no_bus_and_no_server(self):
        self.assertNotes("there's no session bus", "dbus-user-session", BUS=f"unix:path={self.directory}/nowhere")
        silent = socket.socket(socket.AF_UNIX)
        self.addCleanup(silent.close)
        silent.bind(str(self.directory / "silent"))
        silent.listen()
        self.assertNotes("Connection timed out", "dbus-user-session", BUS=f"unix:path={self.directory}/silent")
        self.assertNotes("this desktop has no program that shows them", "dunst")
        # A server has no desktop, and needs none.
        self.assertIsNone(self.doctor(DISPLAY=""))

    def test_dunst_that_is_paused_and_another_one_beside_it(self):
        screen = Screen(self.bus)
        self.assertEqual(self.doctor()["detail"], "dunst shows notifications.")

        def pause(word):
            subprocess.run(["dunstctl", "set-paused", word], env=screen.environment, check=True, timeout=PATIENCE)

        pause("true")
        self.assertNotes("dunst is paused", "`dunstctl set-paused false`")
        pause("false")
        self.assertEqual(self.doctor()["outcome"], "passed")
        other = self.directory / "mako"
        shutil.copy(shutil.which("sleep"), other)
        self.spawn([other, "600"])
        wait_until(lambda: self.doctor()["outcome"] == "note", "it is seen")
        self.assertNotes("dunst shows notifications, and mako could as well", "disable the other")

    def test_plasma_and_mako(self):
        server = self.serve("Plasma")
        self.assertNotes("Plasma is set to Do Not Disturb", "under Notifications in the panel")
        server.terminate()
        server.wait(PATIENCE)
        self.serve("mako")
        self.assertNotes("mako is in the mode do-not-disturb", "`makoctl mode -s default`")

    def test_gnome_for_all_and_for_baton(self):
        schema = "org.gnome.desktop.notifications"
        if not shutil.which("gsettings"):
            self.skipTest("gsettings is not installed")
        settings = {"GSETTINGS_BACKEND": "keyfile", "XDG_CONFIG_HOME": str(self.directory / "config")}

        def set(path, key, value):
            subprocess.run(
                ["gsettings", "set", path, key, value], env={**os.environ, **settings}, check=True, timeout=PATIENCE
            )

        self.serve("gnome-shell")
        self.assertEqual(self.doctor(**settings)["detail"], "GNOME Shell shows notifications.")
        set(schema, "show-banners", "false")
        self.assertNotes("GNOME is set to Do Not Disturb", "show-banners true", **settings)
        set(f"{schema}.application:/org/gnome/desktop/notifications/application/io-baton-agent/", "enable", "false")
        self.assertNotes("Baton's notifications are turned off in GNOME's settings", "Settings", **settings)
