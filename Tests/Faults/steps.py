# SPDX-License-Identifier: Apache-2.0
"""What people do with teams and addresses, one step each, and what must be true when it went wrong at any call.

A step's machines run when it is prepared and taken; the daemon `target` then has the fault. After it all have started again,
without faults, and `check` looks.
"""
import json

from faultlab import PROMPT, has_verb, wait_until

CODE_IS_OVER = {"invitationUsed", "invitationUnknown", "invitationExpired", "invitationForeign"}


class Step:
    """A step of one machine, without a check of its own."""

    target = "a"
    others = ""
    # What assertWhole lets come, and go.
    extra = without = without_address = more_addresses = changed = ()

    def __init__(self, case, machines):
        self.case, self.machines = case, machines
        for name, machine in machines.items():
            setattr(self, name, machine)
        self.home = case.home

    def prepare(self):
        pass

    def begin(self):
        """Starts the target, which may have a fault from then on; None or its exit status."""
        self.machines[self.target].start()

    def admit(self, machine):
        """With a new code, whatever became of others; the code."""
        code = self.a.must("team", "invite", "--team", self.home).json["code"]
        machine.must("team", "join", code, "--address", self.a.address)
        return code

    def assertInHome(self, machine):
        self.case.assertIn("Home", machine.teams())
        machine.meets(self.a)
        identifier = machine.teams()["Home"]["deviceID"]
        self.case.assertIn(identifier, [device["deviceID"] for device in self.a.devices(self.home)])


class Create(Step):
    extra = ("New",)

    def take(self):
        return self.a.attempt("team", "create", "New")

    def check(self, outcome):
        if outcome.ok:
            self.case.assertIn("New", self.a.teams())
        if "New" not in self.a.teams():
            self.a.must("team", "create", "New")
        self.a.must("team", "invite", "--team", self.a.teams()["New"]["id"])


class Invite(Step):
    others = "n"

    def take(self):
        return self.a.attempt("team", "invite", "--team", self.home)

    def check(self, outcome):
        if outcome.ok:
            self.n.must("team", "join", outcome.json["code"], "--address", self.a.address)
        else:
            self.admit(self.n)
        self.assertInHome(self.n)


class Join(Step):
    """The administrator's side of it."""

    others = "nm"
    extra = ("Home",)

    def prepare(self):
        self.code = self.a.must("team", "invite", "--team", self.home).json["code"]

    def take(self):
        return self.n.attempt("team", "join", self.code, "--address", self.a.address)

    def check(self, outcome):
        if outcome.ok:
            self.case.assertIn("Home", self.n.teams())
        if "Home" not in self.n.teams():
            again = self.take()
            if not again.ok:
                self.case.assertIn(again.reason, CODE_IS_OVER)
                self.admit(self.n)
        self.assertInHome(self.n)
        second = self.m.attempt("team", "join", self.code, "--address", self.a.address)
        self.case.assertIn(second.reason, CODE_IS_OVER, "a code admits two machines")


class JoinAsMember(Join):
    target = "n"
    others = "am"


class Leave(Step):
    target = "b"
    others = "a"
    without = ("Home",)

    def take(self):
        return self.b.attempt("team", "leave", "--yes", self.home)

    def check(self, outcome):
        if outcome.ok:
            self.case.assertNotIn("Home", self.b.teams())
        if "Home" in self.b.teams():
            self.b.meets(self.a)
            self.b.must("team", "leave", "--yes", self.home)
        self.admit(self.b)
        self.assertInHome(self.b)


class Revoke(Step):
    """The administrator's side of it."""

    others = "bce"

    def take(self):
        return self.a.attempt("team", "revoke", "c", "--team", self.home)

    def check(self, outcome):
        revoked = {device["name"] for device in self.a.devices(self.home) if "revoked" in device}
        self.case.assertIn("e", revoked)
        if outcome.ok:
            self.case.assertIn("c", revoked)
        self.a.must("team", "revoke", "c", "--team", self.home)
        for machine in (self.c, self.e):
            for other in (self.a, self.b):
                machine.is_refused_by(other)


class RevokeAtMember(Revoke):
    """That of a member, which is told."""

    target = "b"
    others = "ace"

    def prepare(self):
        wait_until(lambda: "c" in self.b.connected(self.home) and "a" in self.b.connected(self.home), "b has met both")

    def take(self):
        outcome = self.a.attempt("team", "revoke", "c", "--team", self.home)
        wait_until(self.b_was_told, "b was told", interval=0.002)
        return outcome

    def b_was_told(self):
        try:
            return self.b.faults.has_fired or "c" not in self.b.connected(self.home)
        except AssertionError:
            if self.b.faults.has_fired:
                return True
            raise


