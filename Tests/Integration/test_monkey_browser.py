# SPDX-License-Identifier: Apache-2.0
"""The sample app Examples/MonkeyBrowser: its tabs, handed from one machine to another, in both of its interfaces."""
# Labs: pair
import fcntl
import json
import os
import pty
import queue
import re
import signal
import struct
import subprocess
import termios
import threading

from lab import BUILD, PATIENCE, LabTest, on, wait_until

TYPE = "org.example.MonkeyBrowser."
# Written in full by the origin only when the receiver has read most of it: the stream's window and sockets hold less.
MANY = 60_000


class Monkey:
    """A MonkeyBrowser that reads commands, on the host of a daemon."""

    def __init__(self, case, daemon, visits=5000):
        self.case = case
        self.daemon = daemon
        self.name = f"the browser on {daemon.name}"
        log = case.directory / f"{daemon.name}.browser.log"
        case.logs.append(log)
        with open(log, "ab") as error:
            self.process = case.spawn(
                on(daemon.host, BUILD / "MonkeyBrowser", "--visits", visits), env=daemon.environment,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=error,
            )
        self.answers, self.events = queue.Queue(), queue.Queue()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        # A thread that reads a file must be done before the file is closed.
        case.addCleanup(self.end)

    def read(self):
        for line in self.process.stdout:
            report = json.loads(line)
            (self.events if "event" in report else self.answers).put(report)

    def end(self):
        self.process.kill()
        self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)

    def ask(self, command):
        """The answer, whatever it is."""
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        # The first comes when its history is made, which may be long.
        return self.answers.get(timeout=2 * PATIENCE)

    def do(self, command):
        answer = self.ask(command)
        self.case.assertTrue(answer["done"], f"{command}: {answer}")
        return answer

    def scroll(self, line):
        """Scrolls, and waits until the daemon knows that the place is to be asked for."""
        self.do(f"scroll {line}")

        def is_known():
            return (self.daemon.call("GetStatus").get("current") or {}).get("needsSave")

        wait_until(is_known, f"{self.name} is asked for its place")

    def wait_for_event(self, name, tab=None, deadline=PATIENCE):
        """The next event of the name; those before it are dropped."""
        while True:
            try:
                event = self.events.get(timeout=deadline)
            except queue.Empty:
                raise AssertionError(f"{self.name}: no {name}") from None
            if event["event"] == name and tab in (None, event.get("tab")):
                return event

    def wait_for_offer(self, tab, title):
        def offer():
            offers = self.do("offers")["offers"]
            return next((offer for offer in offers if (offer["type"], offer.get("title")) == (TYPE + tab, title)), None)

        return wait_until(offer, f"{self.name} is offered {title!r} of {tab}")

    def continue_tab(self, tab, title):
        self.wait_for_offer(tab, title)
        self.do("continue")
        self.wait_for_event("opened", tab)


