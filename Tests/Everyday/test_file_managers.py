# SPDX-License-Identifier: Apache-2.0
"""Files that are sent from the menus of Debian's file managers."""
# Labs: lo
import os
import pwd
import urllib.parse

from file_managers import Desktop, Dolphin, Nautilus, Nemo, Thunar
from lab import PATIENCE, LabTest, wait_until
from test_transfers import Machine
from users import call

# D-Bus needs a user who has a name, and batond another one than nobody.
USER = pwd.getpwnam("games").pw_uid
# What a file may be called: everything but a slash.
ODD = b"- it's \"odd\" $(x) &\\ %41 \xff\n.txt"


class FileManagerTest(LabTest):
    labs = ("lo",)
    others = ("desktop",)

    def setUp(self):
        super().setUp()
        self.directory.chmod(0o755)
        self.laptop = self.machine("laptop")
        self.make_team()
        self.screen = Desktop(self, self.laptop, USER)
        self.folder = self.laptop.home / "Documents"
        self.folder.mkdir()

    def machine(self, name):
        machine = Machine(self, self.batond(name).start())
        for path in (machine.home, machine.programs):
            os.chown(path, USER, USER)
        return machine.start(prefix=["setpriv", "--reuid", str(USER), "--regid", str(USER), "--clear-groups"])

    def make_team(self):
        call(self.laptop.daemon, USER, "CreateTeam", name="Home")
        self.machines = [self.machine(name) for name in self.others]
        for machine in self.machines:
            call(machine.daemon, USER, "JoinTeam", code=call(self.laptop.daemon, USER, "InviteDevice")["code"])
        for machine in (self.laptop, *self.machines):
            machine.daemon.wait_for_sessions(len(self.others))

    def make(self, name=ODD):
        """Makes the folder's only file, and returns what of its name every file manager shows."""
        self.content = os.urandom(100_000)
        with open(os.path.join(os.fsencode(self.folder), name), "wb") as file:
            file.write(self.content)
        return "odd" if name == ODD else os.fsdecode(name)

    def start(self, *words, **options):
        return self.screen.start(self.screen.directory / "usr/lib/baton/send-files", *words, **options)

    def wait_for_error(self, text, advice):
        """Waits for the dialog, and closes it."""
        self.screen.find("Send with Baton", "alert")
        self.assertEqual([name for name in self.screen.names("label") if name not in ("Close", "")], [text, advice])
        self.screen.click(self.screen.find("Close", "push button"))

    def wait_until_arrived(self, machine, name=ODD):
        machine.accept()
        machine.wait_for("done")
        if b"\n" in name:
            # It shows all of itself here, and is no option.
            name = name.removeprefix(b"-").replace(b"\n", b"_")
        wait_until(lambda: os.listdir(os.fsencode(machine.arrived)) == [name], "the file is there")
        with open(os.path.join(os.fsencode(machine.arrived), name), "rb") as file:
            self.assertEqual(file.read(), self.content)


class OneMachineTests(FileManagerTest):
    def test_nautilus(self):
        name, manager = self.make(), Nautilus(self.screen, self.folder)
        manager.wait_until_asked()
        manager.choose(name, 1)
        self.wait_until_arrived(self.machines[0])

    def test_thunar(self):
        name, manager = self.make(), Thunar(self.screen, self.folder)
        manager.choose(name)
        self.wait_until_arrived(self.machines[0])

    def test_dolphin(self):
        # It cannot show names that are not UTF-8.
        odd = ODD.replace(b"\xff", "\u00fc".encode())
        self.make(odd)
        manager = Dolphin(self.screen, self.folder)
        manager.choose("odd")
        self.wait_until_arrived(self.machines[0], odd)


