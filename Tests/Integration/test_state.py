# SPDX-License-Identifier: Apache-2.0
"""What batond keeps on the disk: one daemon at a time, layouts before and after, and what is damaged."""
# Labs: lo
import pathlib
import shutil
import subprocess

from lab import PROMPT, LabTest

STATE = pathlib.Path(__file__).resolve().parent.parent / "State"
LAYOUTS = sorted(STATE.glob("layout-*"))


class StateTest(LabTest):
    labs = ("lo",)

    def machine(self, name, **options):
        return self.batond(name, arguments=["--no-discovery"], **options)

    def refusal(self, daemon, status):
        """What a daemon says that does not start."""
        result = subprocess.run(daemon.command(), capture_output=True, text=True, timeout=PROMPT, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, status, result.stderr)
        return result.stderr

    def doctor(self, daemon, status):
        """What the doctor says of the user's teams."""
        checks = daemon.json("doctor", status=status)["checks"]
        return [(check["outcome"], check["detail"]) for check in checks if check["check"] == "team"]

    def files(self, directory):
        """Every file with its content and mode."""
        paths = sorted(path for path in directory.rglob("*"))
        return {path: (path.read_bytes() if path.is_file() else None, path.lstat().st_mode) for path in paths}


class OneDaemonTests(StateTest):
    def test_a_second_daemon_is_refused_and_the_first_goes_on(self):
        first = self.machine("first")
        first.start()
        first.baton("team", "create", "Home")
        second = self.machine("second")
        second.state = first.state
        said = self.refusal(second, 69)
        self.assertIn(str(first.state), said)
        first.baton("team", "create", "Work")
        self.assertEqual(len(first.json("team", "list")["teams"]), 2)
        first.kill()
        second.start()
        self.assertEqual(len(second.json("team", "list")["teams"]), 2)

    def test_a_directory_open_to_others_is_closed_and_said(self):
        daemon = self.machine("open")
        daemon.state.mkdir()
        daemon.state.chmod(0o777)
        daemon.start()
        self.assertEqual(daemon.state.stat().st_mode & 0o777, 0o700)
        self.assertIn("777", daemon.log_text())


class LayoutTests(StateTest):
    def test_a_later_layout_is_refused_and_stays_as_it_is(self):
        daemon = self.machine("late")
        daemon.start()
        daemon.baton("team", "create", "Home")
        daemon.terminate()
        (daemon.state / "layout").write_text("7 7\n")
        before = self.files(daemon.state)
        said = self.refusal(daemon, 78)
        self.assertIn("later version", said)
        self.assertIn(str(daemon.state), said)
        self.assertEqual(self.files(daemon.state), before)

    def test_every_layout_is_read(self):
        self.assertTrue(LAYOUTS)
        for layout in LAYOUTS:
            with self.subTest(layout=layout.name):
                credentials = pathlib.Path(self.directory) / f"credentials-{layout.name}"
                credentials.mkdir()
                shutil.copy(STATE / "sealed.key", credentials / "baton.state-key")
                daemons = {}
                for name in ("administrator", "member", "sealed"):
                    prefix = ["env", f"CREDENTIALS_DIRECTORY={credentials}"] if name == "sealed" else []
                    daemon = self.machine(f"{layout.name}-{name}", prefix=prefix)
                    shutil.copytree(layout / name, daemon.state)
                    daemons[name] = daemon.start()
                administrator = daemons["administrator"]
                self.assertEqual([team["name"] for team in administrator.json("team", "list")["teams"]], ["Home"])
                self.assertEqual(administrator.json("peer", "list")["peers"][0]["address"], "nas.example:22866")
                devices = administrator.json("team", "devices")["devices"]
                self.assertEqual([device["name"] for device in devices], ["member", "sealed", ""])
                self.assertIsNotNone(devices[2].get("revoked"))
                # They meet, and one is removed.
                for name in ("member", "sealed"):
                    daemons[name].baton("peer", "add", f"127.0.0.1:{administrator.port}", "--team", "Home")
                administrator.wait_for_sessions(2)
                administrator.baton("team", "revoke", "member")
                administrator.wait_for_sessions(1)
                self.assertEqual(daemons["sealed"].json("status")["sessions"], 1)


class DamageTests(StateTest):
    def test_a_team_that_cannot_be_used_is_not_taken_for_none(self):
        daemon = self.machine("damaged")
        daemon.start()
        daemon.baton("team", "create", "Home")
        daemon.baton("peer", "add", "nas.example")
        daemon.terminate()
        (certificate,) = daemon.state.glob("teams/*/ca.pem")
        good = certificate.read_bytes()
        addresses = (daemon.state / "static-peers.json").read_bytes()
        certificate.write_bytes(good[:-40])
        daemon.start()
        self.assertIn(str(certificate), daemon.log_text())
        daemon.baton("team", "list")
        self.assertIn("Home", daemon.last_error)
        self.assertIn(str(certificate), daemon.last_error)
        self.assertFails("storageFailed", daemon.call, "InviteDevice")
        (outcome, detail), = self.doctor(daemon, status=1)
        self.assertEqual(outcome, "failed")
        self.assertIn(str(certificate), detail)
        daemon.terminate()
        self.assertEqual((daemon.state / "static-peers.json").read_bytes(), addresses)
        certificate.write_bytes(good)
        daemon.start()
        self.assertEqual(daemon.json("peer", "list")["peers"][0]["address"], "nas.example:22866")

    def test_an_address_file_that_cannot_be_read_is_kept(self):
        daemon = self.machine("kept")
        daemon.start()
        daemon.baton("team", "create", "Home")
        daemon.baton("peer", "add", "nas.example")
        daemon.terminate()
        file = daemon.state / "static-peers.json"
        damaged = file.read_bytes()[:-5]
        file.write_bytes(damaged)
        daemon.start()
        daemon.baton("peer", "add", "other.example")
        aside = daemon.state / "static-peers.json.unreadable-1"
        self.assertEqual(aside.read_bytes(), damaged)
        # The daemon is alone in its team, and that is what is wrong first.
        (_, passed), (outcome, detail) = self.doctor(daemon, status=4)
        self.assertIn("Home", passed)
        self.assertEqual(outcome, "note")
        self.assertIn(str(aside), detail)
