# SPDX-License-Identifier: Apache-2.0
"""The package on two fresh Debians with a wire between them, used by two people who do what the documents say, word for word.

See Scripts/run-package. The tests are one story, in their order. Ada uses the laptop and Ben the desktop, neither of them with sudo;
an administrator installs it on both.
"""
import json
import os
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "Tests/Lab"))
from terminal import Terminal  # noqa: E402
from waiting import TestCase, wait_until  # noqa: E402

SHARE = pathlib.Path(os.environ["BATON_SHARE"])
APT_TIME = 120
CONTROL_C, ESCAPE = "\x03", "\x1b"
EVERYDAY = "Documentation/guide/GettingStarted.md"
APPS, EDITORS, FILES, TERMINALS = (f"Documentation/guide/{name}.md" for name in ("Apps", "Editors", "Files", "Terminals"))
# What dpkg of Debian 13 says of each directory that the package calls /lib, and others /usr/lib.
SHARED_DIRECTORY = r"dpkg: warning: while removing baton, directory '/lib/systemd/[a-z-]+' not empty so not removed\n"
CODE = r"[A-Z0-9]{5}(-[A-Z0-9]{5})+"


def documented(document, section, number=0):
    """The commands of the first block of a section, or of another one."""
    part = re.search(rf"^#+ {section}\n(.*?)(?=^## |\Z)", (ROOT / document).read_text(), re.M | re.S)
    if part is None:
        raise AssertionError(f"{document} has no section {section!r}")
    return re.findall(r"^```\w+\n(.*?)^```", part[1], re.M | re.S)[number].splitlines()


def at(machine, lines):
    """What is typed on a machine of a block that shows where."""
    return [line.split("$", 1)[1].split("  #")[0].strip() for line in lines if line.startswith(f"{machine}$")]


def processes(name, user):
    """A command that prints the processes of a user with this name. Nothing on these machines needs pgrep(1)."""
    return f"grep -slx {name} $(find /proc -maxdepth 1 -user {user} -printf '%p/comm ') /dev/null | cut -d / -f 3"


def administration(document, section):
    return documented(f"Documentation/admin/{document}.md", section)


