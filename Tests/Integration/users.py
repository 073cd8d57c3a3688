# SPDX-License-Identifier: Apache-2.0
"""Users of a daemon. The kernel tells it whose a connection is when it is made, so this process makes it as that user."""
import base64
import contextlib
import hashlib
import json
import os
import secrets
import uuid

from lab import PATIENCE, Varlink, wait_until

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
STANDARD = "abcdefghijklmnopqrstuvwxyz234567"
PASSPHRASE = "a long passphrase"


def base32(data):
    return base64.b32encode(data).decode().rstrip("=").lower().translate(str.maketrans(STANDARD, DIGITS))


@contextlib.contextmanager
def being(user):
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)


def connect(daemon, user, timeout=PATIENCE):
    """A connection of this user, closed at the test's end."""
    with being(user):
        connection = Varlink(daemon.socket, timeout)
    daemon.case.addCleanup(connection.close)
    return connection


def call(daemon, user, method, **parameters):
    with contextlib.closing(connect(daemon, user)) as connection:
        return connection.call(method, **parameters)


def answers(connection):
    """All replies to a call until one says that none follows, or that something goes on for as long as the connection."""
    replies = []
    while True:
        while b"\0" not in connection.buffer:
            if not (chunk := connection.socket.recv(65536)):
                return replies + ["closed"]
            connection.buffer += chunk
        message, connection.buffer = connection.buffer.split(b"\0", 1)
        reply = json.loads(message)
        replies.append(reply)
        if not reply.pop("continues", False) or "check" not in reply["parameters"]:
            return replies


def silent(connection):
    """Whether nothing has come over a connection."""
    connection.socket.setblocking(False)
    try:
        return not connection.buffer and not connection.socket.recv(1)
    except BlockingIOError:
        return True
    finally:
        connection.socket.settimeout(PATIENCE)


def code(team):
    """An invitation that nobody has given out."""
    content = team + base32(secrets.token_bytes(16))
    return content + base32(hashlib.sha256(content.encode()).digest())[:4]


class Nobody:
    """The names of things that are not there, in the form of those of `owner`."""

    def __init__(self, owner):
        self.team = base32(secrets.token_bytes(8))[:10]
        self.name = "Team 60000"
        self.type = "org.example.user60000"
        self.peer = base32(secrets.token_bytes(32))
        self.address = "192.0.2.250:22866"
        self.code = code(self.team)
        for activity in ("current", "taken", "received", "offer"):
            setattr(self, activity, str(uuid.uuid4()))
        self.token, self.launch = "999999", "999999"
        self.stream = owner.stream.rsplit("-", 1)[0] + "-999999"
        self.approval, self.backup = owner.approval_of_nobody, owner.backup_of_nobody
        self.request = owner.request


