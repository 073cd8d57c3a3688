# SPDX-License-Identifier: Apache-2.0
"""Daemons on this machine alone, some with faults, and what must be true of them after any.

Tests run in namespaces of their own (Scripts/run-faults makes them), so that ports are fixed and mounts are private.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
from lab import BUILD, PATIENCE, PROMPT, Batond, LabTest  # noqa: E402
from preload import Faults  # noqa: E402
import ring  # noqa: E402
from waiting import wait_until  # noqa: E402

# Everything, and not only a sample.
ALL = os.environ.get("FAULTS_ALL") == "1"
LIBRARY = os.environ.get("FAULTS_LIBRARY")
# Where world.py has left the state directories of a small world.
WORLD = pathlib.Path(os.environ.get("FAULTS_WORLD", "/nonexistent"))
PORTS = {name: 22001 + number for number, name in enumerate("abcemn")}


def has_verb(*words):
    """Whether `baton` knows it."""
    return subprocess.run([BUILD / "baton", *words, "--help"], capture_output=True).returncode == 0


def sample(points, count, most=False):
    """So many of the points, and in the gate half as many: the first, the last, and some between. With --all, all of them,
    unless `most` says otherwise."""
    points = list(points)
    if ring.IS_GATE:
        count = (count + 1) // 2
    if (ALL and not most) or len(points) <= count:
        return points
    if count == 1:
        return [points[len(points) // 2]]
    return [points[number * (len(points) - 1) // max(1, count - 1)] for number in range(count)]


class Outcome:
    """How a command of `baton` ended."""

    def __init__(self, status, output, errors):
        self.status, self.output, self.errors = status, output, errors.decode(errors="replace")
        self.ok = status == 0
        try:
            self.failure = json.loads(self.errors.splitlines()[-1])
        except (ValueError, IndexError):
            self.failure = {}
        self.reason = self.failure.get("reason")

    @property
    def json(self):
        return json.loads(self.output)

    def __str__(self):
        return f"status {self.status}: {self.output[:300]!r} {self.errors[:500]}"


class Machine(Batond):
    """A daemon that reaches others by their addresses, with a state directory of the world, or an empty one."""

    def __init__(self, case, name, state=None, faulty=False, arguments=(), prefix=()):
        super().__init__(case, None, name, case.directory, ["--port", str(PORTS[name]), "--no-discovery", *arguments])
        if state and state.exists():
            shutil.copytree(state, self.state, symlinks=True)
        self.faults = None
        if faulty:
            self.faults = Faults(case.directory / f"{name}.faults", LIBRARY, self.state)
        self.prefix = [*(self.faults.prefix if faulty else []), *prefix]
        self.said_before = 0
        self.may_be_killed = False

    @property
    def address(self):
        return f"127.0.0.1:{PORTS[self.name]}"

    def command(self, *more):
        state, socket = f"--state-directory={self.state}", f"--socket={self.socket}"
        level = ["--log-level", "debug"]
        return [*self.prefix, str(BUILD / "batond"), "--name", self.name, socket, state, *level, *self.arguments, *more]

    # Starting and stopping.

    def begin(self):
        """Starts it: None where it serves, or its exit status where it has refused to."""
        self.said_before = self.log.stat().st_size if self.log.exists() else 0
        self.spawn()
        end = time.monotonic() + PROMPT
        while time.monotonic() < end:
            if self.process.poll() is not None:
                self.assert_not_crashed()
                return self.process.returncode
            try:
                self.call("GetStatus")
                return None
            except (OSError, EOFError):
                time.sleep(0.005)
        self.kill()
        raise AssertionError(f"{self.name} neither serves nor refuses within {PROMPT} s; it says {self.said!r}")

    def start(self):
        status = self.begin()
        if status is not None:
            raise AssertionError(f"{self.name} refuses to start, with {status}: {self.said}")
        return self

    @property
    def said(self):
        """Its log since the last start."""
        return self.log.read_bytes()[self.said_before :].decode(errors="replace")

    def assert_not_crashed(self):
        code = self.process.poll()
        if code is not None and code < 0 and not self.may_be_killed:
            raise AssertionError(f"{self.name} was ended by signal {-code}; it says {self.said[-1500:]}")

    def stop(self):
        """Stops it, where it still runs."""
        if self.is_running:
            status = self.terminate(PROMPT)
            if status != 0 and not self.may_be_killed:
                raise AssertionError(f"{self.name} stops with {status}; it says {self.said[-1500:]}")
        elif self.process:
            self.assert_not_crashed()

    def end(self):
        if self.is_running:
            self.kill()

    # Commands.

    def attempt(self, *arguments, input=b"", limit=PROMPT):
        """Runs `baton`, however it ends."""
        try:
            done = subprocess.run(
                self.command_line(*arguments, "--json"), env=self.environment, input=input, capture_output=True,
                timeout=limit,
            )
        except subprocess.TimeoutExpired:
            raise AssertionError(f"baton {' '.join(arguments)} takes more than {limit} s") from None
        return Outcome(done.returncode, done.stdout, done.stderr)

    def must(self, *arguments, **options):
        outcome = self.attempt(*arguments, **options)
        if not outcome.ok:
            raise AssertionError(f"baton {' '.join(arguments)} on {self.name}: {outcome}")
        return outcome

    def teams(self):
        """By name."""
        return {team["name"]: team for team in self.must("team", "list").json["teams"]}

    def named_addresses(self):
        return {(peer["team"], peer["address"]) for peer in self.must("peer", "list").json["peers"]}

    def devices(self, team):
        return self.must("team", "devices", "--team", team).json["devices"]

    def connected(self, team):
        """The names of those that it is connected to in a team."""
        peers = self.must("peers").json["peers"]
        return {peer["device"] for peer in peers if peer["state"] == "connected" and peer["team"] == team}

    def verdict(self, other):
        """What the doctor says of another machine: None where all is well, or the reason."""
        report = self.attempt("doctor", other.address)
        checks = {check["check"]: check for check in report.json["checks"]}
        peer = checks.get("peer", {"outcome": "missing"})
        return None if peer["outcome"] == "passed" else peer.get("reason", peer["outcome"])

    def is_refused_by(self, other):
        """Waits until it is, as a removed device."""
        wait_until(lambda: self.verdict(other) == "certificateRevoked", f"{other.name} refuses {self.name}", PROMPT)

    def meets(self, other):
        wait_until(lambda: self.verdict(other) is None, f"{self.name} reaches {other.name}", PROMPT)

    # Files.

    def path(self, name):
        """A file of the state directory; `Home/ca.key` is one of the team Home's directory."""
        first, _, rest = name.partition("/")
        team = self.case.world["teams"].get(first)
        return self.state / "teams" / team["directory"] / rest if team else self.state / name

    def epoch(self):
        return int((self.state / "epoch").read_text())

    def leftovers(self):
        """What a crash left, and no start has removed."""
        found = [path for path in self.state.rglob("*") if path.name.startswith(".new") or path.name.endswith(".new")]
        return sorted(str(path.relative_to(self.state)) for path in found)


