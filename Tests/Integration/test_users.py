# SPDX-License-Identifier: Apache-2.0
"""What users of one machine can do to each other by the control interface: nothing, nor find out what the others have.

Each method is called with the names of each user's things, by each other user, and has to answer as it does where nothing has
such a name. Then the things' own user calls it, or root, so that it is known that there was something.
"""
# Labs: lo
import json
import os
import pathlib
import re
import subprocess

from lab import BUILD, PATIENCE, ROOT, LabTest, wait_until
from users import PASSPHRASE, Nobody, Owner, answers, call, connect, silent

USERS = (61001, 61002, 61003)
# Has nothing here.
GUEST = 61004


def activity(o, name, **members):
    return {"activity": {"id": getattr(o, name), "activityType": o.type, **members}}


# What every method may be asked about the things of `o`. With `more` or `upgrade` where it must be. One without parameters
# needs no line.
MORE, UPGRADE = {"more": True}, {"upgrade": True}
INTERFACE = (ROOT / "Documentation/reference/io.baton.Handoff.varlink").read_text()
METHODS = {name: ({}, lambda o: [{}]) for name in re.findall(r"(?m)^method (\w+)\(\)", INTERFACE)} | {
    # An activity of an ID that is another's is refused as that: nobody guesses one, of 122 random bits.
    "BecomeCurrent": (MORE, lambda o: [
        {"activity": {"activityType": "org.example.mine"}, "team": team} for team in (o.team, o.name)]),
    "SendActivity": (MORE, lambda o: [
        {"activity": {"activityType": "org.example.mine"}, "deviceID": o.peer, **team}
        for team in ({}, {"team": o.team}, {"team": o.name})]),
    "UpdateActivity": ({}, lambda o: [activity(o, "current", title="Mine"), activity(o, "taken")]),
    "ResignCurrent": ({}, lambda o: [{"id": o.current}, {"id": o.taken}]),
    "ListOffers": ({}, lambda o: [{}, {"team": o.team}, {"team": o.name}, {"activityType": o.type}]),
    "Continue": ({}, lambda o: [{"id": o.offer}, {"id": o.offer, "deviceID": o.peer}, {"id": o.received}, {"id": o.current}]),
    "RegisterApplication": (MORE, lambda o: [{"activityTypes": [o.type]}]),
    "OpenOffer": ({}, lambda o: [{"id": o.offer}, {"id": o.offer, "deviceID": o.peer}]),
    # For an app that no program of the caller is; otherwise, the caller's own launcher would be asked.
    "OpenActivity": ({}, lambda o: [{"activity": {"activityType": "com.apple.corespotlightitem"}}]),
    "RegisterLauncher": (MORE, lambda o: [{"activityTypes": [o.type]}]),
    "ReportLaunch": ({}, lambda o: [
        {"launch": o.launch, "state": state} for state in ("launching", "continued", "failed")]),
    "OpenStream": (UPGRADE, lambda o: [{"activity": o.received}, {"activity": o.taken}, {"activity": o.offer}]),
    "AcceptStream": (UPGRADE, lambda o: [{"stream": o.token}]),
    "AwaitStream": ({}, lambda o: [{"stream": o.stream}]),
    "RegisterIndex": (MORE, lambda o: [{}]),
    "SendIndexMessage": ({}, lambda o: [
        {"team": team, "deviceID": o.peer, "message": {"kind": "pull"}} for team in (o.team, o.name)]),
    "AcceptName": ({}, lambda o: [{"deviceID": o.peer, **team} for team in ({}, {"team": o.team}, {"team": o.name})]),
    "AddPeer": ({}, lambda o: [{"address": o.address, "team": o.team}, {"address": o.address, "team": o.name}]),
    "RemovePeer": ({}, lambda o: [{"address": o.address, "team": o.team}, {"address": o.address}]),
    "CreateRendezvous": ({}, lambda o: [
        {"servers": ["192.0.2.1"], "relays": [], "team": team, "replace": True} for team in (o.team, o.name)]),
    "RequestRendezvous": ({}, lambda o: [{"team": o.team, "replace": True}, {"team": o.name, "replace": True}]),
    # Nobody here is an operator of servers.
    "AuthorizeRendezvous": ({}, lambda o: [{"request": "{}"}, {"request": "{}", "organization": o.name}]),
    "ImportRendezvous": ({}, lambda o: [{"approval": "{}", "team": o.team}, {"approval": "{}", "team": o.name}]),
    "RemoveRendezvous": ({}, lambda o: [{"team": o.team}, {"team": o.name}]),
    "Diagnose": (MORE, lambda o: [{"peer": o.peer}, {"peer": o.peer[:8]}]),
    "CreateTeam": ({}, lambda o: [{"name": o.name}]),
    "InviteDevice": ({}, lambda o: [{"team": o.team}, {"team": o.name}, {"team": o.team.lower()}]),
    "JoinTeam": ({}, lambda o: [{"code": o.code}, {"code": o.code, "replaces": o.team}]),
    "ApproveRequest": ({}, lambda o: [{"request": o.request, "team": o.team}, {"request": o.request, "team": o.name}]),
    "ImportApproval": ({}, lambda o: [{"approval": o.approval}]),
    "ListDevices": ({}, lambda o: [{"team": o.team}, {"team": o.name}]),
    "RevokeDevice": ({}, lambda o: [{"device": o.peer, "team": o.team}, {"device": o.peer}, {"device": o.peer[:8]}]),
    "PromoteDevice": ({}, lambda o: [{"device": o.peer, "team": o.team}, {"device": o.peer}]),
    "RenewTeam": ({}, lambda o: [{"team": o.team}, {"team": o.name}]),
    "UnlockTeam": ({}, lambda o: [{"team": o.team, "passphrase": PASSPHRASE}]),
    "SetPassphrase": ({}, lambda o: [{"team": o.team, "passphrase": PASSPHRASE}, {"team": o.name}]),
    "BackUpTeam": ({}, lambda o: [{"team": o.team, "passphrase": PASSPHRASE}]),
    # Who has both, the file and its passphrase, has the team: these are no secret of the users' of this machine.
    "RestoreTeam": ({}, lambda o: [{"backup": o.backup, "passphrase": "not that passphrase"}]),
    "LeaveTeam": ({}, lambda o: [{"team": o.team}, {"team": o.name}]),
}
# Things that last for seconds only, made when their turn comes; their user has them to the end, root never.
BRIEF = {"ReportLaunch": Owner.open_offer, "AcceptStream": Owner.ask_for_a_stream}
# What is answered after seconds is asked by all at once.
SLOW = {"JoinTeam"}
# Of the programs of one user; root's are as anybody's.
NOT_ROOTS = {"UpdateActivity", "ResignCurrent", "ReportLaunch", "SendIndexMessage", "AcceptStream", "ImportApproval"}
# What takes or ends something that the others need: see `do_the_rest`.
LAST = {"OpenOffer", "OpenActivity", "Continue", "OpenStream", "AwaitStream", "RevokeDevice", "RenewTeam", "LeaveTeam"}