class Owner:
    """A user of two machines, who has there one of everything that somebody's is."""

    def __init__(self, case, here, there, user):
        self.case, self.here, self.there, self.user = case, here, there, user
        self.name = f"Team {user}"
        self.type = f"org.example.user{user}"
        self.address = f"192.0.2.{user % 100}:22866"
        self.make_team()
        self.make_files()
        self.received, self.stream = self.continue_here()
        self.taken = self.continue_there()
        self.watch, self.current = self.become_current(self.here, "current")
        self.offered, self.offer = self.become_current(self.there, "offer")
        wait_until(lambda: self.offer in [offer["id"] for offer in self.at_here("ListOffers")["offers"]], "the offer")
        self.launcher = connect(self.here, user).more("RegisterLauncher", activityTypes=[self.type])
        self.launcher.receive()

    def at_here(self, method, **parameters):
        return call(self.here, self.user, method, **parameters)

    def at_there(self, method, **parameters):
        return call(self.there, self.user, method, **parameters)

    def make_team(self):
        self.team = self.at_here("CreateTeam", name=self.name)["team"]["id"]
        self.join(self.there, self.user)
        peers = wait_until(
            lambda: [peer for peer in self.at_here("ListPeers")["peers"] if peer["state"] == "connected"], "the session")
        self.peer = peers[0]["deviceID"]
        self.at_here("AddPeer", address=self.address)
        # Of this team, and not to be used.
        self.code = code(self.team)

    def join(self, machine, user, inviter=None):
        """Another machine enters the team with a code that `inviter` gets."""
        invited = call(self.here, self.user if inviter is None else inviter, "InviteDevice", team=self.team)
        call(machine, user, "JoinTeam", code=invited["code"], address=f"127.0.0.1:{self.here.port}")

    def make_files(self):
        """A request, and its approval by a team of the other machine; another's request; backups."""
        self.at_there("CreateTeam", name=f"Elsewhere {self.user}")
        request = {"team": f"Elsewhere {self.user}"}
        self.approval = self.at_there("ApproveRequest", request=self.at_here("RequestMembership")["request"], **request)["approval"]
        self.request = self.at_there("RequestMembership")["request"]
        self.approval_of_nobody = self.at_there("ApproveRequest", request=self.request, **request)["approval"]
        self.backup = self.at_here("BackUpTeam", passphrase=PASSPHRASE)["backup"]
        self.backup_of_nobody = self.at_there("BackUpTeam", passphrase=PASSPHRASE, **request)["backup"]

    def become_current(self, machine, title):
        connection = connect(machine, self.user)
        activity = {"activityType": self.type, "title": f"{title} of {self.user}", "supportsContinuationStreams": True}
        connection.more("BecomeCurrent", activity=activity, team=self.team)
        return connection, connection.receive()["id"]

    def continue_here(self):
        """An activity of the other machine that was continued here, and its stream's name."""
        self.origin, activity = self.become_current(self.there, "received")
        self.take(self.here, activity)
        self.opener = connect(self.here, self.user)
        self.opener.send("OpenStream", {"activity": activity}, upgrade=True)
        self.far = self.accept()
        return activity, self.opener.receive()["stream"]

    def accept(self):
        """The other machine's end of a stream that this one has asked for."""
        requested = self.origin.receive_until(lambda reply: reply["event"] == "streamRequested")
        connection = connect(self.there, self.user)
        connection.upgrade("AcceptStream", stream=requested["stream"])
        return connection

    def continue_there(self):
        """One of this machine that was continued on the other."""
        self.taken_from, activity = self.become_current(self.here, "taken")
        self.take(self.there, activity)
        self.taken_from.receive_until(lambda reply: reply["event"] == "continued")
        return activity

    def take(self, machine, activity):
        wait_until(
            lambda: activity in [offer["id"] for offer in call(machine, self.user, "ListOffers")["offers"]], "the offer")
        call(machine, self.user, "Continue", id=activity)

    def ask_for_a_stream(self):
        """What this machine's app accepts with `token`; returns the other's connection."""
        opener = connect(self.there, self.user)
        opener.send("OpenStream", {"activity": self.taken}, upgrade=True)
        self.token = self.taken_from.receive_until(lambda reply: reply["event"] == "streamRequested")["stream"]
        return opener

    def open_offer(self):
        """The launcher is asked for `launch`; returns who waits for it."""
        opener = connect(self.here, self.user)
        opener.send("OpenOffer", {"id": self.offer})
        self.launch = self.launcher.receive_until(lambda reply: reply["event"] == "launchRequested")["launch"]
        return opener

    def view(self):
        """All that the user sees of what is there, but for what changes by itself."""
        view = {}
        for method in ("ListTeams", "ListDevices", "ListOffers", "ListPeers", "ListStaticPeers", "GetStatus"):
            parameters = {"team": self.team} if method == "ListDevices" else {}
            view[method] = self.at_here(method, **parameters)
        view["GetStatus"].pop("counters")
        for peer in view["ListPeers"]["peers"]:
            peer.pop("roundTrip", None)
        for peer in view["ListStaticPeers"]["peers"]:
            peer.pop("state"), peer.pop("reason", None)
        return view

    @property
    def names(self):
        """What tells that something of this user is there."""
        return {
            name: getattr(self, name)
            for name in ("team", "name", "type", "peer", "address", "current", "taken", "received", "offer", "stream")
        }
