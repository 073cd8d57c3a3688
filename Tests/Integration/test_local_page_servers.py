# SPDX-License-Identifier: Apache-2.0
"""Pages of servers that developers use: Django's, Jupyter's, and one with its WebSocket on another port, as Vite has it."""
# Labs: pair
import json
import re
import subprocess
import textwrap

from lab import on, wait_until
from test_local_pages import LocalPageTest

PYTHON = "/usr/bin/python3"
SITE = """
    import sys
    from django.conf import settings
    settings.configure(
        DEBUG=True, SECRET_KEY="x", ROOT_URLCONF=__name__, ALLOWED_HOSTS=[], CSRF_COOKIE_DOMAIN="localhost",
        SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies", SESSION_COOKIE_DOMAIN=".localhost",
        MIDDLEWARE=[
            "django.middleware.security.SecurityMiddleware", "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
        ],
    )
    from django.http import HttpResponse, HttpResponseRedirect
    from django.middleware.csrf import get_token
    from django.urls import path

    def form(request):
        if request.method == "POST":
            request.session["name"] = request.POST["name"]
            return HttpResponseRedirect(request.build_absolute_uri("/"))
        name = request.session.get("name", "nobody")
        return HttpResponse(f"Hello {name} at {request.get_host()} token={get_token(request)};")

    urlpatterns = [path("", form)]
    if __name__ == "__main__":
        from django.core.management import execute_from_command_line
        execute_from_command_line(sys.argv)
"""
KERNEL = """
import json, sys, uuid, websocket
port, kernel, origin = sys.argv[1:]
socket = websocket.create_connection(
    f"ws://127.0.0.1:{port}/api/kernels/{kernel}/channels", host=f"laptop.localhost:{port}", origin=origin,
    header=["Authorization: token secret"], timeout=30,
)
header = {"msg_id": uuid.uuid4().hex, "username": "", "session": uuid.uuid4().hex, "msg_type": "execute_request", "version": "5.3"}
content = {"code": "print(6 * 7)", "silent": False, "store_history": False, "user_expressions": {}, "allow_stdin": False}
socket.send(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}))
while True:
    message = json.loads(socket.recv())
    if message["msg_type"] == "stream":
        print(message["content"]["text"].strip())
        break
"""

READER = """
import socket, sys
client = socket.create_connection(("127.0.0.1", 24678))
client.sendall(sys.argv[1].encode())
while data := client.recv(4096): sys.stdout.buffer.write(data.replace(b"reload", b"reload\\n")); sys.stdout.flush()
"""


class ServerTest(LocalPageTest):
    def start(self, *command, **options):
        log = open(self.directory / "server.log", "wb")
        self.addCleanup(log.close)
        self.logs.append(self.directory / "server.log")
        return self.spawn(on(self.host(0), *command), stdout=log, stderr=log, stdin=subprocess.DEVNULL, **options)

    def wait_for_server(self, url):
        wait_until(lambda: self.laptop.curl(url, check=False).returncode == 0, f"{url} is served")


class DjangoTests(ServerTest):
    def test_a_form_with_a_session_and_the_check_of_its_origin(self):
        (self.directory / "site.py").write_text(textwrap.dedent(SITE))
        self.start(PYTHON, self.directory / "site.py", "runserver", "--noreload", "localhost:8000")
        self.wait_for_server("http://localhost:8000/")
        self.laptop.allow(8000)
        address = self.open("http://localhost:8000/")
        self.assertEqual(address, "http://laptop.localhost:8000/")
        jar = ["--cookie", str(self.directory / "jar"), "--cookie-jar", str(self.directory / "jar")]
        page = self.desktop.curl(*jar, address).stdout
        self.assertIn("Hello nobody at localhost:8000 ", page)
        token = re.search("token=(.*);", page)[1]
        post = [*jar, "--data", "name=Ada", "--data", f"csrfmiddlewaretoken={token}", "--write-out", "%{http_code}"]
        origin = ["--header", "Origin: http://laptop.localhost:8000", "--referer", address]
        moved = self.desktop.curl(*post, *origin, "--location", address).stdout
        self.assertIn("Hello Ada at localhost:8000 ", moved)
        # With the cookie and the token, only the origin is wrong.
        for wrong in ("http://evil.example", "http://localhost:3000", "http://other.localhost:8000"):
            refused = self.desktop.curl(*post, "--header", f"Origin: {wrong}", "--referer", address, address).stdout
            self.assertTrue(refused.endswith("403"), (wrong, refused))
        self.assertTrue(self.desktop.curl("--data", "name=Eve", "--write-out", "%{http_code}", address).stdout.endswith("403"))


class JupyterTests(ServerTest):
    def test_a_kernel_answers_over_its_websocket(self):
        environment = {**self.laptop.environment, "JUPYTER_RUNTIME_DIR": str(self.directory / "run"), "PATH": "/usr/bin:/bin"}
        self.start(
            PYTHON, "-m", "jupyter_server", "--no-browser", "--allow-root", "--port=8888", "--ServerApp.token=secret",
            f"--ServerApp.root_dir={self.directory}", env=environment,
        )
        self.wait_for_server("http://localhost:8888/api")
        self.laptop.allow(8888)
        address = self.open("http://localhost:8888/api?token=secret")
        self.assertEqual(address, "http://laptop.localhost:8888/api?token=secret")
        self.assertIn("version", json.loads(self.desktop.curl(address).stdout))
        origin = "http://laptop.localhost:8888"
        headers = ["--header", "Authorization: token secret", "--header", f"Origin: {origin}"]
        kernels = f"{origin}/api/kernels"
        kernel = json.loads(self.desktop.curl(*headers, "--request", "POST", kernels).stdout)["id"]
        result = subprocess.run(
            on(self.desktop.host, PYTHON, "-c", KERNEL, 8888, kernel, origin), capture_output=True, text=True, timeout=60
        )
        self.assertEqual(result.stdout, "42\n", result.stderr)


class HotReloadTests(ServerTest):
    def test_the_websocket_has_a_port_of_its_own(self):
        self.server(5173)
        reload = self.server(24678, origin=5173)
        self.laptop.allow(5173)
        self.laptop.allow(24678)
        address = self.open("http://localhost:5173/", [24678])
        self.assertEqual(address, "http://laptop.localhost:5173/")
        # A client may use the page's name, or the server's own.
        for name in ("laptop.localhost", "localhost"):
            request = (
                f"GET /socket HTTP/1.1\r\nHost: {name}:24678\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\nSec-Fetch-Mode: websocket\r\n"
                "Origin: http://laptop.localhost:5173\r\n\r\n"
            )
            client = self.spawn(
                on(self.desktop.host, "/usr/bin/python3", "-c", READER, request), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL
            )
            self.assertEqual(client.stdout.readline(), b"HTTP/1.1 101 Switching Protocols\r\n")
            reload.stdin.write("\n")
            while b"reload" not in (line := client.stdout.readline()):
                self.assertTrue(line)
