// SPDX-License-Identifier: Apache-2.0

// What is told of a tab, or why nothing is.
import { begin, check } from "./checks.mjs";
import { chosen, failed, registered } from "./browser.mjs";
import { load, scripts } from "./extension.mjs";

const { describe, noteContent, noteFailure, noteLoad, noteTitle, stateOf, watchSites, withheld } = await load("tabs.js");
const { NEVER } = await load("rules.js");
Object.assign(chosen, { rules: [], textSites: [] });

let number = 0;
const tab = (url, title, more = {}) => ({ id: (number += 1), url, title, status: "complete", incognito: false, ...more });

begin("titles that all machines see");
const KEY = "https://example.org/a?token=KEEP-1";
for (const [title, url, expected] of [
  ["Whale", KEY, "Whale"], ["", KEY, ""], ["example.org/a?token=KEEP-1", KEY, "example.org"], [KEY, KEY, "example.org"], [` ${KEY}`, KEY, "example.org"],
  ["www.example.org/other", "https://example.org/", "example.org"], ["example.org./x", "https://www.example.org/", "www.example.org"], ["Reading/writing", KEY, "Reading/writing"],
  ["Results for ?token=KEEP-1", KEY, "example.org"], ["token KEEP-1", KEY, "token KEEP-1"], ["view-source:https://example.org/b.txt", "view-source:https://example.org/b.txt", "b.txt (example.org)"],
  ["example.org/paper%20one.pdf", "https://example.org/paper%20one.pdf", "paper one.pdf (example.org)"], ["example.org/paper.pdf?key=KEEP", "https://example.org/paper.pdf?key=KEEP", "paper.pdf (example.org)"],
  ["https://example.org/#/inbox/KEEP", "https://example.org/#/inbox/KEEP", "example.org"], ["What is #/inbox/KEEP?", "https://example.org/#/inbox/KEEP", "example.org"],
  ["example.org", "https://example.org/", "example.org"], ["HTTPS://EXAMPLE.ORG/a", "https://example.org/a", "example.org"], ["a/b on other.org/x", "https://example.org/", "a/b on other.org/x"],
  ["/a?token=KEEP-1", KEY, "example.org"], ["x".repeat(600), KEY, `${"x".repeat(509)}…`], ["127.0.0.1/a", "http://10.77.0.1/a", "10.77.0.1"], ["C/C++ and F#", "https://example.org/", "C/C++ and F#"],
]) check(`${title.slice(0, 60)} of ${url}`, (await describe(tab(url, title))).title, expected);
check("loading", (await describe(tab("https://example.org/b.pdf", "example.org/b.pdf", { status: "loading" }))).title, "example.org");

begin("pages that are offered, and why others are not");
for (const [one, page, why] of [
  [tab("https://example.org/", "a"), { url: "https://example.org/", title: "a" }, null],
  [tab("https://example.org/", "a", { favIconUrl: "https://example.org/i.png" }), { url: "https://example.org/", title: "a", icon: "https://example.org/i.png" }, null],
  [tab("https://example.org/", "a", { favIconUrl: "data:," }), { url: "https://example.org/", title: "a" }, null],
  [tab("https://example.org/", "a", { incognito: true }), null, null], [tab("about:blank", ""), null, null], [tab(undefined, ""), null, null], [null, null, null],
  [tab("http://localhost:8080/", "a"), { url: "http://localhost:8080/", title: "a" }, null], [tab("https://localhost:8080/", "a"), null, "ofThisMachineOnly"], [tab(`https://example.org/${"x".repeat(2100)}`, "a"), null, "tooLong"],
  [tab("view-source:http://127.0.0.1/", "a"), { url: "http://127.0.0.1/", title: "a" }, null], [tab("http://169.254.1.1/", "a"), null, "ofThisMachineOnly"], [tab("chrome://settings", "a"), null, null],
]) check(`${one?.url?.slice(0, 60)}`, [await describe(one), await withheld(one)], [page, why]);
const broken = tab("https://example.org/", "example.org");
failed.add(broken.id);
check("an earlier failure", [await describe(broken), await withheld(broken)], [null, "failed"]);
const stopped = tab("https://example.org/", "a");
await noteFailure(stopped.id, stopped.url, "net::ERR_ABORTED");
check("a load that the person stopped", (await describe(stopped)).url, stopped.url);
await noteFailure(stopped.id, stopped.url, "net::ERR_NAME_NOT_RESOLVED");
check("a failure", [await describe(stopped), await withheld(stopped)], [null, "failed"]);
await noteContent(stopped.id);
check("the page is there after all", (await describe(stopped)).url, stopped.url);

