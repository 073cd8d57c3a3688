// SPDX-License-Identifier: Apache-2.0

// What the toolbar button's menu and the options show.
import { chosen } from "./browser.mjs";
import { begin, check } from "./checks.mjs";
import { blank, load, source } from "./extension.mjs";

const tick = () => new Promise((resolve) => setTimeout(resolve, 0));
const listeners = () => ({ all: [], addListener(one) { this.all.push(one); }, tell(...what) { this.all.forEach((one) => one(...what)); } });

// Loads a page of the extension. Returns its document, and the port to the background.
async function show(name) {
  const window = blank(source(`${name}.html`));
  const port = { sent: [], onMessage: listeners(), onDisconnect: listeners(), postMessage: (message) => port.sent.push(message) };
  globalThis.browser.runtime.connect = () => port;
  globalThis.browser.storage.onChanged = listeners();
  Object.assign(globalThis, { document: window.document, Option: window.Option, CSS: { escape: (text) => text } });
  await load(`${name}.js`);
  await tick();
  return { port, document: window.document, text: (id) => window.document.getElementById(id).textContent };
}

begin("the menu of the toolbar button");
const { port, document, text } = await show("popup");
const offers = [{ id: "a", deviceID: "L", device: "laptop", host: "example.org", shown: { activityType: "NSUserActivityTypeBrowsingWeb", title: "Whales" } }];
const devices = [{ id: "L", name: "laptop", isConnected: true }, { id: "D", name: "desktop", isConnected: false }];
const tell = (message) => port.onMessage.tell({ type: "lists", isConnected: true, lists: { offers, devices, teams: [] }, ...message });
check("nothing is offered yet", [text("nothing"), document.getElementById("nothing").hidden], ["Nothing to continue right now.", false]);
tell({ status: { status: "offered" } });
check("an offer", text("offers"), "WhalesWeb page · example.org · on laptop");
check("machines", [...document.getElementById("device").options].map(({ text }) => text), ["laptop", "desktop (offline)"]);
for (const [message, expected] of [
  [{ status: { status: "offered" } }, "Your other machines can continue this page."], [{ status: { status: "continued", device: "laptop" } }, "Continued on laptop."],
  [{ status: { status: "continued", left: [{ name: "", why: "secret" }, { name: "b", why: "secret" }] } },
    "Continued on another machine. Your text in a field without a name, “b” stayed here because the field may be for a secret."],
  [{ status: { status: "refused", message: "No room." } }, "Baton can’t offer this page: No room."], [{ why: "tooLong", status: null }, "This page isn’t offered because its address is too long."],
]) {
  tell(message);
  check(JSON.stringify(message), text("status"), expected);
}
tell({ isConnected: false, fault: "No such host." });
check("no host", [text("fault"), document.getElementById("fault").hidden], ["Can’t connect to Baton. To find out why, run “baton doctor” in a terminal. No such host.", false]);
tell({});
document.querySelector("button.offer").click();
check("continuing", [text("message"), port.sent.at(-1).id], ["Continuing from laptop…", "a"]);
const answer = (result) => port.onMessage.tell({ type: "result", ...result });
for (const [result, expected] of [
  [{ action: "open" }, "Continued."], [{ action: "send" }, "Sent."], [{ action: "send", failure: "declined" }, "declined"],
  [{ action: "send", missed: ["a", "b", "", "c", "d"], count: 7 }, "Sent 2 of 7 tabs. The others are still open here: “a”, “b”, a tab without a title and 2 more."],
  [{ action: "send", left: [{ name: "Card", why: "card" }] }, "Sent. Your text in “Card” stayed here because it contains a card number."],
]) {
  answer(result);
  check(JSON.stringify(result), text("message"), expected);
}
port.onDisconnect.tell();
check("the background ends", text("message").startsWith("The Baton extension has stopped."), true);

begin("the options");
const { get } = globalThis.browser.storage.local;
const asked = [];
globalThis.browser.storage.local.get = (defaults) => new Promise((resolve) => asked.push(() => resolve(get(defaults))));
Object.assign(chosen, { rules: [{ pattern: "a.example", team: "never" }, { pattern: "b.example", team: "H" }, { pattern: "*", team: "X" }], textSites: ["https://c.example"] });
const options = await show("options");
const select = options.document.getElementById("team");
const teamsAre = (...teams) => options.port.onMessage.tell({ type: "lists", lists: { teams } });
const HOME = { id: "H", name: "Home" };
// The settings come later than the teams, as in a browser that starts.
teamsAre(HOME);
for (const answer of asked.splice(0)) answer();
await tick();
check("the choice, if the teams come first", select.value, "never");
globalThis.browser.storage.local.get = get;
teamsAre(HOME);
await tick();
check("the choice, if they come later", select.value, "never");
select.value = "H";
teamsAre(HOME, { id: "W", name: "Work" });
await tick();
check("what was chosen stays", select.value, "H");
teamsAre({ id: "W", name: "Work" });
await tick();
check("a team that is gone", select.value, "never");
teamsAre(HOME);
await tick();
const rows = [...options.document.querySelectorAll("#rules span, #sites span")].map(({ textContent }) => textContent);
check("rules and sites", rows, ["a.example → no machine", "b.example → Home", "* → unknown team X", "c.example"]);
const labels = [...options.document.querySelectorAll("#rules button, #sites button")].map((button) => button.getAttribute("aria-label"));
check("names of buttons", labels.slice(-3), ["Move * up", "Remove *", "Remove c.example"]);
check("teams", [...select.options].map(({ text }) => text), ["no machine", "Home"]);
Object.assign(chosen, { rules: [], textSites: [] });
