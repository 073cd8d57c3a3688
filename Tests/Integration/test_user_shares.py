# SPDX-License-Identifier: Apache-2.0
"""What there is a limited number of: one user takes until it is refused, and the others and root get theirs all the same."""
# Labs: lo
import resource
import select
import socket

from lab import VarlinkError, wait_until
from test_users import UsersTests
from users import answers, call, connect

HOG, SECOND, THIRD = 61001, 61002, 61003
# Who come later, one after the other.
LATER = range(62001, 63000)
# The shares in Sources/Core/Activity/Limits, and the limits of single files that are for each user.
TEAMS, TEAMS_OF_ONE, TEAMS_OF_USERS = 32, 16, 28
ADDRESSES_OF_ONE, ADDRESSES_OF_THE_SATED = 64, 72
CONNECTIONS, CONNECTIONS_OF_ONE, CONNECTIONS_OF_THE_SATED, CONNECTIONS_OF_USERS = 2048, 1024, 1408, 1920
ACTIVITIES_OF_ONE, CONTINUATIONS_OF_ONE = 160, 64
REQUESTS_OF_ONE = 16
JOINS, JOINS_OF_ONE, JOINS_OF_USERS = 16, 4, 15
FAILURES = 32


class ShareTests(UsersTests):
    def take(self, user, method, **parameters):
        """What a user gets; None where there is no more for it."""
        try:
            return call(self.here, user, method, **parameters)
        except VarlinkError as error:
            self.assertIn(error.reason, ("limitReached", "teamLimitReached"))

    def take_all(self, take, limit):
        """How often `take` gets something; more than `limit` is a fault."""
        count = 0
        while count <= limit and take(count):
            count += 1
        return count

    def test_teams(self):
        def create(user):
            return self.take(user, "CreateTeam", name=f"Team of {user}")

        self.assertEqual(self.take_all(lambda _: create(HOG), TEAMS), TEAMS_OF_ONE)
        self.assertTrue(create(SECOND))
        # Now more are for who has none.
        self.assertIsNone(create(SECOND))
        self.assertEqual(self.take_all(lambda number: create(LATER[number]), TEAMS), TEAMS_OF_USERS - TEAMS_OF_ONE - 1)
        self.assertIsNone(create(THIRD))
        self.assertEqual(self.take_all(lambda _: create(0), TEAMS), TEAMS - TEAMS_OF_USERS)
        # What somebody gives back is another's.
        call(self.here, HOG, "LeaveTeam", team=call(self.here, HOG, "ListTeams")["teams"][0]["id"])
        self.assertTrue(create(0))
        self.assertIsNone(create(HOG))

    def test_addresses(self):
        teams = {
            user: call(self.here, user, "CreateTeam", name="Mine")["team"]["id"] for user in (HOG, SECOND, THIRD, 0)}

        def add(user, number):
            address = f"192.0.2.{number + 1}:{1024 + user % 60000}"
            return self.take(user, "AddPeer", address=address, team=teams[user])

        self.assertEqual(self.take_all(lambda number: add(HOG, number), 128), ADDRESSES_OF_ONE)
        rest = ADDRESSES_OF_THE_SATED - ADDRESSES_OF_ONE
        self.assertEqual(self.take_all(lambda number: add(SECOND, number), 128), rest)
        self.assertTrue(add(THIRD, 0))
        self.assertIsNone(add(THIRD, 1))
        self.assertEqual(self.take_all(lambda number: add(0, number), 128), 128 - ADDRESSES_OF_THE_SATED - 1)
        for user in (HOG, SECOND, THIRD):
            self.assertFalse(add(user, 200))
        self.assertEqual(len(call(self.here, THIRD, "ListStaticPeers")["peers"]), 1)

    def test_connections(self):
        limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (limit, most))
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, most), most))
        self.there.terminate()

        def open_one(user):
            """Whether a connection is served; one that is, stays."""
            connection = connect(self.here, user)
            try:
                return connection.call("GetStatus")
            except (EOFError, BrokenPipeError, ConnectionResetError):
                connection.close()

        self.assertEqual(self.take_all(lambda _: open_one(HOG), CONNECTIONS), CONNECTIONS_OF_ONE)
        self.assertTrue(open_one(SECOND))
        self.assertTrue(open_one(0))
        begun, sated = CONNECTIONS_OF_ONE + 2, 0
        while begun < CONNECTIONS_OF_THE_SATED:
            begun += self.take_all(lambda _: open_one(LATER[sated]), CONNECTIONS)
            sated += 1
        self.assertEqual(begun, CONNECTIONS_OF_THE_SATED)
        self.assertIsNone(open_one(SECOND))
        begun += self.take_all(lambda number: open_one(LATER[sated + number]), CONNECTIONS)
        self.assertEqual(begun, CONNECTIONS_OF_USERS)
        self.assertIsNone(open_one(THIRD))
        self.assertEqual(self.take_all(lambda _: open_one(0), CONNECTIONS), CONNECTIONS - CONNECTIONS_OF_USERS)

    def test_joins(self):
        team = self.there.call("CreateTeam", name="Gone")["team"]["id"]
        code = self.there.call("InviteDevice", team=team)["code"]
        self.there.call("LeaveTeam", team=team)
        # Whoever gave the code out is looked for, for 10 s.
        begun = []

        def begin(user, count, refused):
            """A user joins so often at once, and some of that is refused."""
            connections = [connect(self.here, user) for _ in range(count)]
            for connection in connections:
                connection.send("JoinTeam", {"code": code})
            wait_until(lambda: len(self.answered(connections)) == refused, "the refusals")
            for connection in self.answered(connections):
                self.assertEqual(answers(connection)[0]["parameters"]["reason"], "limitReached")
                connections.remove(connection)
            begun.extend(connections)

        for user in (HOG, SECOND, THIRD):
            begin(user, JOINS_OF_ONE + 1, 1)
        for number in range(JOINS_OF_USERS - 3 * JOINS_OF_ONE):
            begin(LATER[number], 2, 1)
        begin(LATER[100], 1, 1)
        begin(0, JOINS - JOINS_OF_USERS + 1, 1)
        self.assertEqual(len(begun), JOINS)
        self.assertEqual(self.answered(begun), [])

    def answered(self, connections):
        """Those of them that something has come over."""
        sockets = select.select([connection.socket for connection in connections], [], [], 0)[0]
        return [connection for connection in connections if connection.socket in sockets]

    def test_diagnoses(self):
        # A machine that takes connections, and says nothing: looking at it takes seconds.
        silent = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.addCleanup(silent.close)
        peer = f"127.0.0.1:{silent.getsockname()[1]}"
        for user in (HOG, SECOND, THIRD, *LATER[:3]):
            call(self.here, user, "CreateTeam", name="Mine")
        started = []

        def diagnose(user):
            connection = connect(self.here, user).more("Diagnose", peer=peer)
            try:
                connection.receive()
            except VarlinkError as error:
                return self.assertEqual(error.reason, "limitReached")
            started.append(connection)
            return connection

        self.assertEqual(self.take_all(lambda _: diagnose(HOG), 6), 2)
        self.assertEqual(self.take_all(lambda _: diagnose(SECOND), 6), 1)
        self.assertEqual(self.take_all(lambda number: diagnose((THIRD, *LATER)[number]), 6), 2)
        self.assertEqual(self.take_all(lambda _: diagnose(0), 6), 1)
        # None of them has ended meanwhile.
        for connection in started:
            self.assertGreater(len(answers(connection)), 2)
        self.assertTrue(diagnose(HOG))

    def test_activities(self):
        def become_current(user):
            connection = connect(self.here, user).more("BecomeCurrent", activity={"activityType": "org.example.one"})
            try:
                return connection.receive()["event"] == "current"
            except VarlinkError as error:
                return self.assertEqual(error.reason, "limitReached")

        self.assertEqual(self.take_all(lambda _: become_current(HOG), 200), ACTIVITIES_OF_ONE)
        for user in (SECOND, THIRD, 0):
            self.assertTrue(become_current(user))

    def test_membership_requests(self):
        self.there.call("CreateTeam", name="Ours")

        def request(user):
            return self.there.call("ApproveRequest", request=call(self.here, user, "RequestMembership")["request"])["approval"]

        second, first = request(SECOND), request(HOG)
        for _ in range(REQUESTS_OF_ONE - 1):
            last = request(HOG)
        self.assertTrue(call(self.here, HOG, "ImportApproval", approval=first))
        call(self.here, HOG, "LeaveTeam", team="Ours")
        first = request(HOG)
        for _ in range(2 * REQUESTS_OF_ONE):
            last = request(HOG)
        roots = request(0)
        # Its own oldest are forgotten, and nobody else's.
        self.assertFails("approvalInvalid", call, self.here, HOG, "ImportApproval", approval=first)
        for user, approval in ((HOG, last), (SECOND, second), (0, roots)):
            self.assertEqual(call(self.here, user, "ImportApproval", approval=approval)["team"]["name"], "Ours")
            call(self.here, user, "LeaveTeam", team="Ours")

    def join(self):
        """The two machines' daemons are of one team, and users of this one, too."""
        self.team = self.there.call("CreateTeam", name="Ours")["team"]["id"]
        for user in (HOG, SECOND, 0):
            code = self.there.call("InviteDevice")["code"]
            call(self.here, user, "JoinTeam", code=code, address=f"127.0.0.1:{self.there.port}")
        self.here.wait_for_sessions()

    def test_continuations(self):
        self.join()
        taken = {}
        for user, count in ((SECOND, 1), (0, 1), (HOG, CONTINUATIONS_OF_ONE + 1)):
            for number in range(count):
                origin, activity = self.there.publish(supportsContinuationStreams=True)
                self.here.wait_for_offer(activity)
                call(self.here, user, "Continue", id=activity)
                taken.setdefault(user, []).append((origin, activity))
                if number > 1:
                    origin.close()
        # Its own oldest is forgotten, and nobody else's.
        oldest = taken[HOG].pop(0)[1]
        opener = connect(self.here, HOG)
        opener.send("OpenStream", {"activity": oldest}, upgrade=True)
        self.assertEqual(answers(opener)[0]["parameters"]["reason"], "activityNotFound")
        for user in (HOG, SECOND, 0):
            origin, activity = taken[user][0]
            opener = connect(self.here, user)
            opener.send("OpenStream", {"activity": activity}, upgrade=True)
            origin.receive_until(lambda reply: reply["event"] == "streamRequested")

    def test_failed_continuations(self):
        def fail(user):
            activity = "00000000-0000-4000-8000-000000000000"
            self.assertFails("activityNotFound", call, self.here, user, "Continue", id=activity)

        def remembers(user):
            connection = connect(self.here, user).more("Diagnose")
            checks = [answer["parameters"] for answer in answers(connection)]
            return [check.get("reason") for check in checks if check["check"] == "continuation"] == ["activityNotFound"]

        for user in (HOG, SECOND, THIRD, 0):
            call(self.here, user, "CreateTeam", name="Mine")
        self.assertFalse(remembers(SECOND))
        fail(SECOND)
        fail(0)
        for _ in range(10 * FAILURES):
            fail(HOG)
        for user in (HOG, SECOND, 0):
            self.assertTrue(remembers(user), user)
        self.assertFalse(remembers(THIRD))
