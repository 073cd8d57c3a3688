# SPDX-License-Identifier: Apache-2.0
"""One large file and 10,000 small ones, until the last has arrived, beside rsync and scp; and n small ones."""
import os
import pathlib
import shutil
import subprocess
import time

from comparisons import routes, waits
from comparisons.machines import BUILD, Damaged, Machines, Refused, in_turns, wait_until
from comparisons.processes import processor_time
from comparisons.results import Curve, Rounds

TITLE = "Files"
COUNT = 10_000
# So many of so many bytes in one sending.
COUNTS, QUICK_COUNTS = (1, 10, 100, 1000, 10_000, 100_000), (1, 10, 100, 1000)
SIZE = 1024
# A sending of few files takes less than the disk's moods.
REPEATS = 3


def labs(options):
    yield ["pair"], {}, None


def settings(options):
    ssh = "ssh with Ciphers=aes128-gcm@openssh.com, Compression=no"
    return {
        "baton": "`baton send` between two agents, with `Accept=always`; everything is on disk (fsync) when it ends",
        "rsync": f"`rsync -a` over {ssh}",
        "scp": f"`scp -rp` over {ssh}",
        "bytes": options.size,
        "n files": f"of {SIZE:,} bytes, in folders of 1,000; CPU time is that of both daemons and agents",
        "cases": f"one file; a folder with {COUNT:,} files of the same size in 100 folders",
    }


class Sender:
    """Copies a path to the other machine."""

    def __init__(self, machines, folder):
        self.machines, self.folder = machines, folder
        self.target = folder / f"to-{self.name}"
        self.target.mkdir()

    def run(self, *command, **environment):
        done = subprocess.run(
            [str(word) for word in self.machines.on(0, *command)], capture_output=True, text=True, timeout=1200,
            stdin=subprocess.DEVNULL, env={**os.environ, **environment})
        if done.returncode != 0:
            raise Refused(done.stderr.strip()[-300:])


class Baton(Sender):
    name = "baton"
    # See routes.Baton.
    build, prefix = BUILD, ""

    def start(self, route=None):
        """With agents of the daemons of a route, or of one of its own."""
        if route is None:
            route = routes.Baton(self.machines, self.folder)
            route.start()
        self.daemons = route.daemons
        self.processes = list(route.processes)
        for daemon, number in zip(self.daemons, (0, 1)):
            self.processes.append(self.agent(daemon, number))

    def agent(self, daemon, number):
        home = self.folder / f"home-{number}"
        settings = home / ".config/baton"
        settings.mkdir(parents=True)
        (settings / "agent.conf").write_text(f"[Files]\nAccept=always\nFolder={self.target}\n")
        self.environment = {
            "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "XDG_DATA_HOME": f"{home}/share", "BATON_SOCKET": str(daemon.socket),
            "BATON_SEARCH_SOCKET": f"{home}/baton/search.sock",
        }
        process = self.machines.spawn_on(
            number, self.build / "baton", "agent", "--no-notifications", "--log-level", "warning",
            env={**os.environ, **self.environment})
        wait_until((home / "baton/search.sock").exists, "the agent")
        if number == 0:
            self.sending = self.environment
        return process.pid

    def send(self, path):
        self.run(self.build / "baton", "send", path, f"{self.prefix}desktop", **self.sending)


class OverSSH(Sender):
    def __init__(self, machines, folder, ssh):
        super().__init__(machines, folder)
        self.ssh = ssh

    def start(self):
        # The connection's own processes come and go.
        self.processes = list(self.ssh.processes)

    @property
    def configuration(self):
        return self.ssh.directory / "ssh_config"


class Rsync(OverSSH):
    name = "rsync -a"

    def send(self, path):
        self.run("rsync", "-a", "-e", f"ssh -F {self.configuration}", path, f"{self.ssh.address}:{self.target}/")


class Scp(OverSSH):
    name = "scp -rp"

    def send(self, path):
        self.run("scp", "-q", "-rp", "-F", self.configuration, path, f"{self.ssh.address}:{self.target}/")


def make(folder, size):
    """The two things to send, with bytes that cannot be made smaller."""
    one = folder / "one"
    block = os.urandom(1 << 20)
    with open(one, "wb") as file:
        for _ in range(size >> 20):
            file.write(block)
    many = folder / "many"
    for number in range(COUNT):
        path = many / f"{number % 100:02}" / f"{number:05}.dat"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(block[number % 4096:][:size // COUNT])
    return {"one file": one, f"{COUNT:,} files": many}


def send(machines, sender, source):
    """Seconds of one sending, after which the folder is empty again."""
    subprocess.run(["sync", "-f", machines.directory], check=True)
    began = time.monotonic()
    sender.send(source)
    seconds = time.monotonic() - began
    if subprocess.run(["diff", "-rq", source, sender.target / source.name], capture_output=True).returncode:
        raise Damaged(f"{sender.name}: other files arrived than were sent")
    # Baton's own folder stays.
    arrived = sender.target / source.name
    (shutil.rmtree if arrived.is_dir() else pathlib.Path.unlink)(arrived)
    return seconds


def growth(options, progress, machines, baton):
    """Curves of n files in one sending."""
    times = Curve("n small files in one sending: time", "s", growth="total")
    costs = Curve("n small files in one sending: CPU time", "s", growth="total")
    continued = waits.Waits()
    for n in QUICK_COUNTS if options.quick else COUNTS:
        progress.say(f"{n} files in one sending")
        source = machines.directory / f"n-{n}"
        for number in range(n):
            path = source / f"{number // 1000:03}" / f"{number:06}.dat"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(os.urandom(SIZE))
        for _ in range(REPEATS):
            before = processor_time(baton.processes)
            times.add("baton", (n, send(machines, baton, source)))
            costs.add("baton", (n, processor_time(baton.processes) - before))
        continued.add("n files that were just sent", n, waits.continuations(*baton.daemons, waits.count(options)))
        shutil.rmtree(source)
    return [times, costs, *continued.curves]


def measure(options, progress, part):
    times = Rounds("Time", "s", "Less is better.")
    rates = Rounds("Speed", "MB/s", "More is better.")
    with Machines() as machines:
        sources = make(machines.directory, options.size)
        ssh = routes.SSH(machines)
        ssh.start()
        contestants = [Baton(machines, machines.directory)] + [kind(machines, machines.directory, ssh) for kind in (Rsync, Scp)]
        for contestant in contestants:
            contestant.start()
        for case, source in sources.items():

            def once(sender, number):
                seconds = send(machines, sender, source)
                times.add(sender.name, seconds, case)
                rates.add(sender.name, options.size / seconds / 1e6, case)

            for name, why in in_turns(progress, case, contestants, options.rounds, once).items():
                times.fail(name, why, case)
                rates.fail(name, why, case)
        return [times, rates, *growth(options, progress, machines, contestants[0])]
