// SPDX-License-Identifier: Apache-2.0

// How the extension speaks with `baton browser-host`.
import { begin, check } from "./checks.mjs";
import { ports } from "./browser.mjs";
import { load } from "./extension.mjs";

const { Native } = await load("native.js");
const heard = [];
let introduce;
// The times until the host is started again.
const pauses = [];
const { setTimeout: later, clearTimeout: never } = globalThis;
let again;
let isGone = false;
globalThis.setTimeout = (call, time) => {
  // That is how long an answer may take.
  if (!isGone) return later(call, time);
  pauses.push(time);
  again = call;
  return 0;
};

begin("the host of the browser");
const native = new Native((first) => (introduce = first), (message) => heard.push(message));
native.connect();
native.connect();
const [port] = ports;
check("one host is started", [ports.length, port.name], [1, "io.baton.browser"]);
check("nothing is sent before the first message", [native.post({ type: "page" }), port.sent, native.isConnected], [false, [], false]);
check("a request before it fails", await native.ask({ type: "send" }), "Not connected to Baton.");
introduce({ type: "hello" });
check("the first message", [port.sent, native.isConnected], [[{ type: "hello" }], true]);
native.post({ type: "page", title: "half \ud83d a sign, and 😀", list: ["\udc00"] });
check("half a character is none", port.sent.at(-1), { type: "page", title: "half \ufffd a sign, and 😀", list: ["\ufffd"] });
check("what is too long stays", [native.post({ text: "x".repeat(1024 * 1024) }), await native.ask({ text: "x".repeat(1024 * 1024) })], [false, "This is too large to hand off."]);
const two = [native.ask({ type: "open" }), native.ask({ type: "send" })];
const [first, second] = port.sent.slice(-2).map(({ request }) => request);
check("requests have numbers of their own", first !== second, true);
port.onMessage.tell({ type: "result", request: second, message: "declined" });
port.onMessage.tell({ type: "result", request: first, message: null });
check("answers belong to their requests", await Promise.all(two), [null, "declined"]);
port.onMessage.tell({ type: "result", request: 999, message: "late" });
port.onMessage.tell({ type: "status", status: "offered" });
check("the rest is for the extension", heard, [{ type: "result", request: 999, message: "late" }, { type: "status", status: "offered" }]);

const waiting = native.ask({ type: "open" });
isGone = true;
port.onDisconnect.tell({ error: { message: "gone" } });
port.error = { message: "gone" };
check("a request ends with the host", await waiting, "Not connected to Baton.");
check("the extension hears of it", [heard.at(-1), native.isConnected], [{ type: "lost" }, false]);
check("nothing is sent to a host that is gone", native.post({ type: "page" }), false);
const counts = [];
for (let turn = 0; turn < 8; turn += 1) {
  again();
  counts.push(ports.length);
  ports.at(-1).onDisconnect.tell();
}
check("it is started again each time", counts, [2, 3, 4, 5, 6, 7, 8, 9]);
check("later each time", pauses, [1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000]);
again();
introduce({ type: "hello" });
ports.at(-1).onMessage.tell({ type: "hello" });
ports.at(-2).onDisconnect.tell();
check("an old host's end is none of the new one", native.isConnected, true);
ports.at(-1).onDisconnect.tell();
check("a host that has said hello is started again soon", pauses.at(-1), 1000);
Object.assign(globalThis, { setTimeout: later, clearTimeout: never });
