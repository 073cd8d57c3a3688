# SPDX-License-Identifier: Apache-2.0
"""What carries a stream from a Unix socket on one host to a Unix socket on another one: Baton, and what else could.

Each route begins on host 0 (`source`) and ends on host 1 (`sink`), with its best settings, which `settings` says.
"""
import os
import pathlib
import subprocess

from comparisons.machines import BUILD, wait_until
from comparisons.processes import processor_time

BLOCK = 262144


class Route:
    name = settings = ""

    def __init__(self, machines, directory=None):
        self.machines = machines
        self.directory = pathlib.Path(directory or machines.directory) / f"route-{type(self).__name__.lower()}"
        self.directory.mkdir()
        self.source, self.sink = self.directory / "source", self.directory / "sink"
        self.address = machines.address(1)
        # Those of the source's host, and those of the sink's.
        self.ends = [], []

    def start(self):
        """Returns when it is ready."""
        raise NotImplementedError

    def spawn(self, number, *command, **options):
        self.ends[number].append(self.machines.spawn_on(number, *command, **options).pid)

    @property
    def processes(self):
        return [*self.ends[0], *self.ends[1]]

    @property
    def arguments(self):
        """How `benchmark` finds it."""
        return ["--sockets", self.source, self.sink]

    def processor_time(self):
        return processor_time(self.processes)

    def wait_for(self, path):
        wait_until(path.exists, f"{self.name} listens")

    def wait_for_port(self, number, port):
        def listens():
            command = ["ss", "-Hltn", f"sport = :{port}"]
            return subprocess.run(self.machines.on(number, *command), capture_output=True).stdout

        wait_until(listens, f"{self.name} listens at port {port}", interval=0.05)


class Baton(Route):
    name = "baton"
    settings = "two batond with the default configuration"
    # The programs, and how the names of both machines begin.
    build, prefix = BUILD, ""

    def start(self):
        laptop = self.machines.daemon(f"{self.prefix}laptop", build=self.build).start()
        desktop = self.machines.daemon(f"{self.prefix}desktop", 1, build=self.build).start()
        self.machines.make_team(laptop, desktop)
        self.daemons = laptop, desktop
        self.ends = [laptop.process.pid], [desktop.process.pid]

    @property
    def arguments(self):
        return ["--baton", *(daemon.socket for daemon in self.daemons)]


class SSH(Route):
    name = "ssh -L"
    settings = (
        "ssh -N -L SOURCE:SINK, Unix socket to Unix socket, over one connection that is already open; "
        "Ciphers=aes128-gcm@openssh.com, Compression=no, IPQoS=throughput on both sides"
    )
    port = 2222
    CIPHER = "Ciphers aes128-gcm@openssh.com\nCompression no\nIPQoS throughput\n"

    def start(self):
        directory = self.directory
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", directory / key], check=True)
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        # With another home, the shell reads none of the user's own files, which can take long.
        (directory / "sshd_config").write_text(
            f"SetEnv HOME={directory}\n"
            f"{self.CIPHER}Port {self.port}\nHostKey {directory}/host\nAuthorizedKeysFile {directory}/user.pub\n"
            "StrictModes no\nPermitRootLogin yes\nUsePAM no\nPidFile none\nPrintMotd no\nUseDNS no\n"
            "Subsystem sftp internal-sftp\n")
        (directory / "known").write_text(f"[{self.address}]:{self.port} {(directory / 'host.pub').read_text()}")
        (directory / "ssh_config").write_text(
            f"{self.CIPHER}Port {self.port}\nIdentityFile {directory}/user\nUserKnownHostsFile {directory}/known\n"
            "User root\nBatchMode yes\nExitOnForwardFailure yes\n")
        self.spawn(1, "/usr/sbin/sshd", "-D", "-e", "-f", directory / "sshd_config")
        self.wait_for_port(1, self.port)
        self.spawn(0, "ssh", "-F", directory / "ssh_config", "-N", "-L", f"{self.source}:{self.sink}", self.address)
        self.wait_for(self.source)


