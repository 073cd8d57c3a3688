// SPDX-License-Identifier: Apache-2.0

// That every text of the extension is in all languages, and nothing in them is left over.
import fs from "node:fs";
import "./browser.mjs";
import { begin, check } from "./checks.mjs";
import { blank, extension, load, messageIn, messages, source } from "./extension.mjs";

const { localize, localized } = await load("messages.js");
const english = messages("en");
const locales = fs.readdirSync(`${extension}/_locales`);
const files = (end) => fs.readdirSync(extension).filter((name) => name.endsWith(end));
const found = (name, pattern) => [...source(name).matchAll(pattern)].map(([, one]) => one);
const used = [
  ...files(".js").flatMap((name) => found(name, /\blocalized\("(\w+)"/g)),
  ...files(".html").flatMap((name) => found(name, /data-i18n(?:-\w+)?="(\w+)"/g)),
  ...files(".json").flatMap((name) => found(name, /__MSG_(\w+)__/g)),
];

begin("messages that are used, and those that exist");
check("they are the same", [...new Set(used)].sort(), Object.keys(english).sort());
check("their names are written out", files(".js").flatMap((name) => found(name, /\b(localized\([^"].*)/g)).filter((call) => !call.includes("element.dataset")), []);
for (const name of ["chromium", "firefox"]) check(`the default of ${name}`, JSON.parse(source(`manifest.${name}.json`)).default_locale, "en");

begin("placeholders of messages");
const places = ({ message, placeholders = {} }) => ({ used: [...new Set(message.match(/\$\w+\$/g) ?? [])].sort(), placeholders });
for (const [name, message] of Object.entries(english)) {
  const { used, placeholders } = places(message);
  const names = Object.keys(placeholders);
  check(`${name} uses what it has`, used, names.map((place) => `$${place.toUpperCase()}$`).sort());
  check(`${name} has them in order`, names.map((place) => placeholders[place].content), names.map((_, index) => `$${index + 1}`));
}

begin("languages");
check("some are there", ["de", "en"].filter((locale) => locales.includes(locale)), ["de", "en"]);
for (const locale of locales) {
  const all = messages(locale);
  check(`the messages of ${locale}`, Object.keys(all), Object.keys(english));
  for (const [name, message] of Object.entries(all)) {
    check(`${name} of ${locale}`, places(message), places(english[name]));
    check(`${name} of ${locale} has a text`, message.message.trim() === message.message && message.message !== "", true);
  }
  check(`${locale} names itself`, all.language.message, locale);
}

begin("texts of pages");
for (const name of files(".html").filter((name) => source(name).includes("data-i18n"))) {
  const { document } = blank(source(name));
  const own = [...document.querySelectorAll("body *")].filter((element) => element.children.length === 0 && !/^(code|h1)$/.test(element.localName) && element.textContent);
  check(`${name} has none of its own`, own.map(({ textContent }) => textContent), []);
  localize(document);
  const named = [...document.querySelectorAll("[data-i18n]")];
  check(`${name} has all`, named.filter(({ textContent }) => !textContent || textContent.includes("{")).map(({ dataset }) => dataset.i18n), []);
  check(`${name} has a language`, document.documentElement.lang, "en");
}
const { document } = blank(source("options.html"));
localize(document);
const hint = document.querySelector("[data-i18n=rulesHint]");
check("elements are in their places", hint.textContent, messageIn(english, "rulesHint", ["example.org", "example.org/wiki", "*"]));
check("they are still elements", [...hint.querySelectorAll("code")].map(({ textContent }) => textContent), ["example.org", "example.org/wiki", "*"]);
check("attributes", document.getElementById("pattern").placeholder, "example.org");
check("a value is a text, and no message", localized("added", "$1 $SITE$ <b>"), "Added $1 $SITE$ <b>.");