class FaultTest(LabTest):
    """A test with a copy of the world."""

    labs = (None,)
    time_limit = 3 * 60 * 60 if ALL else 300

    def setUp(self):
        self.world = json.loads((WORLD / "world.json").read_text())
        self.home = self.world["teams"]["Home"]["id"]
        self.points = 0

    def machine(self, name, **options):
        return Machine(self, name, WORLD / name, **options)

    def point(self, **names):
        """One of the points of a test, in a directory of its own; a failing one keeps no other from being tried."""
        return Point(self, names)

    def assertWhole(self, machine, without=(), extra=(), without_address=(), more_addresses=(), changed=()):
        """What was there is there: teams with their owners, addresses, and nothing half. To be called after a clean start.

        `without` and `extra` are the names of teams that may be gone, or come; `changed` of those that may be others."""
        before = self.world["machines"].get(machine.name, {"teams": {}, "addresses": [], "epoch": 0, "owners": {}})
        teams = machine.teams()
        for name, team in before["teams"].items():
            if name in changed:
                self.assertIn(name, teams)
            elif name not in without or name in teams:
                # A certificate may be another one by now, which ends later.
                held = teams.get(name) or {}
                expires = max(team["expires"], held.get("expires", 0))
                self.assertEqual({**held, "expires": expires}, {**team, "expires": expires},
                                 f"the team {name}; {machine.said[-1500:]}")
                self.assertGreaterEqual(held["expires"], team["expires"], "its certificate is an earlier one")
        new = set(teams) - set(before["teams"])
        self.assertLessEqual(new, set(extra))
        names = [path.name for path in (machine.state / "teams").iterdir()]
        directories = [name for name in names if name[0] != "." and "unreadable" not in name]
        self.assertEqual(len(directories), len(teams), f"half a team is left: {directories}")
        for name, owners in before["owners"].items():
            if name in teams:
                path = machine.state / "teams" / teams[name]["fingerprint"] / "team.json"
                held = json.loads(path.read_text())["owners"]
                self.assertEqual(held, owners, f"the owners of {name}")
        addresses = machine.named_addresses()
        identifiers = {team["id"]: teams[name]["id"] for name, team in before["teams"].items() if name in teams}
        expected = {
            (identifiers.get(team, team), address) for team, address in before["addresses"]
            if address not in without_address
        }
        gone = {team["id"] for name, team in before["teams"].items() if name not in teams}
        expected = {entry for entry in expected if entry[0] not in gone}
        self.assertLessEqual(expected, addresses, "addresses are gone")
        self.assertLessEqual({address for _, address in addresses - expected}, {*without_address, *more_addresses})
        self.assertGreater(machine.epoch(), before["epoch"])


class Point:
    """A context: a subtest with an empty directory, whose daemons are killed at its end."""

    def __init__(self, case, names):
        self.case, self.subtest = case, case.subTest(**names)

    def __enter__(self):
        case = self.case
        case.points += 1
        self.parent, self.logs, self.cleanups = case.directory, case.logs, case._cleanups
        case.directory = self.parent / f"point{case.points}"
        case.directory.mkdir()
        case.logs, case._cleanups = [], []
        self.subtest.__enter__()

    def __exit__(self, *error):
        case = self.case
        try:
            # Quietly: what matters has been asserted.
            for function, arguments, options in reversed(case._cleanups):
                function(*arguments, **options)
        finally:
            shutil.rmtree(case.directory, ignore_errors=True)
            case.directory, case.logs, case._cleanups = self.parent, self.logs, self.cleanups
        return self.subtest.__exit__(*error)