class MonkeyBrowserTests(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        self.assertTrue((BUILD / "MonkeyBrowser").exists(), "swift build --product MonkeyBrowser makes it")

    def browsers(self, origin=5000):
        """Browsers on two machines; the second one's history is empty."""
        laptop, desktop = self.two()
        return Monkey(self, laptop, origin), Monkey(self, desktop, 0)

    def test_every_tab_goes_on_with_its_whole_history(self):
        laptop, desktop = self.browsers()
        for number, tab in enumerate(["news", "wiki", "video", "notes"], 1):
            with self.subTest(tab):
                laptop.do(f"tab {number}")
                laptop.do(f"open https://{tab}.example.org/Monkeys_{number}")
                laptop.scroll(10 * number)
                before = laptop.do("state")
                self.assertEqual((before["tab"], before["scroll"], before["visits"]), (tab, 10 * number, 5002))
                desktop.continue_tab(tab, f"Monkeys {number}")
                at_once = desktop.do("state")
                for key in ("tab", "url", "title", "scroll"):
                    self.assertEqual(at_once[key], before[key])
                self.assertEqual(laptop.wait_for_event("continuedElsewhere")["tab"], tab)
                self.assertEqual(desktop.wait_for_event("received", tab)["visits"], 5002)
                self.assertEqual(desktop.do("state"), before)

    def test_the_place_of_the_last_scroll_arrives(self):
        laptop, desktop = self.browsers(origin=10)
        laptop.do("tab wiki")
        laptop.do("open https://wiki.example.org/Bananas")
        desktop.wait_for_offer("wiki", "Bananas")
        for line in (5, 60, 41):
            laptop.scroll(line)
        desktop.continue_tab("wiki", "Bananas")
        self.assertEqual(desktop.do("state")["scroll"], 41)
        # Scrolling where it was continued takes it back to be offered, and the new place is asked for again.
        laptop.wait_for_event("continuedElsewhere")
        laptop.scroll(7)
        desktop.continue_tab("wiki", "Bananas")
        self.assertEqual(desktop.do("state")["scroll"], 7)

    def test_a_tab_goes_there_and_back(self):
        laptop, desktop = self.browsers(origin=100)
        laptop.do("open https://news.example.org/There")
        desktop.continue_tab("news", "There")
        desktop.wait_for_event("received")
        desktop.do("open https://news.example.org/Back")
        laptop.continue_tab("news", "Back")
        self.assertEqual(laptop.wait_for_event("received")["visits"], 103)
        self.assertEqual(laptop.do("state"), desktop.do("state"))
        laptop.do("back")
        self.assertEqual(laptop.do("state")["title"], "There")

    def test_pages_visited_while_the_history_comes_are_kept(self):
        laptop, desktop = self.browsers(origin=MANY)
        laptop.do("tab wiki")
        desktop.continue_tab("wiki", "Home")
        desktop.wait_for_event("receiving")
        desktop.do("open https://wiki.example.org/Meanwhile")
        self.assertEqual(desktop.do("state")["visits"], 2)
        self.assertEqual(desktop.wait_for_event("received", deadline=60)["visits"], MANY + 1)
        state = desktop.do("state")
        self.assertEqual((state["visits"], state["title"]), (MANY + 2, "Meanwhile"))

    def test_a_tab_whose_stream_breaks_stays_usable(self):
        laptop, desktop = self.browsers(origin=MANY)
        laptop.do("tab video")
        desktop.continue_tab("video", "Home")
        event = desktop.wait_for_event("receiving")
        self.assertLess(event["visits"], event["total"])
        laptop.process.kill()
        event = desktop.wait_for_event("interrupted", "video")
        self.assertIn("history", event["message"])
        print("         " + event["message"])
        self.assertEqual(desktop.do("state")["visits"], 1)
        desktop.do("follow")
        self.assertEqual(desktop.do("state")["visits"], 2)
        self.assertIsNone(desktop.process.poll())

    def test_a_tab_of_another_version_is_not_opened(self):
        laptop, desktop = self.two()
        browser = Monkey(self, desktop, 0)
        good = {"version": 1, "tab": "wiki", "url": {"$url": "https://wiki.example.org/A"}, "scroll": 3}
        for change in ({"version": 2}, {"tab": "news"}, {"url": {"$url": "file:///etc/passwd"}}, {"scroll": 1 << 62}):
            # The browser may still show the one before when the daemon no longer does.
            title = "Odd " + next(iter(change))
            connection, activity = laptop.publish(TYPE + "wiki", title=title, userInfo={**good, **change})
            desktop.wait_for_offer(activity)
            browser.wait_for_offer("wiki", title)
            browser.do("continue")
            if "scroll" in change:
                browser.wait_for_event("opened")
                self.assertLess(browser.do("state")["scroll"], 1000)
            else:
                self.assertIn("version", browser.wait_for_event("failed")["message"])
                self.assertEqual(browser.do("state")["title"], "Home")
            connection.close()
            desktop.wait_until_not_offered(activity)

    def test_baton_open_continues_in_the_running_browser(self):
        laptop, desktop = self.two()
        origin, receiver = Monkey(self, laptop, 10), Monkey(self, desktop, 0)
        origin.do("tab notes")
        receiver.wait_for_offer("notes", "Home")
        desktop.baton("open", "--latest")
        receiver.wait_for_event("received", "notes")

    def test_the_screen_continues_a_tab_and_gives_the_terminal_back(self):
        laptop, desktop = self.two()
        origin = Monkey(self, laptop)
        origin.do("tab wiki")
        origin.do("open https://wiki.example.org/Bananas")
        screen = Screen(self, desktop)
        screen.wait_for("1 News ", "2 Wiki ", "3 Video ", "4 Notes ", "https://news.example.org/Home")
        screen.wait_for("Continue 'Bananas' from laptop: press c")
        screen.press("c")
        screen.wait_for("https://wiki.example.org/Bananas", "5002 pages in history", "all 5002 pages")
        screen.resize(10, 60)
        screen.wait_for("1-4 tab", rows=10)
        screen.press("\x1b[B")
        screen.press("4")
        screen.wait_for("https://notes.example.org/Home")
        screen.press("q")
        screen.assert_ended(0)

    def test_a_signal_gives_the_terminal_back(self):
        desktop = self.batond("desktop").start()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            with self.subTest(number.name):
                screen = Screen(self, desktop)
                screen.wait_for("1 News ")
                screen.process.send_signal(number)
                screen.assert_ended(128 + number)


class Screen:
    """A MonkeyBrowser that has a terminal."""

    ENTERED, LEFT = b"\x1b[?1049h", b"\x1b[?1049l"

    def __init__(self, case, daemon):
        self.case = case
        self.primary, self.terminal = pty.openpty()
        self.settings = termios.tcgetattr(self.terminal)
        self.output = b""
        self.resize(24, 80)
        self.process = case.spawn(
            on(daemon.host, BUILD / "MonkeyBrowser"), env=daemon.environment,
            stdin=self.terminal, stdout=self.terminal, stderr=subprocess.DEVNULL,
        )
        os.set_blocking(self.primary, False)
        case.addCleanup(os.close, self.primary)
        case.addCleanup(os.close, self.terminal)

    def press(self, keys):
        # What is drawn from now on is what counts.
        self.read()
        self.output = b""
        os.write(self.primary, keys.encode())

    def resize(self, rows, columns):
        self.output = b""
        fcntl.ioctl(self.primary, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if hasattr(self, "process"):
            # The kernel tells only those whose controlling terminal it is.
            self.process.send_signal(signal.SIGWINCH)

    def read(self):
        try:
            self.output += os.read(self.primary, 1 << 20)
        except BlockingIOError:
            pass
        return self.output

    def wait_for(self, *texts, rows=None):
        """Until one drawing of the screen has all the texts, and so many rows."""

        def is_drawn():
            for drawing in self.read().split(b"\x1b[H")[1:]:
                text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawing.decode(errors="replace"))
                if all(part in text for part in texts) and rows in (None, text.count("\r\n") + 1):
                    return True
            return False

        wait_until(is_drawn, f"the screen shows {texts}")

    def assert_ended(self, status):
        self.case.assertEqual(self.process.wait(PATIENCE), status)
        wait_until(lambda: self.LEFT in self.read(), "the screen is given back")
        self.case.assertEqual(termios.tcgetattr(self.terminal), self.settings)
