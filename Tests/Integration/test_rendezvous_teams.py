# SPDX-License-Identifier: Apache-2.0
"""Two teams at one organization's server: neither hears or says anything of the other's."""
# Labs: routed
import base64
import json
import pathlib
import subprocess
import sys
import unittest

from hostile_server import nkey_sign
from lab import on, wait_until
from rendezvous import SERVER, RendezvousTest


class OtherTeamTests(RendezvousTest):
    """The first team is the laptop's and the desktop's; the other has the keys of its own account, and uses them."""

    def setUp(self):
        super().setUp()
        # What the server keeps apart does not depend on where they are.
        owner, self.laptop, self.other = (self.batond(name, 0).start() for name in ("owner", "laptop", "other"))
        directory = self.directory / "servers"
        owner.baton("rendezvous", "create", directory, "--organization", "Org", "--server", SERVER, "--no-relay")
        self.start_server("nats", directory)
        for daemon in (self.laptop, self.other):
            daemon.baton("team", "create", daemon.name)
            request = daemon.baton("rendezvous", "request")
            daemon.baton("rendezvous", "import", input=owner.baton("rendezvous", "authorize", input=request))
        self.desktop = self.batond("desktop", 1).start()
        self.admit_by_files(self.laptop, self.desktop)
        self.wait_until_ready(self.laptop, self.other, self.desktop)
        self.state = self.rendezvous(self.other)
        self.claims = claims(self.state["user"]["token"])
        self.foreign = claims(self.rendezvous(self.laptop)["user"]["token"])

    def rendezvous(self, daemon):
        return json.loads(next((daemon.state / "teams").glob("*/rendezvous.json")).read_text())

    def client(self, token):
        """A client on the server's host: what it was told first; and a function that sends, and returns what is said then."""
        program = pathlib.Path(__file__).with_name("hostile_server.py")
        process = self.spawn(on("s", sys.executable, program, self.directory), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        def call(value):
            process.stdin.write(json.dumps(value).encode() + b"\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        return call({"token": token, "seed": self.state["user"]["seed"]}), call

    def token(self, claims):
        """Signed by the other team's account."""
        body = ".".join(text(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ed25519-nkey"}, claims))
        seed = base64.b64decode(self.state["account"]["seed"])
        return f"{body}.{text(nkey_sign(seed, body.encode(), self.directory))}"

    def assertApart(self, client):
        """The first team speaks, and the client hears its own team only."""
        _, activity = self.desktop.publish(title="Of the first team")
        self.laptop.wait_for_offer(activity)
        name = self.claims["name"]
        _, _ = self.other.publish(title="Of the other")
        heard = []
        wait_until(lambda: heard.extend(client("")) or any(f"b.adv.{name}" in line for line in heard), "its own team is heard")
        self.assertEqual([line for line in heard if f"b.adv.{name}" not in line], [])
        self.assertEqual(self.laptop.offer_titles(), ["Of the first team"])
        self.wait_until_ready(self.laptop, self.desktop)

    def test_a_device(self):
        name, own = self.foreign["name"], self.claims["name"]
        said, client = self.client(self.state["user"]["token"])
        self.assertEqual(said, [])
        for subject in ("b.>", ">", f"b.to.{name}.*", "$SYS.>", "$SYS.REQ.>", "b.to.*.*"):
            self.assertRefused(client(f"SUB {subject} 1\r\n"), "Permissions Violation")
        for subject in (f"b.adv.{name}", f"b.to.{name}.{name}", f"b.to.{own}.{name}", "$SYS.REQ.CLAIMS.UPDATE", "b.adv.x"):
            self.assertRefused(client(f"PUB {subject} 2\r\nhi\r\n"), "Permissions Violation")
        # What it may say stays in its team.
        self.assertEqual(client("SUB b.adv.* 2\r\n"), [])
        self.assertEqual(client(f"PUB b.to.{name}.{own} 2\r\nhi\r\n"), [])
        self.assertApart(client)

    def test_who_makes_tokens(self):
        """It allows itself everything in its own account; but a user of another account it does not make."""
        name = self.foreign["name"]
        everything = {**self.claims, "nats": {**self.claims["nats"], "pub": {}, "sub": {}}}
        said, client = self.client(self.token(everything))
        self.assertEqual(said, [])
        for subject in ("b.>", "b.adv.*", "$SYS.>"):
            self.assertEqual(client(f"SUB {subject} 1\r\n"), [])
        for subject in (f"b.to.{name}.{name}", "$SYS.REQ.CLAIMS.UPDATE", "$SYS.REQ.CLAIMS.DELETE"):
            client(f"PUB {subject} 2\r\nhi\r\n")
        self.assertApart(client)
        said, _ = self.client(self.token({**everything, "iss": self.foreign["iss"]}))
        self.assertRefused(said, "Authorization Violation")
        # The foreign token, without its key.
        said, _ = self.client(self.rendezvous(self.laptop)["user"]["token"])
        self.assertRefused(said, "Authorization Violation")

    def assertRefused(self, said, why):
        self.assertTrue(any(why in line for line in said), said)


def text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def claims(token):
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


if __name__ == "__main__":
    unittest.main()
