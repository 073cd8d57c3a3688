// SPDX-License-Identifier: Apache-2.0

// The parts of the extension, as browsers load them: modules, and scripts that run in a page.
import fs from "node:fs";
import Module, { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import url from "node:url";
import vm from "node:vm";

const here = path.dirname(url.fileURLToPath(import.meta.url));
export const extension = process.env.EXTENSION ?? path.join(here, "../../../WebExtension");
// Node takes a file for a module if the folder says so. The extension's own folder has nothing of Node.
const copy = fs.mkdtempSync(path.join(os.tmpdir(), "baton-extension."));
process.on("exit", () => fs.rmSync(copy, { recursive: true }));
for (const name of fs.readdirSync(extension)) {
  if (name.endsWith(".js")) fs.copyFileSync(path.join(extension, name), path.join(copy, name));
}
fs.writeFileSync(path.join(copy, "package.json"), '{"type": "module"}');

export const load = (name) => import(url.pathToFileURL(path.join(copy, name)));
export const table = (name) => JSON.parse(fs.readFileSync(path.join(here, `${name}.json`), "utf8"));
export const source = (name) => fs.readFileSync(path.join(extension, name), "utf8");

// The messages of a language, by their names.
export const messages = (locale) => JSON.parse(source(`_locales/${locale}/messages.json`));

// A message as browsers show it. Nobody may want one that does not exist, or give it more values than it has places for.
export function messageIn(all, name, values) {
  const { message, placeholders = {} } = all[name] ?? {};
  if (message === undefined || values.length !== Object.keys(placeholders).length) throw new Error(`${name} with ${values.length} values`);
  return message.replace(/\$(\w+)\$/g, (_, place) => placeholders[place.toLowerCase()].content).replace(/\$(\d)/g, (_, number) => values[number - 1]);
}

// The cases of a table: each of its texts, in its group.
export const cases = (name) => table(name).flatMap(({ texts = [""], ...group }) => texts.map((text) => ({ ...group, text })));

// The names of the scripts for pages, in the order in which tabs.js lets browsers run them.
export const scripts = JSON.parse(/const SCRIPTS = (\[.*?\]);/s.exec(source("tabs.js"))[1]);
const compiled = scripts.map((name) => new vm.Script(source(name), { filename: name }));

// What the scripts make that need no page.
export function secrets() {
  const context = vm.createContext({});
  for (const name of scripts.slice(0, scripts.indexOf("secrets.js") + 1)) compiled[scripts.indexOf(name)].runInContext(context);
  return context.batonSecrets;
}

// What has no layout has no styles either but those of elements.
const STYLES = {
  visibility: "visible", opacity: "1", overflow: "visible", overflowY: "visible", filter: "none", clip: "auto", clipPath: "none", contain: "none",
  color: "rgb(0, 0, 0)", backgroundColor: "rgba(0, 0, 0, 0)", textIndent: "0px", fontFamily: "serif", position: "static",
};

function styleOf(element) {
  const inherited = element.closest("[style*='visibility']")?.style.visibility;
  // The DOM drops what begins with -webkit, and newer ways to write colors.
  const written = element.getAttribute("style") ?? "";
  const [, security, fill] = /-webkit-text-(?:security: *(\w+)|fill-color: *(\w+))/.exec(written) ?? [];
  const [, color] = /(?<![\w-])color: *([^;]+)/.exec(written) ?? [];
  const own = { visibility: inherited, webkitTextSecurity: security, webkitTextFillColor: fill, color };
  return new Proxy(element.style ?? {}, { get: (style, name) => own[name] || style[name] || STYLES[name] });
}

// Each element has the box that its own style says, in what has a fixed place.
function boxOf(element) {
  const around = element.parentElement?.closest("[style*='position: fixed']");
  const origin = around ? boxOf(around) : { left: 0, top: 0 };
  const { left = "", top = "", width = "", height = "" } = element.style ?? {};
  const [x, y, w, h] = [[left, 0], [top, 0], [width, 200], [height, 20]].map(([text, usual]) => (text.endsWith("px") || text === "0" ? parseFloat(text) : usual));
  const [begin, head] = [origin.left + x, origin.top + y];
  return { left: begin, top: head, width: w, height: h, right: begin + w, bottom: head + h };
}

// Where Debian's packages are, which only Debian's Node knows.
process.env.NODE_PATH ??= "/usr/share/nodejs";
Module._initPaths();
const { JSDOM } = createRequire(import.meta.url)("jsdom");

// A page without scripts: its window.
export const blank = (html) => new JSDOM(html).window;

// A page with these elements, in which the scripts have run: its window. What a DOM without a layout lacks is made here.
export function open(html, address = "https://shop.example/") {
  const dom = new JSDOM(`<!doctype html><body>${html}`, { runScripts: "outside-only", url: address });
  const { window } = dom;
  const define = (of, name, get) => Object.defineProperty(of.prototype, name, { configurable: true, get });
  define(window.HTMLElement, "isContentEditable", function () {
    return (this.closest("[contenteditable]")?.getAttribute("contenteditable") ?? "false") !== "false";
  });
  define(window.HTMLElement, "innerText", function () {
    return this.textContent;
  });
  const isShown = (element) => element.isConnected && !element.closest("[style*='display: none'], [hidden]");
  window.Element.prototype.getBoundingClientRect = function () {
    return isShown(this) ? boxOf(this) : { left: 0, top: 0, width: 0, height: 0, right: 0, bottom: 0 };
  };
  window.Element.prototype.getClientRects = function () {
    return isShown(this) ? [boxOf(this)] : [];
  };
  window.getComputedStyle = styleOf;
  window.CSS = { escape: (text) => text.replace(/[^\w-]/g, "\\$&") };
  window.TextEncoder = TextEncoder;
  window.document.elementsFromPoint = () => [];
  // Chromium's way into shadow trees, which takes nothing but elements of HTML.
  const openOrClosedShadowRoot = (element) => {
    if (element.namespaceURI !== window.document.documentElement.namespaceURI) throw new TypeError("Error in invocation of dom.openOrClosedShadowRoot(HTMLElement element): ");
    return element.shadowRoot;
  };
  window.chrome = { dom: { openOrClosedShadowRoot } };
  for (const script of compiled) script.runInContext(dom.getInternalVMContext());
  return window;
}