class AddAddress(Step):
    address = "127.0.0.1:11"
    more_addresses = (address,)

    def take(self):
        return self.a.attempt("peer", "add", self.address, "--team", self.home)

    def check(self, outcome):
        if outcome.ok:
            self.case.assertIn((self.home, self.address), self.a.named_addresses())
        self.a.must("peer", "add", self.address, "--team", self.home)


class RemoveAddress(Step):
    address = "127.0.0.1:9"
    without_address = (address,)

    def take(self):
        return self.a.attempt("peer", "remove", self.address, "--team", self.home)

    def check(self, outcome):
        is_there = (self.home, self.address) in self.a.named_addresses()
        self.case.assertFalse(outcome.ok and is_there)
        if is_there:
            self.a.must("peer", "remove", self.address, "--team", self.home)


class Request(Step):
    target = "n"
    others = "a"

    def take(self):
        return self.n.attempt("team", "request")

    def check(self, outcome):
        if not outcome.ok:
            outcome = self.n.must("team", "request")
        approval = self.a.must("team", "approve", "--team", self.home, input=self.text(outcome, "request")).output
        self.n.must("team", "import", input=self.approval(approval))
        self.case.assertIn("Home", self.n.teams())

    @staticmethod
    def text(outcome, member):
        return outcome.json[member].encode()

    @staticmethod
    def approval(output):
        return json.loads(output)["approval"].encode()


class Approve(Request):
    target = "a"
    others = "n"

    def prepare(self):
        self.request = self.text(self.n.must("team", "request"), "request")

    def take(self):
        return self.a.attempt("team", "approve", "--team", self.home, input=self.request)

    def check(self, outcome):
        if not outcome.ok:
            outcome = self.take()
            self.case.assertTrue(outcome.ok, outcome)
        self.n.must("team", "import", input=self.text(outcome, "approval"))
        self.n.must("peer", "add", self.a.address)
        self.assertInHome(self.n)


class Import(Request):
    target = "n"
    others = "a"
    extra = ("Home",)

    def prepare(self):
        request = self.text(self.n.must("team", "request"), "request")
        self.approved = self.text(self.a.must("team", "approve", "--team", self.home, input=request), "approval")

    def take(self):
        return self.n.attempt("team", "import", input=self.approved)

    def check(self, outcome):
        if outcome.ok:
            self.case.assertIn("Home", self.n.teams())
        if "Home" not in self.n.teams():
            self.n.must("team", "import", input=self.approved)
        self.n.must("peer", "add", self.a.address)
        self.assertInHome(self.n)


class Start(Step):
    """What is wrong then is in the log, and the daemon may refuse to start. It lets nobody in who was removed."""

    others = "ce"

    def begin(self):
        pass

    def take(self):
        status = self.a.begin()
        if status is None and "Home" in self.a.teams():
            self.case.assertIsNotNone(self.e.verdict(self.a), "a device that was removed is let in")
        return status

    def check(self, outcome):
        self.c.meets(self.a)
        self.a.must("team", "invite", "--team", self.home)


class Stop(Step):
    """With something to write: where the others were reached just now."""

    others = "n"

    def prepare(self):
        self.admit(self.n)
        self.a.wait_for_sessions(1)

    def take(self):
        self.a.terminate()

    def check(self, outcome):
        self.assertInHome(self.n)


# Making a key of a passphrase takes a second of computing, and memory.
PASSPHRASE_LIMIT = 6 * PROMPT


class BackUp(Step):

    def prepare(self):
        self.file, passphrase = self.case.directory / "backup", self.case.directory / "passphrase"
        passphrase.write_text("correct horse battery staple\n")
        passphrase.chmod(0o600)
        self.passphrase = ("--passphrase-file", str(passphrase))

    def back_up(self):
        return self.a.attempt("team", "backup", str(self.file), "--team", self.home, *self.passphrase, limit=PASSPHRASE_LIMIT)

    def take(self):
        return self.back_up()

    def check(self, outcome):
        if not outcome.ok:
            outcome = self.back_up()
        self.case.assertTrue(outcome.ok, outcome)
        self.a.must("team", "restore", str(self.file), "--check", *self.passphrase, limit=PASSPHRASE_LIMIT)


class Restore(BackUp):
    others = "c"
    without = ("Home",)
    without_address = ("127.0.0.1:9", "127.0.0.1:22002")

    def prepare(self):
        super().prepare()
        self.case.assertTrue(self.back_up().ok)
        self.a.must("team", "leave", "--yes", self.home)

    def restore(self):
        return self.a.attempt("team", "restore", str(self.file), *self.passphrase, limit=PASSPHRASE_LIMIT)

    def take(self):
        return self.restore()

    def check(self, outcome):
        if outcome.ok:
            self.case.assertIn("Home", self.a.teams())
        if "Home" not in self.a.teams():
            self.case.assertTrue(self.restore().ok)
        self.case.assertIn("e", [device["name"] for device in self.a.devices(self.home) if "revoked" in device])
        self.c.meets(self.a)