class UsersTests(LabTest):
    labs = ("lo",)
    time_limit = 600

    def setUp(self):
        super().setUp()
        if pathlib.Path("/proc/self/uid_map").read_text().split()[2] == "1":
            self.skipTest("needs root, because there is only one user")
        # Others reach the sockets in it.
        self.directory.chmod(0o755)
        self.here = self.batond("here").start()
        self.there = self.batond("there").start()


class MatrixTests(UsersTests):
    def setUp(self):
        super().setUp()
        self.owners = [Owner(self, self.here, self.there, user) for user in USERS]

    def ask(self, user, method, parameters):
        """What a user is answered, as text that anybody's things may stand in: a function, as some answers take their time."""
        connection = connect(self.here, user)
        connection.send(method, parameters, **METHODS[method][0])

        def answer():
            replies = answers(connection)
            connection.close()
            return json.dumps(replies, sort_keys=True)

        if method in SLOW:
            return answer
        text = answer()
        return lambda: text

    def compare(self, method, owner, callers):
        """Whether all callers are answered as if the owner had nothing."""
        nobody, both = Nobody(owner), []
        for caller in callers:
            for real, false in zip(METHODS[method][1](owner), METHODS[method][1](nobody)):
                both.append((caller, real, self.ask(caller, method, real), self.ask(caller, method, false)))
        for caller, parameters, answer, control in both:
            with self.subTest(method=method, parameters=str(parameters)[:200], owner=owner.user, caller=caller):
                answer, control = self.plain(answer(), owner), self.plain(control(), nobody)
                self.assertEqual(answer, control)
                self.assertNotIn(str(owner.user), answer)

    def plain(self, answer, owner):
        """An answer without what is named in it: that was asked for."""
        for name in ("team", "name", "peer", "address", "type"):
            answer = answer.replace(getattr(owner, name), f"<{name}>")
        answer = answer.replace(owner.peer[:8], "<peer>")
        # What is new each time, what counts, and times.
        answer = re.sub("failed (less than a minute|[0-9]+ minutes?) ago", "failed", answer)
        answer = re.sub(r'"(id|fingerprint|deviceID|expires|serial|admitted|request|roundTrip)": ("[^"]*"|[\d.]+)', r'"\1": 0', answer)
        answer = re.sub(r'"counters": {.*?}(, "current|, "device")', r'"counters": {}\1', answer)
        return re.sub(r"(?m)baton_[a-z_]+(\{[^}]*\})? [\d.]+", "", re.sub(r'"text": ".*"', '"text": ""', answer))

    def test_nobody_meets_what_is_anothers(self):
        described = self.here.connect().call(
            "org.varlink.service.GetInterfaceDescription", interface="io.baton.Handoff")["description"]
        # A new method with parameters needs a line above.
        self.assertEqual(sorted(re.findall(r"(?m)^method (\w+)", described)), sorted(METHODS))
        before = [owner.view() for owner in self.owners]
        for method in METHODS:
            for owner in self.owners:
                rivals = self.rivals(owner) if method == "ReportLaunch" else []
                brief = BRIEF[method](owner) if method in BRIEF else None
                callers = [user for user in (*USERS, GUEST) if user != owner.user]
                self.compare(method, owner, callers + [0] * (method in NOT_ROOTS))
                if brief:
                    self.finish(method, owner, brief)
                self.assertTrue(all(map(silent, rivals)))
                for rival in rivals:
                    rival.close()
                self.clean(method)
            self.assertEqual([owner.view() for owner in self.owners], before, method)
        for owner in self.owners:
            self.assertTrue(silent(owner.watch) and silent(owner.taken_from) and silent(owner.launcher), owner.user)
        # Numbers say nothing of others either.
        status = call(self.here, GUEST, "GetStatus")
        self.assertEqual([status.get(name) for name in ("teams", "current", "sessions", "streams")], [[], None, 0, 0])
        self.see_that_there_was_something()

    def rivals(self, owner):
        """Programs of all others that would open the owner's offers; the newest of a user's are asked first."""
        rivals = []
        for user in (*USERS, GUEST):
            for method in ("RegisterLauncher", "RegisterApplication") * (user != owner.user):
                rivals.append(connect(self.here, user).more(method, activityTypes=[owner.type]))
                rivals[-1].receive()
        return rivals

    def clean(self, method):
        """What callers have made for themselves goes."""
        if method == "CreateTeam":
            for user in (*USERS, GUEST):
                own = [owner.team for owner in self.owners if owner.user == user]
                for team in call(self.here, user, "ListTeams")["teams"]:
                    if team["id"] not in own:
                        call(self.here, user, "LeaveTeam", team=team["id"])

    def finish(self, method, owner, brief):
        """The owner's program still has what others have tried to take."""
        self.assertTrue(silent(brief))
        if method == "ReportLaunch":
            owner.at_here("ReportLaunch", launch=owner.launch, state="continued")
            self.assertEqual(brief.receive(), {})
        else:
            connection = connect(self.here, owner.user)
            connection.upgrade("AcceptStream", stream=owner.token)
            brief.receive()
            connection.close()
            brief.close()
            wait_until(lambda: owner.at_here("GetStatus")["streams"] == 1, "the stream is over")

    def see_that_there_was_something(self):
        """One owner does all of it with its things, and root with another's, while the third sees nothing of that."""
        first, second, third = self.owners
        bystander = third.view()
        for owner, caller in ((first, first.user), (second, 0)):
            for method in METHODS:
                if method not in LAST and method not in BRIEF:
                    self.do(method, owner, owner.user if method in NOT_ROOTS else caller)
            self.do_the_rest(owner, caller)
            self.assertEqual(third.view(), bystander)

    def do(self, method, owner, caller):
        flags, calls = METHODS[method]
        parameters = calls(owner)[0]
        if method == "RestoreTeam":
            parameters = {**parameters, "passphrase": PASSPHRASE, "checkOnly": True}
        if method == "UnlockTeam":
            self.use(caller, "SetPassphrase", team=owner.team, passphrase=PASSPHRASE)
        if method == "AuthorizeRendezvous":
            # No server listens there, which the answer says.
            self.use(caller, "CreateRendezvous", servers=["127.0.0.1:1"], relays=[], organization=f"Example {caller}", replace=True)
            request = self.use(caller, "RequestRendezvous", team=owner.team, replace=True)["request"]
            parameters = {"request": request, "organization": f"Example {caller}"}
            self.let_in = self.use(caller, method, **parameters)["approval"]
        if method == "ImportRendezvous":
            parameters = {"approval": self.let_in, "team": owner.team}
        if method == "JoinTeam":
            late = self.batond(f"late{caller}").start()
            return owner.join(late, 0, caller)
        connection = connect(self.here, caller)
        connection.send(method, parameters, **flags)
        with self.subTest(control=method, owner=owner.user, caller=caller):
            for reply in answers(connection):
                self.assertNotIn("error", reply)
        connection.close()

    def use(self, caller, method, **parameters):
        connection = connect(self.here, caller)
        connection.send(method, parameters)
        reply, = answers(connection)
        self.assertNotIn("error", reply)
        return reply["parameters"]

    def do_the_rest(self, owner, caller):
        # The program that runs takes what the caller opens.
        opener = connect(self.here, caller)
        application = connect(self.here, caller).more("RegisterApplication", activityTypes=[owner.type])
        application.receive()
        opener.send("OpenOffer", {"id": owner.offer})
        self.assertEqual(application.receive()["id"], owner.offer)
        self.assertEqual(self.use(caller, "Continue", id=owner.offer)["activity"]["id"], owner.offer)
        self.assertEqual(opener.receive(), {})
        # What the caller gives itself is the caller's alone.
        self.use(caller, "OpenActivity", activity={"activityType": owner.type})
        opened = application.receive()["id"]
        for user in {0, *USERS, GUEST} - {caller}:
            self.assertFails("activityNotFound", call, self.here, user, "Continue", id=opened)
        self.assertEqual(self.use(caller, "Continue", id=opened)["activity"]["activityType"], owner.type)
        # A second stream.
        stream = connect(self.here, caller)
        stream.send("OpenStream", {"activity": owner.received}, upgrade=True)
        owner.accept()
        self.assertIn("stream", stream.receive())
        waiter = connect(self.here, caller)
        waiter.send("AwaitStream", {"stream": owner.stream})
        owner.opener.close()
        owner.far.close()
        waiter.receive()
        self.assertEqual(self.use(caller, "RevokeDevice", device=owner.peer, team=owner.team)["already"], False)
        renewed = self.use(caller, "RenewTeam", team=owner.team)["team"]["id"]
        self.use(caller, "LeaveTeam", team=renewed)
        left = [team["id"] for team in owner.at_here("ListTeams")["teams"]]
        self.assertTrue({owner.team, renewed}.isdisjoint(left), left)


