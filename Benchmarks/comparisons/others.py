# SPDX-License-Identifier: Apache-2.0
"""Programs that do a part of what Baton does: nginx hands out a payload over TLS, and Avahi announces a service."""
import os
import select
import subprocess
import time

from comparisons.machines import PATIENCE, bus_of, inside
from comparisons.routes import certificate


class Nginx:
    settings = (
        "nginx with one worker and a file of 200 bytes, TLS 1.3 with TLS_AES_128_GCM_SHA256, Ed25519 certificates on both sides, "
        "no tickets; curl, one process for all requests, time_total"
    )
    port = 8443

    def __init__(self, machines):
        self.machines = machines
        self.directory = machines.directory / "nginx"
        self.directory.mkdir()
        self.key, self.certificate, _ = certificate(self.directory)

    def start(self):
        (self.directory / "payload").write_text("x" * 200)
        temporary = "".join(
            f"{kind}_temp_path {self.directory}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (self.directory / "nginx.conf").write_text(f"""
daemon off; master_process off; pid {self.directory}/pid; error_log stderr;
events {{ }}
http {{
  access_log off; keepalive_requests 1000000; root {self.directory};
  {temporary}
  server {{
    listen {self.port} ssl;
    ssl_protocols TLSv1.3; ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256;
    ssl_session_cache off; ssl_session_tickets off;
    ssl_certificate {self.certificate}; ssl_certificate_key {self.key};
    ssl_client_certificate {self.certificate}; ssl_verify_client on;
  }}
}}
""")
        self.machines.spawn_on(0, "nginx", "-e", "stderr", "-p", self.directory, "-c", self.directory / "nginx.conf")
        deadline = time.monotonic() + PATIENCE
        while subprocess.run(self.machines.on(1, *self.command(1, True)), capture_output=True).returncode != 0:
            if time.monotonic() > deadline:
                raise AssertionError("nginx does not answer")

    def command(self, count, keeps):
        """Asks so many times. Run by itself, this asks from the first host."""
        url = f"https://localhost:{self.port}/payload?[1-{count}]"
        return ["curl", "-sf", "--no-progress-meter", "--resolve", f"localhost:{self.port}:{self.machines.address(0)}",
                "--cacert", str(self.certificate), "--cert", str(self.certificate), "--key", str(self.key), "--no-sessionid",
                *([] if keeps else ["-H", "Connection: close"]), "-o", "/dev/null", "-w", "%{time_total}\\n", url]

    def request(self, count, keeps):
        """Seconds of each request from the second host."""
        # The first one connects.
        done = subprocess.run(self.machines.on(1, *self.command(count + 1, keeps)), check=True, capture_output=True, text=True)
        return [float(line) for line in done.stdout.split()[1:]]


class Browser:
    """avahi-browse on the second host, which runs all the time."""

    SERVICE = "_bench._tcp"

    def __init__(self, machines):
        self.machines = machines
        self.process = machines.spawn(
            ["stdbuf", "-oL", "avahi-browse", "--resolve", "--parsable", self.SERVICE], stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL, env=bus_of(machines.host(1)), preexec_fn=inside(machines.host(1)))
        self.buffer = b""

    def measure(self, name):
        """Seconds from starting avahi-publish to the line with the address of what it announces."""
        began = time.perf_counter()
        publisher = subprocess.Popen(
            ["avahi-publish", "-s", name, self.SERVICE, "1234", "text=" + "x" * 100], env=bus_of(self.machines.host(0)),
            preexec_fn=inside(self.machines.host(0)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.wait_for(f";{name};".encode(), began + PATIENCE)
            return time.perf_counter() - began
        finally:
            publisher.terminate()
            publisher.wait()

    def wait_for(self, part, deadline):
        while True:
            *lines, self.buffer = self.buffer.split(b"\n")
            if any(line.startswith(b"=") and part in line for line in lines):
                return
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.perf_counter()))[0]:
                raise AssertionError(f"avahi-browse does not show {part}")
            self.buffer += os.read(self.process.stdout.fileno(), 65536)
