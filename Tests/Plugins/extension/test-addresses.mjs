// SPDX-License-Identifier: Apache-2.0

// Which pages are for other machines, and to which team they go.
import { begin, check } from "./checks.mjs";
import { chosen } from "./browser.mjs";
import { cases, load, table } from "./extension.mjs";

const { byteCount, iconAddress, isLocalPage, isOfThisMachineOnly, isShownOtherwise, offeredAddress, pageAddress, shortTitle, webAddress, within } = await load("api.js");
const { NEVER, decoded, isOnHost, matches, settings, siteName, siteOf, teamFor } = await load("rules.js");

begin("hosts of this machine");
for (const { text, expect } of cases("hosts")) check(text, isOfThisMachineOnly(`http://${text}:8080/localhost`), expect);

begin("addresses that are offered");
const long = "x".repeat(2100);
for (const [address, expected] of [
  ["https://example.org/", "https://example.org/"], ["http://ada:secret@example.org/a", "http://example.org/a"], ["https://ada@example.org/a", "https://example.org/a"],
  ["https://example.org/b?a=1\\2|{3}#4\\5", "https://example.org/b?a=1%5C2|{3}#4%5C5"], ["view-source:https://example.org/a?b", "https://example.org/a?b"],
  ["VIEW-SOURCE:https://example.org/", "https://example.org/"], ["about:reader?url=https%3A%2F%2Fexample.org%2Fa", "https://example.org/a"], ["about:reader?x=1", null],
  ["about:reader?url=http%3A%2F%2Flocalhost%2Fa", null], ["about:blank", null], ["about:config", null], ["chrome://settings/", null], ["file:///etc/passwd", null],
  ["javascript:alert(1)", null], ["data:text/html,a", null], ["blob:https://example.org/1", null], ["ftp://example.org/", null], ["moz-extension://a/popup.html", null],
  ["", null], ["no address", null], ["http://", null], ["http://localhost:8080/", null], ["http://127.1/", null], ["http://10.77.0.1/", "http://10.77.0.1/"],
  [`https://example.org/#${long}`, "https://example.org/"], [`https://example.org/#/${long}`, null], [`https://example.org/#!${long}`, null], [`https://example.org/${long}`, null],
  [`https://example.org/?${"é".repeat(400)}`, null], [`https://example.org/?${"é".repeat(300)}`, `https://example.org/?${"%C3%A9".repeat(300)}`],
  ["https://bücher.example/", "https://xn--bcher-kva.example/"], [`https://example.org/${"x".repeat(2028)}`, `https://example.org/${"x".repeat(2028)}`], [`https://example.org/${"x".repeat(2029)}`, null],
]) check(address.slice(0, 60), pageAddress(address), expected);
check("too long", webAddress(`https://example.org/${long}`), `https://example.org/${long}`);
check("source", ["view-source:https://a.example/", "https://a.example/"].map(isShownOtherwise), [true, false]);

begin("pages of servers on this machine");
for (const [address, expected] of [
  ["http://localhost:8000/a?b#c", true], ["http://app.localhost/", true], ["http://127.0.0.1:1/", true], ["http://127.1:80/", true], ["http://0x7f.1/", true], ["http://2130706433/", true],
  ["http://[::1]:5173/", true], ["http://[::]/", true], ["http://0.0.0.0:8888/", true], ["https://localhost/", false], ["http://localhost:0/", false], ["http://169.254.1.1/", false],
  ["http://localhost4/", false], ["http://xlocalhost/", false], ["http://[::ffff:127.0.0.1]/", false], ["http://localhost.example.org/", false], ["http://printer/", false], ["http://a.local/", false],
]) check(address, isLocalPage(address), expected);
for (const [address, expected] of [
  ["http://me:secret@127.1:8000/a", "http://127.0.0.1:8000/a"], ["https://localhost/", null], ["http://example.org/", "http://example.org/"], [`http://localhost/${long}`, null],
  ["http://printer.local/", "http://printer.local/"], ["http://printer/", "http://printer/"],
]) check(address.slice(0, 60), offeredAddress(address), expected);

begin("icons");
for (const [address, expected] of [
  ["https://example.org/a.png", "https://example.org/a.png"], ["data:image/png;base64,AA", null], [undefined, null], ["", null], [`https://example.org/${"x".repeat(500)}`, null],
  ["http://localhost/a.png", null], [`https://example.org/${"x".repeat(492)}`, `https://example.org/${"x".repeat(492)}`],
]) check(String(address).slice(0, 60), iconAddress(address), expected);

begin("titles that are cut");
for (const [title, expected] of [
  ["short", "short"], [undefined, ""], [null, ""], ["é".repeat(256), "é".repeat(256)], ["é".repeat(257), `${"é".repeat(254)}…`], ["x".repeat(513), `${"x".repeat(509)}…`],
  ["😀".repeat(200), `${"😀".repeat(127)}…`], [`${"x".repeat(511)}😀`, `${"x".repeat(509)}…`],
]) check(String(title).slice(0, 10), shortTitle(title), expected);
check("bytes", byteCount("é…😀"), 9);

begin("patterns of rules");
for (const [pattern, address, expected] of table("rules")) check(`${pattern} ${address}`, matches(pattern, address), expected);
for (const [text, expected] of [["%61", "a"], ["%C3%A4", "ä"], ["%E4", "%E4"], ["%f0%9f%98%80", "😀"], ["%zz%", "%zz%"], ["%c0%af", "%c0%af"], ["%ed%a0%80", "%ed%a0%80"], ["%2F", "/"]]) {
  check(text, decoded(text), expected);
}
for (const [pattern, address, expected] of [
  ["example.org/a", "https://example.org/b", true], ["example.org:8080/a", "https://example.org/", false], ["*", "https://a.example/", true], ["other.org", "https://example.org/", false],
  ["https://example.org/x*", "https://www.example.org/", true],
]) check(`${pattern} is on the host of ${address}`, isOnHost(pattern, address), expected);
const rules = [{ pattern: "example.org/private", team: NEVER }, { pattern: "example.org", team: "T1" }, { pattern: "*", team: "T2" }];
for (const [address, team] of [["https://example.org/private/1", NEVER], ["https://example.org/a", "T1"], ["https://other.example/", "T2"]]) check(address, teamFor(rules, address), team);
check("no rule", teamFor([], "https://example.org/"), null);
const exceptions = [{ pattern: "example.org/Public", team: "T1" }, { pattern: "example.org", team: NEVER }, { pattern: "other.example/a", team: "T1" }];
for (const [address, team] of [
  ["https://example.org/Public/1", "T1"], ["https://example.org/public/1", NEVER], ["https://example.org/;x/Public", NEVER],
  ["https://other.example/A", "T1"], ["https://other.example/b", null],
]) check(`an exception: ${address}`, teamFor(exceptions, address), team);
check("no rule that fits", teamFor(rules.slice(0, 1), "https://other.example/"), null);
check("sites", [siteOf("https://a.example:8443/b?c"), siteName("https://a.example"), siteName("http://a.example")], ["https://a.example:8443", "a.example", "http://a.example"]);
chosen.textSites = ["old.example", "http://a.example:8080"];
check("settings of earlier versions", await settings(), { rules: [], textSites: ["https://old.example", "http://a.example:8080"] });

begin("what takes too long");
check("in time", await within(1000, Promise.resolve(1)), 1);
check("too late", await within(1, new Promise(() => {})).catch(({ message }) => message), "too late");
check("fails", await within(1000, Promise.reject(new Error("no"))).catch(({ message }) => message), "no");
