# SPDX-License-Identifier: Apache-2.0
"""`baton doctor`, `setup` and `team create` with a firewalld that answers as none should; Tests/Firewall has real ones."""
# Labs: pair
import json
import subprocess
import time

from desktop import SessionBus
from lab import PATIENCE, LabTest, wait_until

NAME = "org.fedoraproject.FirewallD1"
# Answers as the firewalld of the kind that it is given, and writes down each call.
FIREWALLD = """
import sys
import dbus, dbus.mainloop.glib, dbus.service
from gi.repository import GLib

kind, log = sys.argv[1:]
NAME = "org.fedoraproject.FirewallD1"
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()
def called(name):
    with open(log, "a") as file:
        print(name, file=file)
    if kind == f"error in {name}":
        raise dbus.DBusException("INVALID", name=f"{NAME}.Exception")
def later(name, done, value):
    called(name)
    if kind == f"hang in {name}":
        return
    GLib.timeout_add(1900 if kind == "slow" else 0, lambda: done(value) and False)
MANY = dbus.Array([f"service{number}" for number in range(3000)], signature="s")
LONG = dbus.Array(["x" * 1000 for _ in range(1000)], signature="s")
PORTS = dbus.Array([dbus.Struct((str(number), "tcp"), signature="ss") for number in range(5000)], signature="(ss)")

class Firewalld(dbus.service.Object):
    @dbus.service.method(NAME, out_signature="v" if kind == "odd type" else "s", async_callbacks=("done", "fail"))
    def getDefaultZone(self, done, fail):
        zone = {"evil name": "public; reboot", "evil start": "--help", "odd sign": "pub\\u202elic", "empty": "", "long name": "x" * 5000}
        later("getDefaultZone", done, zone.get(kind, "public"))

    @dbus.service.method(f"{NAME}.zone", in_signature="s", out_signature="s", async_callbacks=("done", "fail"))
    def getZoneOfInterface(self, interface, done, fail):
        later("getZoneOfInterface", done, "$(reboot)" if kind == "evil zone" else "")

    @dbus.service.method(f"{NAME}.zone", out_signature="a{sa{sas}}", async_callbacks=("done", "fail"))
    def getActiveZones(self, done, fail):
        later("getActiveZones", done, {f"zone{number}": {"sources": ["10.0.0.0/8"]} for number in range(2000 if kind == "many zones" else 0)})

    @dbus.service.method(f"{NAME}.zone", in_signature="s", out_signature="a{sv}", async_callbacks=("done", "fail"))
    def getZoneSettings2(self, zone, done, fail):
        settings = {"target": "default", "services": dbus.Array(["ssh"], signature="s"), "unknown": dbus.Array([1], signature="i")}
        settings |= {
            "many services": {"services": MANY}, "long services": {"services": LONG}, "many ports": {"ports": PORTS},
            "odd target": {"target": 7}, "odd services": {"services": "ssh"}, "many rules": {"rules_str": LONG},
        }.get(kind, {})
        if kind == "many settings":
            settings |= {f"setting{number}": number for number in range(5000)}
        later("getZoneSettings2", done, settings)

    @dbus.service.method(NAME, in_signature="s", out_signature="a{sv}", async_callbacks=("done", "fail"))
    def getServiceSettings2(self, name, done, fail):
        includes = {"circle": [name, "other"], "endless": [name + "x"]}.get(kind, [])
        later("getServiceSettings2", done, {"ports": dbus.Array([dbus.Struct(("22", "tcp"), signature="ss")], signature="(ss)"),
                                            "includes": dbus.Array(includes, signature="s")})

    # Whoever calls one of these makes polkit ask for a password.
    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        called(f"Get {name}")
        return "RUNNING"

Firewalld(bus, "/org/fedoraproject/FirewallD1")
name = dbus.service.BusName(NAME, bus)
GLib.MainLoop().run()
"""
SHUT = ("as it should", "circle", "odd target", "odd services")
# Nobody should wait for a diagnosis longer than for the daemon's.
LIMIT = 20


class FirewallDoctorTests(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        self.laptop = self.batond("laptop", arguments=["--port", 22866]).start()
        self.bus = SessionBus(self, "system-bus").start()
        self.log = self.directory / "calls"
        self.environment = {**self.laptop.environment, "DBUS_SYSTEM_BUS_ADDRESS": self.bus.address}

    def serve(self, kind):
        self.log.write_text("")
        server = self.spawn(["/usr/bin/python3", "-c", FIREWALLD, kind, str(self.log)], env=self.environment)
        wait_until(lambda: NAME in self.bus.names(), "firewalld")
        return server

    def baton(self, *words):
        return subprocess.run(
            self.laptop.command_line(*words), env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
            timeout=PATIENCE,
        )

    def finding(self):
        begin = time.monotonic()
        document = json.loads(self.baton("doctor", "--json").stdout)
        self.assertLess(time.monotonic() - begin, LIMIT)
        found = [check for check in document["checks"] if check["check"] == "firewall"]
        self.assertEqual(len(found), 1, found)
        return found[0]

    def test_whatever_it_answers_the_doctor_says_something_true(self):
        kinds = [
            "as it should", "circle", "endless", "slow", "empty", "evil name", "evil start", "evil zone", "odd sign", "odd type",
            "long name", "many zones", "many services", "long services", "many ports", "many rules", "many settings", "odd target",
            "odd services",
        ]
        kinds += [
            f"{fault} in {method}" for fault in ("hang", "error")
            for method in ("getDefaultZone", "getZoneOfInterface", "getActiveZones", "getZoneSettings2", "getServiceSettings2")
        ]
        for kind in kinds:
            with self.subTest(kind=kind):
                server = self.serve(kind)
                finding = self.finding()
                said = json.dumps(finding)
                self.assertNotIn("reboot", said)
                self.assertNotIn("\\u202e", said)
                # A service that firewalld itself no longer knows lets nothing in.
                if kind in SHUT or kind == "error in getServiceSettings2":
                    self.assertEqual((finding["outcome"], finding.get("reason")), ("failed", "portClosed"))
                    self.assertIn("--zone=public", finding["advice"])
                else:
                    self.assertEqual(finding["outcome"], "note")
                    self.assertIn("firewalld isn't responding", finding["detail"])
                self.assertNotIn("Get ", self.log.read_text())
                server.kill()
                server.wait(PATIENCE)
                wait_until(lambda: NAME not in self.bus.names(), "firewalld ends")

    def test_a_team_is_made_whatever_it_answers(self):
        for number, kind in enumerate(("as it should", "hang in getDefaultZone", "many services")):
            with self.subTest(kind=kind):
                server = self.serve(kind)
                done = self.baton("team", "create", f"Team {number}")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual("sudo firewall-cmd" in done.stderr, kind == "as it should")
                self.assertEqual(self.baton("team", "create", f"More {number}", "--json").stderr, "")
                server.kill()
                server.wait(PATIENCE)
                wait_until(lambda: NAME not in self.bus.names(), "firewalld ends")

    def test_ports_are_told(self):
        status = self.laptop.call("GetStatus")
        self.assertIn("configuredPort", status)
        self.assertEqual(len(status["interfaces"]), 1, status)