# What another program asks for, which is root where it runs.
AS_ROOT = """
import json, os, socket, sys
assert os.getuid() == 0
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
connection.sendall(b'{"method":"io.baton.Handoff.ListTeams"}\\0')
print([team["name"] for team in json.loads(connection.recv(65536)[:-1])["parameters"]["teams"]])
"""


class FormerMemberTests(UsersTests):
    def test_who_has_left_a_team_meets_what_is_the_others(self):
        """A user leaves a team that another user of the machine is in."""
        team = self.there.call("CreateTeam", name="Shared")["team"]["id"]
        stays, leaves = USERS[:2]
        for user in (stays, leaves):
            invited = self.there.call("InviteDevice", team=team)["code"]
            call(self.here, user, "JoinTeam", code=invited, address=f"127.0.0.1:{self.there.port}")
        origin, activity = self.there.publish(team=team, title="Shared")
        for user in (stays, leaves):
            wait_until(lambda: call(self.here, user, "ListOffers")["offers"], "the offer")
        watch = connect(self.here, leaves).more("ListOffers")
        self.assertEqual(len(watch.receive()["offers"]), 1)
        own = connect(self.here, leaves).more("BecomeCurrent", activity={"activityType": "org.example.own"})
        own.receive()
        wait_until(lambda: "org.example.own" in [offer["activityType"] for offer in self.there.offers()], "its offer")
        call(self.here, leaves, "LeaveTeam", team=team)
        watch.receive_until(lambda reply: not reply["offers"])
        wait_until(lambda: not self.there.offers(), "its offer is gone")
        for method, parameters in (
            ("Continue", {"id": activity}), ("OpenOffer", {"id": activity}), ("ListDevices", {"team": team}),
            ("AddPeer", {"address": "192.0.2.1:1", "team": team}), ("ListOffers", {"team": team}), ("LeaveTeam", {"team": team}),
            ("RenewTeam", {"team": team}), ("BackUpTeam", {"team": team, "passphrase": PASSPHRASE}),
        ):
            reason = "activityNotFound" if "id" in parameters else "teamNotFound"
            self.assertFails(reason, call, self.here, leaves, method, **parameters)
        for method in ("ListTeams", "ListOffers", "ListPeers", "ListStaticPeers"):
            self.assertFalse(any(call(self.here, leaves, method).values()), method)
        self.assertEqual(call(self.here, stays, "Continue", id=activity)["activity"]["title"], "Shared")