class TwoMachinesTest(TestCase):
    @classmethod
    def setUpClass(cls):
        wait_until(lambda: all((SHARE / name).exists() for name in ("laptop", "desktop")), "the machines are up", 60)
        cls.laptop_admin, cls.desktop_admin = cls.log_in("laptop", "admin"), cls.log_in("desktop", "admin")

    @classmethod
    def log_in(cls, machine, user):
        terminal = Terminal(SHARE / machine, user)
        cls.addClassCleanup(terminal.close)
        return terminal

    def apt(self, terminal, command, question=None, answer=None):
        """Says yes to apt, and this to what a package asks."""
        terminal.type(command)
        terminal.expect(r"[Cc]ontinue\? \[Y/n\] ", APT_TIME)
        terminal.type("y")
        if question:
            terminal.expect(question, APT_TIME)
            terminal.type(answer)
        shown, status = terminal.finish(APT_TIME)
        self.assertEqual(status, 0, shown)
        plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
        self.assertNotRegex(re.sub(SHARED_DIRECTORY, "", plain), "dpkg:.*warning|[Ff]ailed")
        return shown

    def peers(self, terminal):
        return json.loads(terminal.run("baton peers --json"))["peers"]

    def wait_for_session(self):
        for terminal in (self.ada, self.ben):
            wait_until(
                lambda terminal=terminal: [peer["state"] for peer in self.peers(terminal)] == ["connected"],
                "the machines are connected",
            )

    def wait_for_offer(self, title):
        def row():
            return next((line for line in self.ben.run("baton list --long").splitlines() if title in line), None)

        return wait_until(row, f"{title} is offered")

    def test_01_the_package_is_installed_with_one_command(self):
        (install,) = documented(EVERYDAY, "Install")
        self.apt(self.laptop_admin, install)
        (install,) = administration("Installation", "Install")
        self.assertIn("run `baton setup` as your normal user", self.apt(self.desktop_admin, install))
        type(self).ada, type(self).ben = self.log_in("laptop", "ada"), self.log_in("desktop", "ben")
        for terminal in (self.ada, self.ben):
            self.assertIn("active (running)", terminal.run("systemctl status batond"))
            # "Until you've created a team, the doctor reports that you don't have one. That should be the only problem."
            wait_until(lambda terminal=terminal: "Avahi is running" in terminal.ask("baton doctor")[0], "Avahi is there")
            shown, status = terminal.ask("baton doctor")
            self.assertEqual([line.split()[1] for line in shown.splitlines() if line.startswith("✗")], ["team"], shown)
            self.assertEqual(status, 8)
        # The agent is there at once for who is logged in, and for who logs in.
        for terminal in (self.laptop_admin, self.desktop_admin, self.ada, self.ben):
            wait_until(lambda terminal=terminal: terminal.ask("systemctl --user is-active baton-agent")[1] == 0, "the agent runs")
            terminal.run("systemctl --user is-active baton-agent.socket && test -S $XDG_RUNTIME_DIR/baton/search.sock")
        self.ben.run("test -S $XDG_RUNTIME_DIR/bus")

    def test_02_two_people_make_a_team(self):
        block = documented(EVERYDAY, "Make a team")
        create, invite = at("laptop", block)
        (join,) = at("desktop", block)
        self.assertIn('"Home"', self.ada.run(create))
        code = re.search(CODE, self.ada.run(invite))[0]
        self.ben.type(join)
        self.ben.expect("Enter the code from.*:\r\n")
        self.ben.type(code)
        shown, status = self.ben.finish()
        self.assertEqual(status, 0, shown)
        self.wait_for_session()
        self.assertRegex(self.ada.run("baton machines"), r"(?m)^desktop +online ")
        self.assertRegex(self.ben.run("baton machines"), r"(?m)^laptop +online ")
        # The administrator is not in the team.
        self.assertEqual(self.peers(self.laptop_admin), [])

    def test_03_the_doctor_finds_nothing(self):
        doctor, one = at("laptop", documented("Documentation/guide/Troubleshooting.md", "Troubleshooting"))
        for command in (doctor, one):
            wait_until(lambda command=command: "No problems found." in self.ada.ask(command)[0], command)
        self.assertRegex(self.ada.run(doctor), r"(?m)^✓ machine +desktop .* is online")

    def test_04_a_page_opens_in_the_browser(self):
        block = documented(EVERYDAY, "Open a page here, click there")
        show, take = at("desktop", block)
        # What a browser does.
        self.ada.type(
            "baton offer --type NSUserActivityTypeBrowsingWeb --title Moby-Dick --url https://example.org/whale --stream"
        )
        self.wait_for_offer("Moby-Dick")
        shown = self.ben.run(show).splitlines()
        # As in the guide, but for the activity's ID.
        (offer,) = re.findall("^[0-9a-f]{8}", shown[-1])
        self.assertEqual([line.replace(offer, "24e1a281") for line in shown if line], [line for line in block if "$" not in line])
        self.desktop_admin.run(
            "printf '#!/bin/sh\\necho \"$1\" >$HOME/page\\n' | sudo tee /usr/local/bin/xdg-open && "
            "sudo chmod +x /usr/local/bin/xdg-open"
        )
        self.ben.run(take.replace("24e1", offer))
        wait_until(lambda: self.ben.run("cat page 2>/dev/null || true").strip() == "https://example.org/whale", "the page opens")
        self.ada.expect(r"Continued on desktop\.")
        self.ada.press(CONTROL_C)
        self.ada.finish()

    def test_05_files_go_through_a_stream(self):
        block = documented(APPS, "Use Baton in scripts")
        self.ada.run("mkdir notes && head -c 5000000 /dev/urandom >notes/one && echo two >notes/two")
        (advertise,) = at("laptop", block)
        (take,) = at("desktop", block)
        self.ada.type(advertise)
        self.wait_for_offer("Notes")
        self.ben.run("set -o pipefail")
        self.ben.run(take)
        shown, status = self.ada.finish()
        self.assertEqual(status, 0, shown)
        sums = "cd notes && sha256sum *; cd"
        self.assertEqual(self.ben.run(sums), self.ada.run(sums))

    def test_05a_files_are_sent_and_accepted(self):
        (send,) = at("laptop", documented(FILES, "Use"))
        self.ada.run("mkdir photos && head -c 3000000 /dev/urandom >talk.odp && seq 99 >photos/'one '$'\\n'.txt")
        self.ada.type(send)
        (accept,) = [line.removeprefix("$ ") for line in documented(FILES, "Receive") if "--accept" in line]
        asked = wait_until(lambda: re.findall("^([0-9a-f]{8})  needs approval", self.ben.run("baton transfers"), re.M), "it asks")
        self.ben.run(accept.replace("1f0c77ab", asked[0]))
        shown, status = self.ada.finish()
        self.assertEqual(status, 0, shown)
        self.assertRegex(shown, r"Sent to desktop: talk\.odp, photos/ \(2 files, 3\.0 MB\)")
        sums = "sha256sum talk.odp photos/*"
        self.assertEqual(self.ben.run(f"cd Handoff && {sums}; cd"), self.ada.run(sums))
        # It goes on with a machine that was away, by a rule.
        self.ben.run("mkdir -p .config/baton && printf '[Files]\\nAccept=always\\n' >.config/baton/agent.conf")
        self.desktop_admin.run("sudo systemctl stop batond")
        self.ada.run("seq 9 >later && baton send later --to desktop --later")
        self.laptop_admin.run("sudo systemctl restart batond")
        self.desktop_admin.run("sudo systemctl start batond")
        wait_until(lambda: self.ben.ask("cmp -s Handoff/later <(seq 9)")[1] == 0, "the file arrives")
        self.wait_for_session()

    def test_05b_what_is_copied_is_pasted(self):
        block = documented("Documentation/guide/Clipboard.md", "On the command line")
        (copy,), (paste,) = at("laptop", block), at("desktop", block)
        self.ada.run("export LC_ALL=C TZ=UTC")
        self.ada.run(copy)
        wait_until(lambda: " from laptop" in self.ben.ask("baton paste --list")[0] or "laptop" in self.ben.ask("baton list")[0], "it is offered")
        self.assertRegex(self.ben.run(paste), r"UTC 20\d\d")

    def test_06_a_directory_is_taken_over(self):
        section, folder = documented(APPS, "Share folders")
        for admin, user in ((self.laptop_admin, "ada"), (self.desktop_admin, "ben")):
            text = f"{section}\\n{folder.replace('ada', user)}\\n"
            admin.run(f"printf '{text}' | sudo tee -a /etc/baton/batond.conf && sudo systemctl reload batond")
        (hook,) = documented(EVERYDAY, "Add the shell hook")
        for terminal in (self.ada, self.ben):
            terminal.run(f"{hook}; mkdir notes/drafts; seq 99 >notes/drafts/text")
        ada, ben = self.work()
        self.assertRegex(ben.ask("baton doctor | cat")[0], r"(?m)^✓ shell +This bash is connected to Baton\.$")
        ada.run("cd notes/drafts")
        self.wait_for_offer("drafts")
        (take,) = at("desktop", documented(TERMINALS, "Use"))
        ben.run(take)
        self.assertEqual(ben.run("pwd").strip(), "/home/ben/notes/drafts")

    def work(self):
        """Terminals of Ada and Ben that a test closes when it ends."""
        terminals = Terminal(SHARE / "laptop", "ada"), Terminal(SHARE / "desktop", "ben")
        for terminal in terminals:
            self.addCleanup(terminal.close)
            terminal.run("export TERM=xterm; stty rows 24 cols 80")
        return terminals

    def test_07_a_session_of_tmux_goes_on(self):
        self.laptop_admin.run("sudo apt-get install -qq -y tmux >&2", APT_TIME)
        ada, ben = self.work()
        block = documented(TERMINALS, "Take over a running session")
        begin, share = at("laptop", block)
        (take,) = at("desktop", block)
        ada.type(begin)
        ada.type(share)
        ada.expect("Shared: ")
        self.wait_for_offer("io.baton.terminal")
        ben.type(take)
        ben.expect("Shared: ")
        ben.type("echo $HOSTNAME $((40 + 2)) >~/made")
        made = wait_until(lambda: self.ada.run("cat made 2>/dev/null || true").strip(), "the session has obeyed")
        self.assertEqual(made, "laptop 42")
        # Which leaves the session.
        ben.press("\x02d")
        shown, status = ben.finish()
        self.assertEqual(status, 0, shown)
        ada.type("exit")
        self.assertEqual(ada.finish()[1], 0)

    def test_08_a_text_that_is_not_saved_goes_on(self):
        # The laptop has the plugins from the beginning.
        (install,) = documented(EVERYDAY, "Install")
        self.apt(self.desktop_admin, install)
        for admin in (self.laptop_admin, self.desktop_admin):
            admin.run("sudo apt-get install -qq -y --no-install-recommends vim >&2", APT_TIME)
        ada, ben = self.work()
        (edit,) = at("desktop", documented(EDITORS, "Use"))
        ada.type("vim notes/drafts/text")
        ada.press(":42\roNot saved" + ESCAPE)
        self.wait_for_offer("io.baton.text-position")
        ben.type(edit)
        ben.expect("Not saved")
        ben.press(":call writefile([expand('%:p'), line('.'), &modified], expand('~/state')) | qall!\r")
        ben.finish()
        self.assertEqual(self.ben.run("cat state").split(), ["/home/ben/notes/drafts/text", "43", "1"])
        self.assertEqual(self.ben.run("grep -c saved notes/drafts/text || true").strip(), "0")
        ada.press(":qall!\r")
        ada.finish()

    def test_09_an_activity_is_continued_once(self):
        self.ada.type("baton offer --type org.example.reading --title 'Moby-Dick' --info page=42")
        self.wait_for_offer("Moby-Dick")
        activity = json.loads(self.ben.run("baton continue --type org.example.reading --json"))
        self.assertEqual((activity["device"], activity["activity"]["userInfo"]), ("laptop", {"page": "42"}))
        shown, status = self.ada.finish()
        self.assertEqual(status, 0)
        self.assertIn("Continued on desktop.", shown)
        _, status = self.ben.ask("baton continue --latest")
        self.assertEqual(status, 4)
        # The journal tells that, with fields, and not what it was.
        entries = wait_until(
            lambda: self.desktop_admin.run(f"sudo journalctl -q -o json -u batond BATON_ACTIVITY={activity['activity']['id']}"),
            "it is in the journal",
        )
        self.assertEqual(json.loads(entries.splitlines()[-1])["BATON_PEER"], "laptop")
        self.assertNotIn("Moby", self.desktop_admin.run("sudo journalctl -q -o json -u batond"))

    def test_10_an_app_is_started(self):
        (take,) = at("desktop", documented(APPS, "Start apps automatically"))
        (agent,) = re.findall(r"`(systemctl --user enable .*?)`", (ROOT / APPS).read_text())
        (types,) = re.findall(r"`(X-Baton-ActivityTypes=.*?)`", (ROOT / APPS).read_text())
        for line in (
            "mkdir -p bin .local/share/applications",
            "echo '#!/bin/sh' >bin/reader",
            # As baton(1) has it.
            "echo 'cat /proc/self/cgroup >cgroup; baton continue \"$BATON_OFFER\" --json >>read; exec sleep 600' >>bin/reader",
            "chmod +x bin/reader",
            r"printf '[Desktop Entry]\nType=Application\nName=Reader\nExec=/home/ben/bin/reader\n' >reader.desktop",
            f"echo '{types}' >>reader.desktop",
            "mv reader.desktop .local/share/applications/org.example.Reader.desktop",
        ):
            self.ben.run(line)
        self.ben.run(agent)
        self.open(take, 1)
        self.assertIn("/app.slice/app-baton-org.example.Reader-", self.ben.run("cat cgroup"))
        wait_until(
            lambda: "Started an app app=org.example.Reader" in self.ben.run("journalctl -q --user -u baton-agent"),
            "Ben reads it in the agent's journal",
        )

    def open(self, command, page):
        self.ada.type(f"baton offer --type org.example.reader.reading --title Typee --info page={page}")
        self.wait_for_offer("Typee")
        self.ben.run(command)
        self.assertEqual(self.ada.finish()[1], 0)
        read = wait_until(lambda: self.ben.run("tail -n 1 read 2>/dev/null || true").strip(), "the app has it")
        self.assertEqual(json.loads(read)["activity"]["userInfo"], {"page": str(page)})

    def test_11_the_configuration_is_changed(self):
        shown = "".join(self.laptop_admin.run(command) for command in administration("SeveralUsers", "Change the configuration"))
        self.assertIn("# In effect", shown)
        wait_until(lambda: [peer["device"] for peer in self.peers(self.ben)] == ["study"], "Ben sees the name")

    def test_12_a_backup_brings_the_teams_back(self):
        text = (ROOT / "Documentation/admin/Teams.md").read_text()
        part = re.search(r"^## Backup of a whole machine\n(.*?)^## ", text, re.M | re.S)[1]
        (save,), restore = [block.splitlines() for block in re.findall(r"^```sh\n(.*?)^```", part, re.M | re.S)]
        teams = json.loads(self.ada.run("baton team list --json"))
        self.laptop_admin.run(save)
        self.assertEqual(self.laptop_admin.run("stat -c %a baton-keys.tar.gz").strip(), "600")
        stop, *rest = restore
        self.laptop_admin.run(stop)
        # The disk is lost.
        self.laptop_admin.run("sudo find /var/lib/baton/ -mindepth 1 -delete")
        for command in rest:
            self.laptop_admin.run(command)
        self.assertEqual(json.loads(self.ada.run("baton team list --json")), teams)
        self.wait_for_session()

    def test_13_an_upgrade_restarts_the_agent_and_lets_apps_go_on(self):
        # A terminal of its own: the app's `sleep` is what goes on.
        apps = self.ben.run(processes("sleep", "ben")).split()
        agent = self.ben.run("systemctl --user show -P MainPID baton-agent")
        index = self.ben.run("stat -c %i $XDG_RUNTIME_DIR/baton/search.sock")
        (install,) = administration("Installation", "Upgrade")
        self.desktop_admin.run("rm -f baton_*.deb && cp /packages/next.deb baton_0.1.0+next_amd64.deb")
        self.desktop_admin.type(install)
        shown, status = self.desktop_admin.finish(APT_TIME)
        self.assertEqual(status, 0, shown)
        self.assertIn("+next", self.desktop_admin.run("dpkg-query -f '${Version}' -W baton"))
        wait_until(lambda: self.ben.run("systemctl --user show -P MainPID baton-agent") != agent, "the agent has ended")
        wait_until(lambda: self.ben.ask("systemctl --user is-active baton-agent")[1] == 0, "a new agent")
        # Programs wait at the same socket.
        self.assertEqual(self.ben.run("stat -c %i $XDG_RUNTIME_DIR/baton/search.sock"), index)
        self.assertEqual(self.ben.run(processes("sleep", "ben")).split(), apps)
        self.wait_for_session()
        self.ben.run("rm read")
        self.open("baton open --latest", 2)

    def test_14_it_is_removed_and_purged(self):
        remove, purge = administration("Installation", "Uninstall")
        self.apt(self.desktop_admin, remove)
        self.assertNotEqual(self.ben.ask("systemctl --user is-active baton-agent")[1], 0)
        self.assertEqual(self.ben.run(processes("baton", "ben")), "")
        self.assertNotEqual(self.ben.ask("test -e $XDG_RUNTIME_DIR/baton/search.sock")[1], 0)
        self.desktop_admin.run("test -e /etc/baton/batond.conf && sudo test -e /var/lib/baton/teams")
        wait_until(lambda: [peer["state"] for peer in self.peers(self.ada)] != ["connected"], "Ada sees that it is gone")
        self.apt(self.desktop_admin, purge, r"\[yes/no\] ", "yes")
        self.assertEqual(self.desktop_admin.run("ls -d /etc/baton /var/lib/baton /run/baton 2>/dev/null || true"), "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