class TwoMachinesTests(FileManagerTest):
    others = ("desktop", "my_tablet")

    def test_nemo(self):
        name, manager = self.make(), Nemo(self.screen, self.folder)
        manager.wait_until_asked()
        manager.open_machines(name)
        self.screen.click(self.screen.find("my_tablet"))
        self.wait_until_arrived(self.machines[1])

    def test_nemo_shows_who_is_offline_and_what_changes(self):
        name, manager = self.make(), Nemo(self.screen, self.folder)
        manager.wait_until_asked()
        manager.open_machines(name)
        self.screen.find("desktop")
        self.assertEqual(self.screen.names("menu item")[-2:], ["desktop", "my_tablet"])
        manager.close_menu(2)
        self.machines[0].daemon.terminate()
        self.laptop.daemon.wait_for_sessions(1)
        # The next menu asks again. The one after it knows.
        before = self.screen.questions()
        manager.open_menu(name)
        manager.close_menu()
        manager.wait_until_asked(before)
        manager.open_machines(name)
        self.screen.click(self.screen.find("desktop (offline)"))
        self.laptop.wait_for("waiting")
        self.machines[0].daemon.start()
        self.wait_until_arrived(self.machines[0])

    def test_thunar_asks_for_the_machine(self):
        name, manager = self.make(), Thunar(self.screen, self.folder)
        manager.choose(name)
        self.screen.find("my_tablet", "radio button")
        self.assertEqual(self.screen.names("radio button"), ["desktop", "my_tablet"])
        self.screen.click(self.screen.find("my_tablet", "radio button"))
        self.screen.click(self.screen.find("Send", "push button"))
        self.wait_until_arrived(self.machines[1])


class AloneTests(FileManagerTest):
    others = ()

    def make_team(self):
        pass

    def test_nemo_has_no_menu_without_a_team(self):
        name, manager = self.make(), Nemo(self.screen, self.folder)
        manager.wait_until_asked()
        manager.open_menu(name)
        self.screen.find("Properties")
        self.assertNotIn("Send with Baton", self.screen.names("menu"))
        manager.close_menu()
        # And has one soon after there is one.
        self.others = ("desktop",)
        super().make_team()
        before = self.screen.questions()
        manager.open_menu(name)
        manager.close_menu()
        manager.wait_until_asked(before)
        manager.open_machines(name)
        self.screen.click(self.screen.find("desktop"))
        self.wait_until_arrived(self.machines[0])

    def test_send_files_says_what_is_missing(self):
        self.make()
        self.start("--", str(self.folder / "missing"))
        self.wait_for_error("There’s no other machine in your team.", "To add one, run `baton team invite` in a terminal.")


class CommandTests(FileManagerTest):
    def test_names_are_not_options(self):
        self.make(b"--help")
        self.start("--", "--help", cwd=self.folder)
        self.wait_until_arrived(self.machines[0], b"--help")

    def test_the_entry_for_open_with(self):
        self.make()
        entry = self.screen.share / "applications/io.baton.Send.desktop"
        self.screen.start("gio", "launch", entry, f"file://{self.folder}/{urllib.parse.quote(ODD)}")
        self.wait_until_arrived(self.machines[0])

    def test_the_app_asks_for_files(self):
        self.make(b"notes.txt")
        self.start(cwd=self.folder)
        self.screen.find("Choose files to send", "file chooser")

    def test_what_is_elsewhere_is_not_sent(self):
        for address in ("sftp://nas/notes.txt", "mtp:/phone/notes.txt", "http://[/notes.txt"):
            process = self.start("--", address)
            self.wait_for_error("“notes.txt” isn’t on this machine.", "Copy it to a folder on this machine and send the copy.")
            self.assertEqual(process.wait(PATIENCE), 1)
        self.assertEqual(self.laptop.transfers(), [])

    def test_what_baton_says_is_shown(self):
        process = self.start("--", str(self.folder / "missing"))
        self.wait_for_error("Something went wrong.", f"{self.folder}/missing: No such file or directory.")
        self.assertEqual(process.wait(PATIENCE), 1)


class PictureTests(FileManagerTest):
    others = ("desktop", "tablet")

    def test_pictures(self):
        for title in ("Holiday.txt", "Moby-Dick.txt"):
            (self.folder / title).write_text("Call me Ishmael.")
        self.machines[1].daemon.terminate()
        self.laptop.daemon.wait_for_sessions(1)
        manager = Nautilus(self.screen, self.folder)
        manager.wait_until_asked()
        manager.open_menu("Holiday.txt")
        self.screen.picture("files-1-menu", (0, 0, 760, 580))
        manager.close_menu()
        manager.open_machines("Holiday.txt")
        self.screen.picture("files-2-machines", (0, 0, 760, 580))
        manager.process.terminate()
        manager.process.wait(PATIENCE)
        self.screen.start(self.screen.directory / "usr/lib/baton/send-files", "--", self.folder / "Holiday.txt")
        self.screen.find("tablet (offline)", "radio button")
        self.screen.picture("files-3-chooser", self.screen.find("Send with Baton", "alert"))


del FileManagerTest
