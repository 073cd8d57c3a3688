# SPDX-License-Identifier: Apache-2.0
"""The web pages of the tests, from a server on the first host of the lab."""
import http.server
import json
import threading
import time
import urllib.parse

import hard_pages
import reported_pages

# Paragraphs have different lengths, so that a window of another width has other lines.
BOOK = "".join(f"<p>Paragraph {n}. {'The whale swims on. ' * (n % 7 + 2)}</p>" for n in range(400))
FORM = """
<form><label>Note <input id=note name=note></label> <input name=other> <textarea name=letter></textarea>
<div contenteditable id=draft></div></form>
"""
# All with a text that must not leave, and one that may.
SECRETS = """
<form>
<input name=fine>
<input type=password name=a value="">
<input type=password name=shown id=shown>
<input name=b autocomplete="current-password"> <input name=c autocomplete="section-x new-password">
<input name=d autocomplete=one-time-code> <input name=e autocomplete=cc-number> <input name=f autocomplete="billing cc-csc">
<input name=cardNumber> <input id=cvv> <input name=otp_code> <input name=x1 placeholder="Card number">
<label>Security code <input name=x2></label> <label>Passwort <input name=x3></label> <input name=x4 aria-label="PIN">
<input name=x5 maxlength=1> <input name=x6 inputmode=numeric maxlength=6> <input name=x7 style="-webkit-text-security: disc">
<input name=x17 style="position: absolute; left: -9999px"> <input name=x18 style="opacity: 0"> <span inert><input name=x19></span>
<div style="height: 0; overflow: hidden"><input name=x20></div> <input type=hidden name=x8> <input name=x9 style="display: none"> <input type=file name=x10> <textarea name=card></textarea>
<input name=luhn> <input name=luhn2>
<p><input name=part maxlength=4> <input name=part maxlength=4> <input name=part maxlength=4> <input name=part maxlength=4></p>
<input name=x11 aria-describedby=hint><p id=hint>Your password has 8 letters</p>
<input name=x12 autocomplete="cc-name"> <label>Numéro de carte <input></label> <label>Prüfziffer <input></label>
<input name=exp placeholder="MM/YY" maxlength=5> <label>Valid thru <input name=x16></label> <label>CVN <input></label>
<label>6-digit number from your authenticator app <input name=answer></label> <label>Gültig bis <input></label>
<input placeholder=Clave> <input placeholder=caducidad> <input name=codigo> <input name=pin1> <input name=exp-month>
<input aria-label="Número de tarjeta"> <input placeholder="カード番号"> <input placeholder="Código de verificación">
</form>
<table><tr><td>Passwort<td><input name=x13></tr></table>
<div><input name=x14><button type=button aria-label="Hide password">eye</button></div>
<div><div><input name=x15 inputmode=numeric value=""></div></div>
<div class=boxes><i><input></i><i><input></i><i><input></i><i><input></i><i><input></i><i><input></i></div>
<p id=echo></p>
<iframe id=foreign src="http://10.77.0.1:8081/frame"></iframe>
<section><label>Social security number <input name=x21></label> <label>IBAN <input name=x22></label> <label>API key <input name=x23></label></section>
<section><h4>Recovery phrase</h4><textarea name=x24></textarea></section>
"""
FRAME = "<title>Frame</title><input name=inner value=''><script>document.querySelector('input').value = 'KEEP-frame'</script>"
HOSTILE = """
<script>
for (const name of ["querySelectorAll", "getElementById", "elementsFromPoint", "elementFromPoint"])
  Document.prototype[name] = () => { throw new Error("hostile") };
Array.prototype.map = Array.prototype.filter = Array.prototype.push = () => { throw new Error("hostile") };
JSON.stringify = () => "hostile"; Object.defineProperty(HTMLInputElement.prototype, "value", {get() { return "hostile-value" }});
globalThis.batonPage = {take: () => ({url: location.href, place: "hostile", form: "hostile"})};
</script><form><input name=fine></form>
"""
HUGE = """
<script>
const part = document.createDocumentFragment();
for (let i = 0; i < 50000; i++) part.append(document.createElement(i % 10 ? "b" : "input"));
document.body.append(part);
document.body.insertAdjacentHTML("afterbegin", "<form><textarea name=large style=white-space:pre></textarea><input name=fine></form>");
document.querySelector("textarea").value = ("x".repeat(1023) + "\\n").repeat(10 * 1024);
</script>
"""
# A page that has loaded, and then adds a frame that never does.
ADDS_FRAME = """<p>The page</p>
<script>
addEventListener("load", () => setTimeout(() => document.body.append(Object.assign(document.createElement("iframe"), {src: "/never"}))));
</script>
"""
BODIES = {
    "untitled/frame.html": ADDS_FRAME,
    "book": BOOK + FORM, "secrets": SECRETS, "frame": FRAME, "hostile": HOSTILE, "huge": HUGE, "forms": hard_pages.FORMS,
    "edit": hard_pages.EDIT, "log-in": hard_pages.LOG_IN, "prefilled": hard_pages.PREFILLED,
    "ordinary": hard_pages.ORDINARY, "renewed": hard_pages.RENEWED,
    "settings": hard_pages.SETTINGS, **{f"swap-{way}": hard_pages.SWAP for way in hard_pages.SWAPS}, **hard_pages.PLACES, **hard_pages.WRITTEN,
    **reported_pages.BODIES, **hard_pages.ECHOES, **hard_pages.INNER_ECHOES, "own-name": hard_pages.OWN_NAME,
    **{f"shown-{way}": f"<form><input name=fine></form>{body}" for way, (body, *_) in hard_pages.SHOWN.items()},
    "labels": "<form>" + "".join(f"<p><label>{label} <input name=field></label></p>" for label in hard_pages.LABELS) + "<input name=fine></form>",
    # A page without a title that takes a code out of its address, as those do that end a sign-in.
    "untitled/callback": "<script>setTimeout(() => history.replaceState({}, '', '/untitled/home'), 1000)</script>",
}
# Documents that are no HTML: the type, and the text.
DOCUMENTS = {
    "image.svg": ("image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400"/></svg>'),
    "text.txt": ("text/plain", "\n".join(f"line {n}" for n in range(3000))),
    "data.json": ("application/json", json.dumps({str(n): "value" for n in range(3000)})),
    "data.xml": ("text/xml", "<all>" + "<one>text</one>" * 3000 + "</all>"),
    "paper.pdf": ("application/pdf", "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>"),
}
# How many seconds the server takes for them.
DELAYS = {"image.svg": 0.3, "late": 1, "never": 60}
HOST = "10.77.0.1"
BASE = f"http://{HOST}:8080"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path.strip("/")
        time.sleep(DELAYS.get(path, 0))
        kind, body = DOCUMENTS.get(path, ("text/html", None))
        title = "" if path.startswith("untitled/") else f"<title>{path}</title>"
        body = body or f"<!doctype html><meta charset=utf-8>{title}<body>{BODIES.get(path, f'<h1>{path}</h1>')}"
        self.send_response(404 if path == "favicon.ico" else 200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.end_headers()
        if path == "late-title":
            # The browser shows the page, with the title of the one before.
            self.wfile.write(b"<!doctype html><body>" + b"<p>Soon</p>" * 1000)
            time.sleep(1)
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


def serve():
    """Serves the pages on two ports, which are two origins. Returns the servers."""
    servers = [http.server.ThreadingHTTPServer(("0.0.0.0", port), Handler) for port in (8080, 8081)]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    return servers