class TCP(Route):
    name = "socat, plain TCP"
    settings = f"socat -b {BLOCK} without encryption, a connection for each stream, nodelay"
    port = 2223

    def start(self):
        self.spawn(1, "socat", "-b", BLOCK, f"TCP-LISTEN:{self.port},reuseaddr,fork,backlog=1024,nodelay", f"UNIX-CONNECT:{self.sink}")
        self.wait_for_port(1, self.port)
        self.spawn(0, "socat", "-b", BLOCK, f"UNIX-LISTEN:{self.source},fork,backlog=1024", f"TCP:{self.address}:{self.port},nodelay")
        self.wait_for(self.source)


def certificate(directory):
    """A key, its certificate, and both in one file."""
    key, certificate = directory / "key.pem", directory / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", key, "-out", certificate, "-subj", "/CN=localhost",
         "-days", "1"], check=True, capture_output=True)
    both = directory / "both.pem"
    both.write_text(key.read_text() + certificate.read_text())
    return key, certificate, both


class SocatTLS(Route):
    name = "socat, OpenSSL"
    settings = f"socat -b {BLOCK}, TLS 1.3 with TLS_AES_128_GCM_SHA256 and certificates on both sides, a connection for each stream, nodelay"
    port = 2224

    def start(self):
        _, certificate_file, both = certificate(self.directory)
        # socat 1.7 has no option for the ciphers of TLS 1.3.
        configuration = self.directory / "openssl.cnf"
        configuration.write_text(
            "openssl_conf = a\n[a]\nssl_conf = b\n[b]\nsystem_default = c\n[c]\nCiphersuites = TLS_AES_128_GCM_SHA256\n")
        options = {"env": {**os.environ, "OPENSSL_CONF": str(configuration)}}
        tls = f"cert={both},cafile={certificate_file},verify=1,openssl-min-proto-version=TLS1.3,nodelay"
        self.spawn(1, "socat", "-b", BLOCK, f"OPENSSL-LISTEN:{self.port},reuseaddr,fork,backlog=1024,{tls}",
                   f"UNIX-CONNECT:{self.sink}", **options)
        self.wait_for_port(1, self.port)
        self.spawn(0, "socat", "-b", BLOCK, f"UNIX-LISTEN:{self.source},fork,backlog=1024",
                   f"OPENSSL:{self.address}:{self.port},commonname=localhost,{tls}", **options)
        self.wait_for(self.source)


class Stunnel(Route):
    name = "stunnel"
    settings = "stunnel4 on both sides, TLS 1.3 with TLS_AES_128_GCM_SHA256 and certificates on both sides, a connection for each stream, TCP_NODELAY"
    port = 2225

    def start(self):
        key, certificate_file, _ = certificate(self.directory)
        for number, (name, ends) in enumerate((
            ("client", f"client = yes\naccept = {self.source}\nconnect = {self.address}:{self.port}"),
            ("server", f"accept = {self.port}\nconnect = {self.sink}"),
        )):
            (self.directory / name).write_text(
                f"foreground = quiet\npid =\nsyslog = no\ndebug = err\nsocket = l:TCP_NODELAY=1\nsocket = r:TCP_NODELAY=1\n"
                f"[relay]\n{ends}\nsslVersion = TLSv1.3\nciphersuites = TLS_AES_128_GCM_SHA256\ncert = {certificate_file}\n"
                f"key = {key}\nCAfile = {certificate_file}\nverifyPeer = yes\n")
            self.spawn(number, "stunnel4", self.directory / name)
        self.wait_for(self.source)
        self.wait_for_port(1, self.port)


def start(progress, machines, kinds):
    routes = []
    for kind in kinds:
        progress.say(f"starting {kind.name}")
        route = kind(machines)
        route.start()
        routes.append(route)
    return routes