class NamespaceTests(UsersTests):
    def test_a_user_whom_the_kernel_cannot_name_is_turned_away(self):
        """In a namespace with no other users all of them would be one."""
        alone = self.batond("alone", prefix=["unshare", "--user", "--map-root-user"]).start()
        alone.call("CreateTeam", name="Roots")
        for user in (USERS[0], 65534):
            connection = connect(alone, user)
            with self.assertRaises((EOFError, BrokenPipeError, ConnectionResetError)):
                connection.call("ListTeams")
        self.assertEqual([team["name"] for team in alone.call("ListTeams")["teams"]], ["Roots"])
        self.assertNotIn("65534", alone.log_text())

    def test_who_is_root_in_a_namespace_of_its_own_is_who_it_was(self):
        call(self.here, USERS[0], "CreateTeam", name="Mine")
        call(self.here, USERS[1], "CreateTeam", name="Others")
        user = ["setpriv", f"--reuid={USERS[0]}", f"--regid={USERS[0]}", "--clear-groups"]
        result = subprocess.run(
            [*user, "unshare", "--user", "--map-root-user", "/usr/bin/python3", "-c", AS_ROOT, self.here.socket],
            capture_output=True, timeout=PATIENCE, text=True,
        )
        self.assertEqual((result.stdout, result.stderr), ("['Mine']\n", ""))