class Promote(Step):
    """The administrator's side of it."""

    others = "b"

    def prepare(self):
        wait_until(lambda: "b" in self.a.connected(self.home), "a has met b")

    def promote(self):
        # The daemon itself waits 10 s for the other machine's answer.
        return self.a.attempt("team", "promote", "b", "--team", self.home, "--yes", limit=4 * PROMPT)

    def take(self):
        return self.promote()

    def check(self, outcome):
        if outcome.ok:
            self.case.assertTrue(self.b.teams()["Home"]["administrator"])
        wait_until(lambda: "b" in self.a.connected(self.home), "a has met b again")
        self.case.assertTrue(self.promote().ok)
        self.case.assertTrue(self.b.teams()["Home"]["administrator"])
        # Each admits and removes, and the other heeds it.
        self.b.must("team", "invite", "--team", self.home)
        wait_until(lambda: "c" in [device["name"] for device in self.b.devices(self.home)], "b knows of c")
        self.b.must("team", "revoke", "c", "--team", self.home)
        wait_until(
            lambda: "c" in {device["name"] for device in self.a.devices(self.home) if "revoked" in device},
            "a heeds what b has removed",
        )


class PromoteAtMember(Promote):
    target = "b"
    others = "a"
    changed = ("Home",)


class Renew(Step):
    """The machine that begins."""

    others = "b"
    changed = ("Home",)

    def renew(self):
        return self.a.attempt("team", "renew", "--team", self.home, "--yes")

    def accept(self):
        code = ("team", "renew", "--accept", self.code, "--team", self.home, "--address", self.a.address)
        return self.b.attempt(*code)

    def take(self):
        return self.renew()

    def check(self, outcome):
        if outcome.ok:
            self.case.assertEqual(outcome.json["team"]["id"], self.a.teams()["Home"]["id"])
        elif self.a.teams()["Home"]["id"] == self.home:
            outcome = self.renew()
        new = self.a.teams()["Home"]["id"]
        self.case.assertNotEqual(new, self.home)
        # A code that nobody was shown is made again.
        self.code = (outcome if outcome.ok else self.a.must("team", "invite", "--team", new)).json["code"]
        self.come_along(new)

    def come_along(self, new):
        if self.b.teams()["Home"]["id"] != new:
            outcome = self.accept()
            self.case.assertTrue(outcome.ok, outcome)
        self.assertInNew(new)

    def assertInNew(self, new):
        self.case.assertEqual(self.b.teams()["Home"]["id"], new)
        self.b.meets(self.a)
        device = self.b.teams()["Home"]["deviceID"]
        self.case.assertEqual(device, self.case.world["machines"]["b"]["teams"]["Home"]["deviceID"])
        self.case.assertEqual([device], [entry["deviceID"] for entry in self.a.devices(new)])
        self.a.must("team", "invite", "--team", new)


class RenewAtMember(Renew):
    """One that comes along."""

    target = "b"
    others = "a"

    def prepare(self):
        self.code = self.a.must("team", "renew", "--team", self.home, "--yes").json["code"]

    def take(self):
        return self.accept()

    def check(self, outcome):
        new = self.a.teams()["Home"]["id"]
        if outcome.ok:
            self.case.assertEqual(self.b.teams()["Home"]["id"], new)
        # The code is good for it as often as it takes.
        self.come_along(new)


class Seal(Step):
    changed = ("Home",)

    def prepare(self):
        passphrase = self.case.directory / "passphrase"
        passphrase.write_text("correct horse battery staple\n")
        self.passphrase = ("--team", self.home, "--passphrase-file", str(passphrase))

    def take(self):
        return self.a.attempt("team", "passphrase", *self.passphrase, limit=PASSPHRASE_LIMIT)

    def check(self, outcome):
        is_sealed = self.a.teams()["Home"].get("passphrase", False)
        self.case.assertTrue(is_sealed or not outcome.ok)
        if is_sealed:
            locked = self.a.attempt("team", "invite", "--team", self.home)
            self.case.assertEqual(locked.reason, "passphraseNeeded")
            self.a.must("team", "unlock", *self.passphrase, limit=PASSPHRASE_LIMIT)
        self.a.must("team", "invite", "--team", self.home)


STEPS = [
    Create, Invite, Join, JoinAsMember, Leave, Revoke, RevokeAtMember, AddAddress, RemoveAddress, Request, Approve, Import,
    Start, Stop,
]
if has_verb("team", "backup"):
    STEPS += [BackUp, Restore]
if has_verb("team", "promote"):
    STEPS += [Promote, PromoteAtMember, Renew, RenewAtMember, Seal]
