# SPDX-License-Identifier: Apache-2.0
"""A VPN without multicast between two machines that share no link."""
# Labs: pair
import fcntl
import json
import os
import pathlib
import socket
import socketserver
import struct
import threading

from lab import HOSTS, LabTest, control
from test_configuration import ConfiguredBatond
from test_reachability import PORT, run

# Where tailscaled serves its local API. The lab has a /run of its own.
TAILSCALED = pathlib.Path("/run/tailscale/tailscaled.sock")


class FakeTailscaled(socketserver.ThreadingUnixStreamServer):
    """Answers as tailscaled does: HTTP/1.1, in chunks."""

    daemon_threads = True

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            lines = [line.strip() for line in iter(self.rfile.readline, b"\r\n")]
            self.server.requests.append((lines[0], b"Host: local-tailscaled.sock" in lines))
            body = json.dumps(self.server.status).encode()
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
            for begin in range(0, len(body), 100):
                chunk = body[begin : begin + 100]
                self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
            self.wfile.write(b"0\r\n\r\n")

    def __init__(self, status):
        self.status = status
        self.requests = []
        TAILSCALED.parent.mkdir(exist_ok=True)
        super().__init__(str(TAILSCALED), self.Handler)
        TAILSCALED.chmod(0o666)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def end(self):
        self.shutdown()
        self.server_close()
        TAILSCALED.unlink()