# Listens on everything in the runtime directory of a user, as desktops and programs of Baton do, and writes down what is
# said there. A bus answers, so that more is said.
LISTENER = """
import os, pathlib, socket, sys, threading
folder = pathlib.Path(sys.argv[1])
heard = os.open(folder / "heard", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

def listen(name, kind):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    listener = socket.socket(socket.AF_UNIX, kind)
    listener.bind(str(path))
    return listener

def write(name, data):
    os.write(heard, repr((name, data)).encode() + b"\\n")

def send(connection, data):
    try:
        connection.sendall(data)
    except BrokenPipeError:
        pass

def hear(name, connection):
    while data := connection.recv(65536):
        write(name, data)
        if b"AUTH" in data:
            send(connection, b"OK 0123456789abcdef0123456789abcdef\\r\\nAGREE_UNIX_FD\\r\\n")

def serve(name, listener):
    listener.listen()
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=hear, args=(name, connection), daemon=True).start()

for name in sys.argv[2:]:
    threading.Thread(target=serve, args=(name, listen(name, socket.SOCK_STREAM))).start()
notify = listen("notify", socket.SOCK_DGRAM)
(folder / "ready").touch()
while True:
    write("notify", notify.recv(65536))
"""
LISTENS = ("baton/baton.sock", "baton/search.sock", "bus", "systemd/private", "wayland-0", "tmux", "tmux.baton-0")


