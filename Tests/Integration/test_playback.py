# SPDX-License-Identifier: Apache-2.0
"""What is played: players that the test plays itself, on two machines with agents and session buses."""
# Labs: lo
import json
import os
import shlex
import subprocess
import time

from desktop import FakeServer
from lab import PATIENCE, LabTest, wait_until
from players import TYPE, FakePlayer, PlayingMachine, url, write_sound

ADDRESS = "https://podcast.example.org/12.ogg"


def cpu_time(process):
    """What a process has used, in seconds."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class PlaybackTest(LabTest):
    labs = ("lo",)

    def begin(self, receiver=True, configuration="", **environment):
        """A player on the laptop, and on the desktop one that can be started."""
        self.daemons = self.two()
        self.laptop, self.desktop = (PlayingMachine(self, daemon, **environment) for daemon in self.daemons)
        self.laptop.configure(configuration)
        self.desktop.add_player()
        self.laptop.start()
        if receiver:
            self.desktop.start()
        self.player = FakePlayer(self.laptop.bus)

    def fetch(self, offer):
        """Continues without playing anything."""
        return self.daemons[1].call("Continue", id=offer["id"])["activity"]

    def open(self, offer):
        return self.daemons[1].baton("open", offer["id"])


class OriginTests(PlaybackTest):
    def test_what_is_played_is_offered_with_the_position_of_the_fetch(self):
        self.begin(receiver=False)
        self.player.play(ADDRESS, "Episode 12", 60, **{"xesam:artist": ["Ada", "Bob"], "xesam:album": "Calls"})
        offer = self.desktop.wait_for_offer("Episode 12")
        before = self.laptop.position("org.example.Tape")
        activity = self.fetch(offer)
        info = activity["userInfo"]
        paused = self.player.wait_for("Pause")["position"] / 1e6
        self.assertLessEqual(before, info["positionMilliseconds"] / 1000 + 0.002)
        self.assertLessEqual(info["positionMilliseconds"] / 1000, paused)
        del info["positionMilliseconds"]
        self.assertEqual(info, {
            "url": ADDRESS, "lengthMilliseconds": 3_600_000, "artist": "Ada, Bob", "album": "Calls",
            "io.baton.desktopEntry": "org.example.Tape",
        })
        self.desktop.wait_for_no_offer()
        # It is offered again when the person plays it again here.
        self.player.set(PlaybackStatus="Playing", Rate=1.5)
        info = self.fetch(self.desktop.wait_for_offer("Episode 12"))["userInfo"]
        self.assertEqual(info["speedPercent"], 150)

    def test_the_track_and_its_position_belong_together(self):
        self.begin(receiver=False)
        self.player.play(ADDRESS, "First", 500)
        offer = self.desktop.wait_for_offer("First")
        # The agent asks again within a second.
        self.player.play(ADDRESS + "?2", "Second", 2)
        activity = self.fetch(offer)
        self.assertEqual((activity["title"], activity["userInfo"]["url"]), ("Second", ADDRESS + "?2"))
        self.assertLess(activity["userInfo"]["positionMilliseconds"], 60_000)

    def test_the_player_that_began_last_is_offered(self):
        self.begin(receiver=False)
        other = FakePlayer(self.laptop.bus, "org.example.Other")
        self.player.play(ADDRESS, "First")
        self.desktop.wait_for_offer("First")
        other.play(ADDRESS, "Second")
        self.desktop.wait_for_offer("Second")
        other.set(PlaybackStatus="Paused")
        self.desktop.wait_for_offer("First")
        self.player.set(PlaybackStatus="Paused")
        # The one that was paused last, and not the other.
        wait_until(lambda: self.player.calls("GetAll"), "it is asked")
        self.player.obey("leave")
        self.desktop.wait_for_offer("Second")
        other.process.kill()
        self.desktop.wait_for_no_offer()

    def test_what_cannot_go_on_elsewhere_is_not_offered(self):
        self.begin(receiver=False)
        sound = write_sound(self.laptop.home / "Music/sound.wav")
        letter = self.laptop.home / "letter.txt"
        letter.write_text("secret")
        marker = FakePlayer(self.laptop.bus, "marker")
        bad = [
            {"PlaybackStatus": "Stopped"}, {"CanSeek": False}, {"Position": None}, {"Position": "12"}, {"Position": -10**12},
            {"PlaybackStatus": 7}, {"PlaybackStatus": "Singing"}, {"Metadata": {}}, {"Metadata": {"xesam:url": 5}},
            {"Metadata": "none"}, {"Metadata": {"xesam:url": url(letter)}}, {"Metadata": {"xesam:url": "cdda://"}},
            {"Metadata": {"xesam:url": "https://ada:secret@example.org/a.ogg", "mpris:length": 5_000_000}},
            {"Metadata": {"xesam:url": "https://example.org/" + "a" * 5000, "mpris:length": 5_000_000}},
            # A live stream.
            {"Metadata": {"xesam:url": "https://radio.example.org/live"}},
            {"Metadata": {"xesam:url": f"file://elsewhere{sound}"}},
        ]
        good = {
            "PlaybackStatus": "Playing", "CanSeek": True, "Position": 5_000_000,
            "Metadata": {"xesam:url": url(sound), "xesam:title": "Good", "mpris:trackid": "/a"},
        }
        for number, change in enumerate(bad):
            self.player.set(**{**good, **change})
            # Whatever it was, the one that comes after it is seen.
            marker.play(ADDRESS, f"Marker {number}")
            self.desktop.wait_for_offer(f"Marker {number}")
            self.assertEqual(len(self.desktop.offers()), 1, change)
            marker.set(PlaybackStatus="Stopped")
            self.desktop.wait_for_no_offer()
        self.player.set(**good)
        self.desktop.wait_for_offer("Good")

    def test_browsers_are_not_offered(self):
        self.begin(receiver=False)
        for name in ("firefox.instance_1_2", "chromium.instance7", "plasma-browser-integration"):
            FakePlayer(self.laptop.bus, name).play(ADDRESS, f"Page in {name}")
        self.player.play(ADDRESS, "Song")
        self.desktop.wait_for_offer("Song")
        self.player.set(PlaybackStatus="Stopped")
        self.desktop.wait_for_no_offer()

    def test_texts_are_cut_and_lies_are_left_out(self):
        self.begin(receiver=False)
        self.player.play(
            ADDRESS, "x\ny\x1b[31m" + "ä" * 3000, length=10**9, **{
                "xesam:artist": ["a" * 400, 7, "b"], "xesam:album": ["no", "text"],
                "xesam:asText": "lyrics " * 100_000, "xesam:comment": ["c" * 3000] * 100,
            },
        )
        # Without a length, an address is a live stream.
        self.player.obey("set", json.dumps({"Metadata": {
            "xesam:url": ADDRESS, "mpris:length": 60_000_000, "xesam:title": "x\ny\x1b[31m" + "ä" * 3000,
            "mpris:trackid": "not a path, but a text", "xesam:asText": "lyrics " * 100_000,
        }}))
        offer = wait_until(self.desktop.offers, "it is offered")[0]
        self.assertLessEqual(len(offer["title"].encode()), 512)
        self.assertNotIn("\n", offer["title"])
        self.assertNotIn("\x1b", offer["title"])
        self.assertEqual(set(self.fetch(offer)["userInfo"]) - {"positionMilliseconds"}, {
            "url", "lengthMilliseconds", "io.baton.desktopEntry",
        })

    def test_a_player_that_hangs_holds_nothing_up(self):
        self.begin(receiver=False)
        self.player.play(ADDRESS, "Song", 30)
        offer = self.desktop.wait_for_offer("Song")
        self.player.obey("silent")
        position = self.fetch(offer)["userInfo"]["positionMilliseconds"]
        # What it would be by now.
        self.assertGreaterEqual(position, 30_000)

    def test_a_name_that_vanishes_takes_its_offer_along(self):
        self.begin(receiver=False)
        self.player.play(ADDRESS, "Song")
        self.desktop.wait_for_offer("Song")
        self.player.obey("leave")
        self.desktop.wait_for_no_offer()

    def test_a_flood_costs_little_and_what_comes_after_it_is_seen(self):
        self.begin(receiver=False)
        self.player.play(ADDRESS, "Song")
        self.desktop.wait_for_offer("Song")
        used = cpu_time(self.laptop.process.pid)
        asked = len(self.player.calls("GetAll"))
        begin = time.monotonic()
        # On a busy machine, the player itself takes long.
        self.player.obey("flood", 100_000, deadline=4 * PATIENCE)
        self.player.play(ADDRESS, "After the flood")
        self.desktop.wait_for_offer("After the flood")
        passed = time.monotonic() - begin
        self.assertLessEqual(len(self.player.calls("GetAll")) - asked, passed + 5)
        # In seconds, of a program for debugging.
        self.assertLess(cpu_time(self.laptop.process.pid) - used, 2)

    def test_a_flood_of_names_costs_little(self):
        self.begin(receiver=False)
        self.player.play(ADDRESS, "Song")
        self.desktop.wait_for_offer("Song")
        asked = len(self.player.calls("GetAll"))
        begin = time.monotonic()
        self.player.obey("names", 5_000, deadline=4 * PATIENCE)
        self.player.play(ADDRESS, "After the flood")
        self.desktop.wait_for_offer("After the flood")
        passed = time.monotonic() - begin
        # SignalGate.playerSignals: each name comes and goes.
        self.assertLessEqual(len(self.player.calls("GetAll")) - asked, 70 + 17 * passed)

    def test_titles_that_follow_one_another_are_published_once_a_second(self):
        self.begin(receiver=False)
        self.player.play(ADDRESS, "0")
        offer = self.desktop.wait_for_offer("0")
        asked = len(self.player.calls("GetAll"))
        begin = time.monotonic()
        for number in range(1, 60):
            self.player.play(ADDRESS, str(number))
        # The same offer, with the last of them.
        self.assertEqual(self.desktop.wait_for_offer("59")["id"], offer["id"])
        self.assertLessEqual(len(self.player.calls("GetAll")) - asked, time.monotonic() - begin + 5)

    def test_the_bus_comes_back(self):
        self.begin(receiver=False)
        self.player.play(ADDRESS, "Song")
        self.desktop.wait_for_offer("Song")
        self.laptop.bus.kill()
        self.desktop.wait_for_no_offer()
        self.laptop.bus.start()
        player = FakePlayer(self.laptop.bus)
        player.play(ADDRESS, "Again")
        self.desktop.wait_for_offer("Again")


class TeamTests(PlaybackTest):
    def test_without_teams_no_player_is_watched(self):
        self.begin(receiver=False, configuration="[Playback]\nShareWith=none\n")
        self.player.play(ADDRESS, "Song")
        wait_until(lambda: "io.baton.Search" in self.laptop.bus.names(), "the search provider")
        self.assertEqual(self.laptop.bus.listener_count("org.mpris.MediaPlayer2"), 0)
        self.assertEqual(self.player.calls("GetAll"), [])
        # The setting counts immediately.
        self.laptop.configure("[Playback]\nShareWith=Demo\n")
        self.desktop.wait_for_offer("Song")
        self.laptop.configure("[Playback]\nShareWith=none\n")
        self.desktop.wait_for_no_offer()
        wait_until(lambda: self.laptop.bus.listener_count("org.mpris.MediaPlayer2") == 0, "no player is watched")

    def test_the_first_of_several_teams_sees_it(self):
        self.begin(receiver=False, configuration="[Playback]\nShareWith=Other, Demo\n")
        for name in ("Other", "Third"):
            self.daemons[0].json("team", "create", name)
        self.player.play(ADDRESS, "Song")
        self.laptop.wait_for_log("offered to only one team")
        self.assertEqual(self.desktop.offers(), [])
        self.laptop.configure("[Playback]\nShareWith=Demo\n")
        self.desktop.wait_for_offer("Song")


class NotificationTests(PlaybackTest):
    def test_a_playlist_is_one_notification_and_continues_what_is_played(self):
        self.begin(receiver=False)
        server = FakeServer(self.desktop.bus)
        self.desktop.start(notifications=True)
        self.player.play(ADDRESS, "Track 0")
        first = server.wait_for(1)
        self.assertEqual((first["summary"], first["body"]), ("Track 0", "Music or video, from laptop. Click to continue."))
        self.assertEqual(first["actions"][:2], ["default", "Continue"])
        for number in range(1, 4):
            self.player.play(ADDRESS, f"Track {number}", number)
            self.desktop.wait_for_offer(f"Track {number}")
        last = wait_until(
            lambda: next((call for call in server.calls() if call["summary"] == "Track 3"), None), "the last title",
        )
        # The same notification, without a sound.
        self.assertEqual((last["replaced"], last["hints"]["urgency"], last["hints"]["suppress-sound"]), (first["id"], 0, True))

        def is_played():
            # A click right after the title has changed is not for this title. A person clicks again.
            if self.desktop.status("org.example.Tape") == "Playing":
                return True
            server.obey("invoke", server.calls()[-1]["id"], "token_TIME7")
            return False

        wait_until(is_played, "it plays", interval=1)

    def test_a_failure_that_comes_late_is_shown(self):
        self.begin(receiver=False)
        server = FakeServer(self.desktop.bus)
        self.desktop.start(notifications=True)
        # It promises a stream, and never sends anything.
        connection, activity = self.daemons[0].publish(
            TYPE, title="Film", userInfo={"document": {"path": "/film.mkv"}, "positionMilliseconds": 1},
            supportsContinuationStreams=True,
        )
        server.wait_for(1)
        self.desktop.add_player(types="video/x-matroska;audio/mpeg;")
        self.daemons[1].baton("open", activity)
        failure = wait_until(
            lambda: next((call for call in server.calls() if "Couldn't continue" in call["summary"]), None), "it is told", 60,
        )
        self.assertEqual(failure["summary"].split(":")[:2], ["Film", " Couldn't continue from laptop"])
        # Without it, a click would start the agent in GNOME.
        self.assertEqual(failure["actions"], ["default", "Close"])
        connection.close()

    def test_what_was_dismissed_stays_away_for_the_whole_playlist(self):
        self.begin(receiver=False)
        server = FakeServer(self.desktop.bus)
        self.desktop.start(notifications=True)
        self.player.play(ADDRESS, "Track 0")
        server.wait_for(1)
        server.obey("dismiss", 1)
        for number in range(1, 4):
            self.player.play(ADDRESS, f"Track {number}", number)
            self.desktop.wait_for_offer(f"Track {number}")
        # Another activity is the next notification.
        connection, activity = self.daemons[0].publish(webpageURL="https://example.org/", title="Page")
        self.daemons[1].wait_for_offer(activity)
        self.desktop.program("xdg-open", "#!/bin/sh\n")
        self.assertEqual(server.wait_for(2)["summary"], "Page")
        connection.close()


class ReceiverTests(PlaybackTest):
    NAME = "org.example.Tape"

    def wait_until_it_plays(self, position, where=None):
        """Returns when the player of the desktop plays from there on."""
        wait_until(lambda: self.desktop.status(self.NAME) == "Playing", "it plays")
        wait_until(lambda: (self.desktop.position(self.NAME) or 0) >= position, f"it is at {position} s")
        if where is not None:
            self.assertIn(where, " ".join(self.desktop.get(self.NAME, "Metadata")))

    def test_an_address_goes_on_in_the_same_player(self):
        self.begin()
        self.desktop.add_player("org.example.A")
        self.player.play(ADDRESS, "Episode 12", 60)
        self.player.set(Rate=1.5)
        self.open(self.desktop.wait_for_offer("Episode 12"))
        self.wait_until_it_plays(60, ADDRESS)
        self.assertEqual(self.desktop.players(), [self.NAME])
        self.assertLess(self.desktop.position(self.NAME), 90)
        wait_until(lambda: self.desktop.get(self.NAME, "Rate")[-1] == "1.5", "the speed")
        self.player.wait_for("Pause")
        # Now the desktop offers it.
        wait_until(self.laptop.offers, "the desktop offers it")
        self.assertEqual(self.desktop.offers(), [])

    def test_a_running_player_is_used(self):
        self.begin()
        running = FakePlayer(self.desktop.bus)
        self.player.play(ADDRESS, "Episode 12", 60)
        self.open(self.desktop.wait_for_offer("Episode 12"))
        self.assertEqual(running.wait_for("OpenUri")["url"], ADDRESS)
        self.assertEqual(running.wait_for("SetPosition")["position"] // 1_000_000, 60)

    def test_a_file_that_is_not_here_is_fetched(self):
        self.begin()
        sound = write_sound(self.laptop.home / "Music/a b.wav")
        self.player.play(url(sound), "Song", 30)
        self.open(self.desktop.wait_for_offer("Song"))
        self.wait_until_it_plays(30, url(self.desktop.home / "Handoff/a b.wav"))
        self.assertEqual((self.desktop.home / "Handoff/a b.wav").read_bytes(), sound.read_bytes())
        self.player.wait_for("Pause")

    def test_a_file_that_is_here_is_not_fetched(self):
        self.begin()
        for home, where in ((self.laptop.home, "Music/a.wav"), (self.desktop.home, "Music/a.wav")):
            write_sound(home / where)
        self.player.play(url(self.laptop.home / "Music/a.wav"), "Song", 30)
        self.open(self.desktop.wait_for_offer("Song"))
        self.wait_until_it_plays(30, url(self.desktop.home / "Music/a.wav"))
        self.assertFalse((self.desktop.home / "Handoff").exists())

    def test_a_file_is_fetched_once(self):
        self.begin()
        sound = write_sound(self.laptop.home / "Music/b.wav")
        for position in (30, 60):
            self.player.play(url(sound), "Song", position)
            self.open(self.desktop.wait_for_offer("Song"))
            self.wait_until_it_plays(position, url(self.desktop.home / "Handoff/b.wav"))
        self.assertEqual([path.name for path in (self.desktop.home / "Handoff").iterdir()], ["b.wav"])

    def test_a_letter_is_neither_sent_nor_opened(self):
        self.begin()
        letter = self.laptop.home / "letter.txt"
        letter.write_text("secret")
        document = {"path": str(letter), "size": 6}
        connection, activity = self.daemons[0].publish(
            TYPE, title="Letter", userInfo={"document": document, "positionMilliseconds": 1},
            supportsContinuationStreams=True,
        )
        self.daemons[1].wait_for_offer(activity)
        self.daemons[1].baton("open", activity, status=1)
        self.desktop.wait_for_log("isn't an audio or video file")
        self.assertFalse((self.desktop.home / "Handoff").exists())
        connection.close()

    def test_strange_activities_open_nothing(self):
        self.begin()
        strange = [
            {"url": "file:///etc/passwd"}, {"url": "javascript:alert(1)"}, {"url": "http://a b/"}, {"url": "-x"},
            {"url": ADDRESS, "positionMilliseconds": -1}, {"url": ADDRESS, "positionMilliseconds": 2**60},
            {"document": {"path": "relative.wav"}}, {"document": []}, {},
        ]
        for info in strange:
            connection, activity = self.daemons[0].publish(
                TYPE, title="Strange", userInfo={"positionMilliseconds": 1, **info},
            )
            self.daemons[1].wait_for_offer(activity)
            self.daemons[1].baton("open", activity, status=1)
            connection.close()
        self.assertEqual(self.desktop.players(), [])

    def test_without_a_player_the_offer_stays(self):
        self.begin(receiver=False)
        (self.desktop.data / "applications/org.example.Tape.desktop").unlink()
        self.desktop.start()
        self.player.play(ADDRESS, "Song")
        offer = self.desktop.wait_for_offer("Song")
        self.assertFails("applicationNotFound", self.daemons[1].connect(60).call, "OpenOffer", id=offer["id"])
        self.assertEqual(self.desktop.wait_for_offer("Song")["id"], offer["id"])
        self.assertEqual(self.player.calls("Pause"), [])

    def test_a_player_that_cannot_start_gives_the_offer_back(self):
        self.begin(receiver=False)
        self.desktop.add_player(exec="false %U")
        self.desktop.start()
        self.player.play(ADDRESS, "Song", 40)
        offer = self.desktop.wait_for_offer("Song")
        self.assertFails("launchFailed", self.daemons[1].connect(60).call, "OpenOffer", id=offer["id"])
        self.assertEqual(self.desktop.wait_for_offer("Song")["id"], offer["id"])
        self.player.wait_for("Pause")
        # It is the same as before.
        self.desktop.add_player()
        self.open(offer)
        self.wait_until_it_plays(40, ADDRESS)

    def test_a_file_that_is_gone_gives_the_offer_back(self):
        self.begin()
        sound = write_sound(self.laptop.home / "Music/sound.wav")
        self.player.play(url(sound), "Song", 40)
        offer = self.desktop.wait_for_offer("Song")
        sound.unlink()
        self.assertFails("launchFailed", self.daemons[1].connect(60).call, "OpenOffer", id=offer["id"])
        self.assertEqual(self.desktop.wait_for_offer("Song")["id"], offer["id"])

    def test_a_player_without_a_bus_is_opened_at_the_start(self):
        self.begin(receiver=False)
        opened = self.directory / "opened"
        self.desktop.program("plain", f'#!/bin/sh\nprintf %s "$1" >{opened}\nexec sleep 600\n')
        self.desktop.add_player(exec="plain %U")
        self.desktop.start()
        self.player.play(ADDRESS, "Song", 40)
        self.open(self.desktop.wait_for_offer("Song"))
        self.assertEqual(opened.read_text(), ADDRESS)
        self.desktop.wait_for_log("started from the beginning")

    def test_a_desktop_entry_that_plays_nothing_is_never_started(self):
        self.begin(receiver=False)
        evil = self.directory / "evil"
        self.desktop.install("org.example.Evil", "MimeType=text/plain;", exec=f"touch {evil} %U")
        self.desktop.start()
        connection, activity = self.daemons[0].publish(TYPE, title="Song", userInfo={
            "url": ADDRESS, "positionMilliseconds": 1000, "io.baton.desktopEntry": "org.example.Evil",
        })
        self.daemons[1].wait_for_offer(activity)
        self.daemons[1].baton("open", activity)
        wait_until(lambda: self.desktop.players() == [self.NAME], "the usual player")
        self.assertFalse(evil.exists())
        connection.close()

    def test_the_terminal_lets_the_agent_play(self):
        self.begin()
        self.player.play(ADDRESS, "Song", 40)
        offer = self.desktop.wait_for_offer("Song")
        command = shlex.join(self.daemons[1].command_line("continue", offer["id"]))
        shown = subprocess.run(
            ["script", "--quiet", "--return", "--command", command, "/dev/null"], env=self.daemons[1].environment,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True,
        ).stdout
        self.assertIn(b"An app on this machine is continuing", shown)
        self.wait_until_it_plays(40, ADDRESS)