begin("rules, and titles of pages that they keep");
chosen.rules = [{ pattern: "example.org/secret", team: NEVER }, { pattern: "work.example", team: "W" }];
for (const [url, page, why] of [
  ["https://example.org/secret/1", null, "rule"], ["https://example.org/public", { url: "https://example.org/public", title: "example.org" }, null],
  ["https://work.example/", { url: "https://work.example/", title: "work.example", team: "W" }, null], ["https://other.example/", { url: "https://other.example/", title: "a" }, null],
]) {
  // The tab was there before the extension, so its title can be of any page of the site.
  const one = tab(url, "a");
  const found = [await describe(one), await withheld(one)];
  check(url, found, [page?.team ? { ...page, title: "a" } : page, why]);
}
const moved = tab("https://example.org/secret", "Diagnosis");
await noteLoad(moved.id, moved.url);
await noteTitle(moved, true);
await noteTitle(moved);
check("a page that a rule keeps", await describe(moved), null);
moved.url = "https://example.org/public";
check("it changes its address, and has the title still", await describe(moved), { url: moved.url, title: "example.org" });
moved.title = "(1) Diagnosis";
check("a counter is no other title", await describe(moved), { url: moved.url, title: "example.org" });
moved.title = "Diagnosis of Ada";
check("a title that has the other", await describe(moved), { url: moved.url, title: "example.org" });
await noteLoad(moved.id, moved.url);
moved.title = "Public";
check("another page", await describe(moved), { url: moved.url, title: "Public" });
check("the icon of a page for others", await describe(tab("https://other.example/", "a", { favIconUrl: "https://work.example/i.png" })), { url: "https://other.example/", title: "a" });

begin("sites whose pages are watched");
Object.assign(chosen, { rules: [], textSites: ["https://shop.example:8443", "https://mail.example"] });
await watchSites();
check("they are registered", registered.map(({ id, matches, runAt }) => [id, matches[0], runAt]), [
  ["text-https://shop.example:8443", "https://shop.example/*", "document_start"], ["text-https://mail.example", "https://mail.example/*", "document_start"],
]);
check("with all scripts, in their order", registered.map(({ js }) => js), [scripts, scripts]);
chosen.textSites = ["https://mail.example"];
await watchSites();
check("one is not wanted any more", registered.map(({ id }) => id), ["text-https://mail.example"]);
registered[0].js = ["moz-extension://baton/secrets.js", "page.js"];
await watchSites();
check("an earlier version had other scripts", registered.map(({ id, js }) => [id, js]), [["text-https://mail.example", scripts]]);
registered[0].js = scripts.map((name) => `moz-extension://baton/${name}`);
await watchSites();
check("the same are not registered again", registered[0].js[0], "moz-extension://baton/words.js");

begin("the state of a page, and why there is none");
const here = tab("https://example.org/", "a");
const place = { fraction: 5 };
const taken = (more) => ({ url: here.url, place, form: [], left: [], ...more });
const { executeScript } = globalThis.browser.scripting;
const { warn } = console;
for (const [about, answer, state, told] of [
  ["there is one", async () => [{ result: taken() }], { place, form: [] }, []],
  ["a part of it is missing", async () => [{ result: taken({ faults: ["Error: no elements"] }) }], { place, form: [] }, ["Error: no elements"]],
  ["Chromium says nothing of what went wrong", async () => [{ result: null }], undefined, ["Error: The page’s script failed."]],
  ["Firefox does", async () => [{ error: new Error("no box") }], undefined, ["Error: no box"]],
  ["the page lets no extension in", async () => Promise.reject(new Error("Cannot access contents of the page.")), undefined, ["Error: Cannot access contents of the page."]],
  ["another page is there", async () => [{ result: taken({ url: "https://other.example/" }) }], undefined, ["another page is there now"]],
]) {
  const warnings = [];
  console.warn = (text) => warnings.push(text);
  globalThis.browser.scripting.executeScript = async ({ func }) => (func ? answer() : []);
  check(about, (await stateOf(here))?.state, state);
  check(`${about}: the log`, warnings.map((text) => text.replace(/^Baton: Tab \d+: ([^\n]*)[^]*/, "$1")), told);
}
Object.assign(console, { warn });

begin("the state of a page of this machine's server");
const local = tab("http://localhost:8000/", "a");
chosen.textSites = ["http://localhost:8000"];
for (const [about, servers, state] of [
  ["only its address", undefined, {}], ["its ports", ["http://localhost:3001", "http://localhost:8000", "ws://127.0.0.1:24678"], { ports: [3001, 24678] }],
  ["not too many", [...Array(32).keys()].map((number) => `http://localhost:${9000 + number}`), { ports: [9000, 9001, 9002, 9003, 9004, 9005, 9006] }],
  ["no other servers", ["https://localhost:1", "http://example.org:2", "nothing"], {}],
]) {
  let asked;
  globalThis.browser.scripting.executeScript = async ({ func, args }) => {
    if (func) asked = args[0];
    return func ? [{ result: { ...taken({ form: [{ kind: "text", text: "KEEP" }], servers }), url: local.url } }] : [];
  };
  check(about, (await stateOf(local))?.state, state);
  check(`${about}: no text is read`, asked, false);
}
chosen.textSites = [];
globalThis.browser.scripting.executeScript = executeScript;