class TailscaleTests(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        for host in HOSTS:
            control("link-down", host)
            self.addCleanup(control, "link-up", host)
        # Avahi does not use this interface.
        near, far = HOSTS
        run(near, "ip", "link", "add", "tailscale0", "type", "veth", "peer", "name", "tailscale0", "netns", far)
        self.addCleanup(run, near, "ip", "link", "del", "tailscale0", check=False)
        for number, host in enumerate(HOSTS, 1):
            run(host, "ip", "addr", "add", f"100.64.0.{number}/24", "dev", "tailscale0")
            run(host, "ip", "link", "set", "tailscale0", "up", "multicast", "off")

    def listener(self, address):
        """Another machine, as if it were there: nobody may connect."""
        run(HOSTS[0], "ip", "addr", "add", f"{address}/32", "dev", "lo")
        self.addCleanup(run, HOSTS[0], "ip", "addr", "del", f"{address}/32", "dev", "lo", check=False)
        listener = socket.create_server((address, PORT))
        listener.setblocking(False)
        self.addCleanup(listener.close)
        return listener

    def test_machines_of_the_same_user_are_found_and_nobody_else(self):
        others = [self.listener(address) for address in ("100.64.0.3", "100.64.0.4", "100.64.0.5", "10.99.0.1")]
        tailscaled = FakeTailscaled(
            {
                "Self": {"UserID": 7, "TailscaleIPs": ["100.64.0.1"]},
                "Peer": {
                    "desktop": {"UserID": 7, "Online": True, "TailscaleIPs": ["100.64.0.2", "fd7a:115c:a1e0::2"]},
                    "away": {"UserID": 7, "Online": False, "TailscaleIPs": ["100.64.0.3"]},
                    "other": {"UserID": 8, "Online": True, "TailscaleIPs": ["100.64.0.4"]},
                    "server": {"UserID": 7, "Online": True, "TailscaleIPs": ["100.64.0.5"], "Tags": ["tag:server"]},
                    "odd": {"UserID": 7, "Online": True, "TailscaleIPs": ["10.99.0.1"]},
                },
            }
        )
        self.addCleanup(tailscaled.end)
        head = "[Device]\nName=laptop\n[Network]\nPort=0\n"
        laptop = ConfiguredBatond(self, HOSTS[0], "laptop", self.directory)
        laptop.configure(head)
        laptop.start()
        desktop = self.batond("desktop", 1, arguments=["--port", PORT]).start()
        laptop.baton("team", "create", "Demo")
        self.admit_by_files(laptop, desktop)
        self.assertEqual(tailscaled.requests, [])
        self.assertEqual(laptop.call("GetStatus")["sessions"], 0)

        laptop.reload(head + "Source=tailscale\n")
        for daemon in (laptop, desktop):
            daemon.wait_for_sessions(1)
        self.assertEqual(set(tailscaled.requests), {(b"GET /localapi/v0/status HTTP/1.0", True)})
        (peer,) = laptop.json("peers")["peers"]
        self.assertEqual((peer["state"], peer["address"]), ("connected", f"100.64.0.2:{PORT}"))
        # No user gave it, so it is neither listed nor kept as if one had.
        self.assertEqual(laptop.json("peer", "list")["peers"], [])
        self.assertFalse((laptop.state / "static-peers.json").exists())
        for listener in others:
            with self.assertRaises(BlockingIOError):
                listener.accept()

        # Without it, the session goes on, and nobody is asked any longer.
        laptop.reload(head)
        self.assertEqual(laptop.call("GetStatus")["sessions"], 1)
        asked = len(tailscaled.requests)
        laptop.terminate()
        laptop.start()
        # They have met, so they find each other all the same.
        laptop.wait_for_sessions(1)
        self.assertEqual(len(tailscaled.requests), asked)

    def test_without_tailscaled_it_says_so_and_asks_again(self):
        head = "[Device]\nName=laptop\n[Network]\nPort=0\nSource=tailscale\n"
        laptop = ConfiguredBatond(self, HOSTS[0], "laptop", self.directory)
        laptop.configure(head)
        laptop.start()
        laptop.wait_for_log("Can't query tailscaled")
        desktop = self.batond("desktop", 1, arguments=["--port", PORT]).start()
        laptop.baton("team", "create", "Demo")
        self.admit_by_files(laptop, desktop)
        peer = {"UserID": 7, "Online": True, "TailscaleIPs": ["100.64.0.2"]}
        tailscaled = FakeTailscaled({"Self": {"UserID": 7}, "Peer": {"desktop": peer}})
        self.addCleanup(tailscaled.end)
        # A change of the network is a reason to ask.
        run(HOSTS[0], "ip", "addr", "add", "100.64.0.9/24", "dev", "tailscale0")
        laptop.wait_for_sessions(1)
        laptop.wait_for_log("tailscaled is answering again")


class DoctorTests(LabTest):
    labs = ("pair",)

    def tunnel(self, name, number):
        """A TUN interface on the first host, as those of VPNs are."""
        try:
            descriptor = os.open("/dev/net/tun", os.O_RDWR)
        except OSError as error:
            self.skipTest(f"there is no TUN: {error}")
        self.addCleanup(os.close, descriptor)
        set_interface, tun_without_header = 0x400454CA, 0x1001
        fcntl.ioctl(descriptor, set_interface, struct.pack("16sH22x", name.encode(), tun_without_header))
        run(HOSTS[0], "ip", "addr", "add", f"100.64.1.{number}/32", "dev", name)
        run(HOSTS[0], "ip", "link", "set", name, "up")

    def notes(self, daemon):
        """What is said of VPNs: the interfaces, and whether Tailscale could help."""
        checks = json.loads(daemon.baton("doctor", "--json"))["checks"]
        return [
            (check["detail"].split(" over ")[1].split(", as")[0], "Source=tailscale" in check["advice"])
            for check in checks
            if check["check"] == "multicast" and "VPN" in check["detail"]
        ]

    def test_vpns_are_named(self):
        head = "[Device]\nName=laptop\n[Network]\nPort=0\n"
        laptop = ConfiguredBatond(self, HOSTS[0], "laptop", self.directory)
        laptop.configure(head)
        laptop.start()
        self.make_team(laptop, self.batond("desktop", 1).start())
        self.assertEqual(self.notes(laptop), [])
        self.tunnel("wg7", 1)
        self.assertEqual(self.notes(laptop), [("wg7", False)])
        self.tunnel("tailscale0", 2)
        self.assertEqual(self.notes(laptop), [("tailscale0, wg7", True)])
        laptop.reload(head + "Source=tailscale\n")
        self.assertEqual(self.notes(laptop), [("wg7", False)])
        laptop.reload(head + "ExcludeInterfaces=wg*\n")
        self.assertEqual(self.notes(laptop), [("tailscale0", True)])
