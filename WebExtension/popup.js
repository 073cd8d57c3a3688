// SPDX-License-Identifier: Apache-2.0

import { api, isLocalPage, offeredAddress } from "./api.js";
import { localize, localized } from "./messages.js";
import { settings, siteName, siteOf } from "./rules.js";
import { describe, visibleTabs, waitingText } from "./tabs.js";

const element = (id) => document.getElementById(id);
const background = api.runtime.connect({ name: "popup" });

localize(document);

const KINDS = {
  NSUserActivityTypeBrowsingWeb: localized("kindWebPage"),
  "io.baton.directory": localized("kindDirectory"),
  "io.baton.text-position": localized("kindText"),
  "io.baton.terminal": localized("kindTerminal"),
};

function say(text, isFailure = false) {
  element("message").textContent = text;
  element("message").className = isFailure ? "failure" : "quiet";
}

// What is at each place of the list, and since when. A person who clicks there sooner means what was there before.
let places = [];
const SETTLE = 700;

function showOffers(offers) {
  const now = performance.now();
  places = offers.map(({ id, shown }, place) => {
    const text = JSON.stringify([id, shown]);
    return places[place]?.text === text ? places[place] : { text, since: places.length ? now : -SETTLE };
  });
  const list = element("offers");
  // The button with the focus keeps it when the list changes.
  const focused = document.activeElement?.dataset?.id;
  list.replaceChildren(
    ...offers.map(({ id, deviceID, device, host, shown }, place) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.className = "offer";
      button.dataset.id = id;
      const kind = KINDS[shown.activityType] ?? shown.activityType;
      button.append(shown.title || kind);
      const detail = document.createElement("span");
      detail.textContent = [kind, host, localized("onMachine", device)].filter(Boolean).join(" · ");
      button.append(detail);
      button.addEventListener("click", () => {
        if (performance.now() - places[place].since < SETTLE) {
          return say(localized("listChanged"), true);
        }
        button.disabled = true;
        say(localized("continuing", device));
        background.postMessage({ action: "open", id, deviceID, shown });
      });
      item.append(button);
      return item;
    }),
  );
  if (focused) list.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus();
  element("nothing").hidden = offers.length > 0;
}

// The name of each machine that is offline, by its ID.
let offline = new Map();
// The name of the machine that something is being sent to, if it is offline.
let waitsFor;

function showDevices(devices) {
  offline = new Map(devices.filter(({ isConnected }) => !isConnected).map(({ id, name }) => [id, name]));
  const select = element("device");
  const chosen = select.value;
  select.replaceChildren(
    ...devices.map(({ id, name, isConnected }) => new Option(isConnected ? name : localized("machineOffline", name), id)),
  );
  if (devices.some(({ id }) => id === chosen)) select.value = chosen;
  for (const id of ["device", "send-tab", "send-window"]) element(id).disabled = devices.length === 0;
}

// Some names, as people read them: “one”, “two” and 3 more. `unnamed` stands for an empty one.
function list(names, unnamed) {
  const shown = names.slice(0, 3).map((name) => (name ? localized("quoted", name) : unnamed));
  const rest = names.length - shown.length;
  return rest > 0 ? localized("andMore", shown.join(", "), rest) : shown.join(", ");
}

// By the reason why text stays here.
const STAYS = {
  card: (fields) => localized("leftCard", fields),
  secret: (fields) => localized("leftSecret", fields),
  tooLong: (fields) => localized("leftTooLong", fields),
  hidden: (fields) => localized("leftHidden", fields),
};

// Which text stayed here, and why. Empty if none did.
function without(left) {
  const parts = Object.entries(STAYS).map(([reason, sentence]) => [left.filter(({ why }) => why === reason).map(({ name }) => name), sentence]);
  return parts.filter(([names]) => names.length > 0).map(([names, sentence]) => sentence(list(names, localized("unnamedField")))).join(" ");
}

function sayResult({ action, failure, left = [], missed = [], count }) {
  if (failure) return say(failure, true);
  if (action === "open") return say(localized("continued"));
  const tabs = missed.length > 0 ? localized("sentSome", count - missed.length, count, list(missed, localized("unnamedTab"))) : "";
  const stays = without(left);
  const waits = waitsFor ? localized("queued", waitsFor) : "";
  say([tabs || (waits ? "" : localized("sent")), stays, waits].filter(Boolean).join(" "), Boolean(tabs || stays));
}

const STATUS = {
  offered: () => localized("statusOffered"),
  displaced: () => localized("statusDisplaced"),
  continued: ({ device, left }) => [device ? localized("statusContinued", device) : localized("statusContinuedElsewhere"), without(left ?? [])].filter(Boolean).join(" "),
  refused: ({ message }) => localized("statusRefused", message),
};

let status = null;
let why = null;

background.onMessage.addListener((message) => {
  if (message.type === "result") {
    sayResult(message);
    for (const button of document.querySelectorAll("button.offer")) button.disabled = false;
    return;
  }
  const fault = message.isConnected ? message.lists?.fault : localized("noConnection", message.fault ?? "").trim();
  element("fault").textContent = fault ?? "";
  element("fault").hidden = !fault;
  showOffers(message.lists?.offers ?? []);
  showDevices(message.lists?.devices ?? []);
  ({ status, why } = message);
  showStatus();
});

background.onDisconnect.addListener(() => say(localized("extensionStopped"), true));

element("send").addEventListener("submit", (event) => {
  event.preventDefault();
  const deviceID = element("device").value;
  const isWindow = event.submitter?.value === "window";
  waitsFor = offline.get(deviceID);
  say(localized("sending"));
  background.postMessage({ action: "send", deviceID, isWindow });
});

const WITHHELD = {
  ofThisMachineOnly: localized("withheldLocal"),
  failed: localized("withheldFailed"),
  rule: localized("withheldRule"),
  tooLong: localized("withheldTooLong"),
};

// The site that the switch is for. It stays while the menu is open, wherever the page goes: a click means what was shown.
let site = null;

// Whether the tab shows something else than a web page.
let isForeign = false;

async function showSite() {
  const { active } = await visibleTabs();
  const url = active && offeredAddress(active.url ?? "");
  isForeign = !!active && !url;
  showStatus();
  if (site || !url) return;
  site = siteOf(url);
  element("site").textContent = siteName(site);
  const box = element("text");
  box.checked = (await settings()).textSites.includes(site);
  // Of a page of this machine's server, only the address leaves.
  box.disabled = isLocalPage(url) || !(await describe(active));
  const waiting = await waitingText(active);
  element("waiting").hidden = !waiting;
  if (waiting) element("waiting").textContent = waiting.count === 1 ? localized("waitingField", waiting.device) : localized("waitingFields", waiting.device, waiting.count);
}

element("text").disabled = true;
element("text").addEventListener("change", async ({ target }) => {
  element("waiting").hidden = true;
  const { textSites } = await settings();
  const others = textSites.filter((other) => other !== site);
  await api.storage.local.set({ textSites: target.checked ? [...others, site] : others });
});
// The page may still be awaited.
api.tabs.onUpdated.addListener(showSite);

function showStatus() {
  const text = isForeign ? localized("withheldForeign") : STATUS[status?.status]?.(status);
  element("status").textContent = WITHHELD[why] ?? text ?? "";
}

showDevices([]);
showSite();