class SuTests(UsersTests):
    """Root's commands after su, in the environment of the user before."""

    def setUp(self):
        super().setUp()
        self.runtime = self.directory / "runtime"
        self.runtime.mkdir(mode=0o700)
        os.chown(self.runtime, USERS[0], USERS[0])
        user = ["setpriv", f"--reuid={USERS[0]}", f"--regid={USERS[0]}", "--clear-groups"]
        self.spawn([*user, "/usr/bin/python3", "-c", LISTENER, self.runtime, *LISTENS])
        wait_until((self.runtime / "ready").exists, "all sockets are there")
        home = self.directory / "home"
        (home / ".config/baton").mkdir(parents=True)
        (home / ".config/baton/agent.conf").write_text("[Clipboard]\nShareWith=all\n")
        self.environment = {
            "HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": str(self.runtime),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.runtime}/bus", "NOTIFY_SOCKET": f"{self.runtime}/notify",
            "WAYLAND_DISPLAY": "wayland-0", "TMUX": f"{self.runtime}/tmux,1,0", "TMUX_PANE": "%0",
        }

    def heard(self):
        """What was said on each socket, except that root would like to speak."""
        lines = [eval(line) for line in (self.runtime / "heard").read_text().splitlines()]
        return [(name, data) for name, data in lines if not re.fullmatch(rb"\0AUTH EXTERNAL.*BEGIN\r\n", data, re.DOTALL)]

    def baton(self, *arguments, **environment):
        words = [BUILD / "baton", *arguments]
        return subprocess.run(
            words, env={**self.environment, **environment}, capture_output=True, timeout=PATIENCE, text=True,
            stdin=subprocess.DEVNULL,
        )

    def test_nothing_is_said_on_the_sockets_of_another_user(self):
        # The system has no daemon here.
        self.assertFalse(pathlib.Path("/run/baton/baton.sock").exists())
        for words in (
            ["status"], ["list"], ["advertise", "--type", "a.b"], ["send", "--later", "/etc/hostname", "desktop"], ["transfers"],
            ["search", "notes"], ["paste"], ["copy"], ["doctor"], ["terminal", "list"], ["terminal", "share"],
            ["complete", "--", "baton", "send", "--to", ""],
        ):
            result = self.baton(*words)
            if words[0] in ("status", "list", "advertise", "search", "paste"):
                self.assertEqual((result.returncode, result.stdout), (3, ""), words)
                self.assertIn(f"runs as user {USERS[0]}", result.stderr)
        for name, path in (("BATON_SOCKET", "baton/baton.sock"), ("BATON_SEARCH_SOCKET", "baton/search.sock")):
            command = "status" if name == "BATON_SOCKET" else "transfers"
            result = self.baton(command, **{name: f"{self.runtime}/{path}"})
            self.assertEqual(result.returncode, 3, name)
        user = self.batond("user", arguments=["--user"])
        words = [word for word in user.command() if word not in ("--socket", str(user.socket))]
        result = subprocess.run(words, env={**os.environ, **self.environment}, capture_output=True, text=True)
        self.assertEqual(result.returncode, 64, result.stderr)
        self.assertIn("XDG_RUNTIME_DIR isn't set, or is another user's", result.stderr)
        user = self.batond("user", prefix=["env", *(f"{name}={value}" for name, value in self.environment.items())]).start()
        log = self.directory / "agent.log"
        self.logs.append(log)
        with open(log, "wb") as file:
            agent = self.spawn(
                [BUILD / "baton", "agent", "--log-level", "debug", "--socket", user.socket], env=self.environment,
                stdin=subprocess.DEVNULL, stdout=file, stderr=file,
            )
        wait_until(lambda: "Registered with batond" in log.read_text(), "the agent runs")
        user.terminate()
        agent.terminate()
        self.assertEqual(agent.wait(PATIENCE), 0)
        self.assertEqual(self.heard(), [])
        self.assertEqual([path for path in self.runtime.rglob("*") if path.lstat().st_uid == 0], [])

    def test_a_socket_that_is_named_is_used(self):
        socket = f"{self.runtime}/baton/baton.sock"
        process = self.spawn([BUILD / "baton", "status", "--socket", socket], env=self.environment, stderr=subprocess.DEVNULL)
        wait_until(lambda: [name for name, _ in self.heard()] == ["baton/baton.sock"], "it is asked")
        process.kill()
        environment = {**self.environment, "XDG_RUNTIME_DIR": "", "BATON_SOCKET": socket}
        self.spawn([BUILD / "baton", "status"], env=environment, stderr=subprocess.DEVNULL)
        wait_until(lambda: len(self.heard()) == 2, "it is asked again")
