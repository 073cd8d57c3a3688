// SPDX-License-Identifier: Apache-2.0

// Which ports a page of this machine's server has asked for.
import { begin, check } from "./checks.mjs";
import { session } from "./browser.mjs";
import { load } from "./extension.mjs";

const { forgetServers, noteRequest, noteServersOfPage, serverPort, serversOf } = await load("servers.js");
const PAGE = "http://localhost:8000/";

begin("ports of servers");
for (const [address, expected] of [
  ["http://localhost:3001/api", 3001], ["ws://localhost:24678/", 24678], ["http://app.localhost/", 80], ["ws://127.0.0.2:1/", 1], ["http://[::1]:5173/", 5173],
  ["wss://localhost:1/", null], ["https://localhost:1/", null], ["ws://example.org:1/", null], ["http://localhost:0/", null], ["no address", null], ["", null], [undefined, null],
]) check(String(address), serverPort(address), expected);

const ask = (tabId, url, timeStamp, more = {}) => noteRequest({ tabId, url, timeStamp, type: "xmlhttprequest", initiator: "http://localhost:8000", ...more });

begin("ports that a page has asked for");
await ask(1, PAGE, 1, { type: "main_frame", initiator: undefined });
await noteServersOfPage(1, 2);
await ask(1, "ws://localhost:24678/", 3, { type: "websocket" });
await ask(1, "http://localhost:3001/api", 4);
check("the last one is first", await serversOf(1, PAGE), [3001, 24678]);
await ask(1, "ws://localhost:24678/", 5, { type: "websocket" });
check("again", await serversOf(1, PAGE), [24678, 3001]);
check("another tab", await serversOf(2, PAGE), []);
for (const initiator of ["https://example.org", "null", "chrome-extension://abc", undefined]) await ask(1, "http://localhost:9222/json", 6, { initiator });
await ask(1, "http://localhost:9222/json", 6, { initiator: undefined, originUrl: "https://example.org/page" });
await ask(1, "https://localhost:9443/", 6);
check("other sites", await serversOf(1, PAGE), [24678, 3001]);
await ask(1, "http://localhost:3002/", 7, { initiator: undefined, originUrl: "http://localhost:8000/frame" });
check("in Firefox", await serversOf(1, PAGE), [3002, 24678, 3001]);
await ask(1, PAGE, 10, { type: "main_frame", initiator: undefined });
check("a page that does not come", await serversOf(1, PAGE), [3002, 24678, 3001]);
await ask(1, "http://localhost:3003/", 11);
await noteServersOfPage(1, 12);
check("another page, which has asked already", await serversOf(1, PAGE), [3003]);
await noteServersOfPage(1, 20);
check("a page whose load was not seen", await serversOf(1, PAGE), []);

begin("ports that a worker has asked for");
await ask(-1, "http://localhost:4000/", 30);
check("of its origin", await serversOf(3, `${PAGE}other`), [4000]);
check("of another one", await serversOf(3, "http://localhost:8001/"), []);

begin("limits");
for (let number = 0; number < 1000; number += 1) await ask(5, `http://localhost:${10000 + number}/`, 100 + number);
check("of a page", (await serversOf(5, "http://localhost:1/")).length, 32);
check("the last ones", (await serversOf(5, "http://localhost:1/"))[0], 10999);
await ask(6, "http://localhost:1/", 1);
await forgetServers(6);
check("a tab that is closed", await serversOf(6, "http://localhost:1/"), []);
for (let number = 0; number < 1000; number += 1) await ask(1000 + number, "http://localhost:1/", 1);
await new Promise((done) => setTimeout(done, 200));
check("of all tabs", Object.keys(session.get("servers")).length, 200);
