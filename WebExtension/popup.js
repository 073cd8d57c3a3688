import { api, pageAddress } from "./api.js";
import { settings, siteName, siteOf } from "./rules.js";
import { describe, visibleTabs, waitingText } from "./tabs.js";

const element = (id) => document.getElementById(id);
const background = api.runtime.connect({ name: "popup" });

const KINDS = {
  NSUserActivityTypeBrowsingWeb: "Web page",
  "io.baton.directory": "Directory",
  "io.baton.text-position": "Text",
  "io.baton.terminal": "Terminal",
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
      detail.textContent = [kind, host, `on ${device}`].filter(Boolean).join(" · ");
      button.append(detail);
      button.addEventListener("click", () => {
        if (performance.now() - places[place].since < SETTLE) {
          return say("The list has just changed. Look at it, and click again.", true);
        }
        button.disabled = true;
        say(`Continuing what is on ${device}…`);
        background.postMessage({ action: "open", id, deviceID, shown });
      });
      item.append(button);
      return item;
    }),
  );
  if (focused) list.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus();
  element("nothing").hidden = offers.length > 0;
}

// The name of each machine that is away, by its ID.
let away = new Map();
// That of the machine to which something is sent now, if it is away.
let waitsFor;

function showDevices(devices) {
  away = new Map(devices.filter(({ isConnected }) => !isConnected).map(({ id, name }) => [id, name]));
  const select = element("device");
  const chosen = select.value;
  select.replaceChildren(
    ...devices.map(({ id, name, isConnected }) => new Option(isConnected ? name : `${name} (away)`, id)),
  );
  if (devices.some(({ id }) => id === chosen)) select.value = chosen;
  for (const id of ["device", "send-tab", "send-window"]) element(id).disabled = devices.length === 0;
}

// Some names, as people read them: “one”, “two” and 3 more.
function list(names) {
  const shown = names.slice(0, 3).map((name) => `“${name}”`);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}

const REASONS = { card: "it has the number of a card", secret: "the field may be for a secret", tooLong: "there was no room for it", hidden: "the page does not show the field" };

// What somebody typed that stayed here, and why. Empty if that is nothing.
function without(left) {
  const parts = Object.entries(REASONS).map(([reason, text]) => [left.filter(({ why }) => why === reason).map(({ name }) => name), text]);
  return parts.filter(([names]) => names.length > 0).map(([names, text]) => `What you typed in ${list(names)} stayed here: ${text}.`).join(" ");
}

function sayResult({ action, failure, left = [], missed = [], count }) {
  if (failure) return say(failure, true);
  if (action === "open") return say("Continued.");
  const tabs = missed.length > 0 ? `Sent, but without ${missed.length} of ${count} tabs. They are still open here: ${list(missed)}.` : "";
  const stays = without(left);
  const waits = waitsFor ? `${waitsFor} is away, and gets it when it is back. Keep the tabs open until then.` : "";
  say([tabs || (waits ? "" : "Sent."), stays, waits].filter(Boolean).join(" "), Boolean(tabs || stays));
}

const STATUS = {
  offered: () => "Your other machines see this page.",
  displaced: () => "Another program’s activity is offered now. Come back to a tab to offer it again.",
  continued: ({ device, left }) => `Continued on ${device ?? "another machine"}. ${without(left ?? [])}`.trim(),
  refused: ({ message }) => `Baton does not offer this page: ${message}`,
};

let status = null;
let why = null;

background.onMessage.addListener((message) => {
  if (message.type === "result") {
    sayResult(message);
    for (const button of document.querySelectorAll("button.offer")) button.disabled = false;
    return;
  }
  const fault = message.isConnected ? message.lists?.fault : `The program “baton” does not answer. ${message.fault ?? ""}`;
  element("fault").textContent = fault ?? "";
  element("fault").hidden = !fault;
  showOffers(message.lists?.offers ?? []);
  showDevices(message.lists?.devices ?? []);
  ({ status, why } = message);
  showStatus();
});

background.onDisconnect.addListener(() => say("This part of Baton has stopped. Close this menu and open it again.", true));

element("send").addEventListener("submit", (event) => {
  event.preventDefault();
  const deviceID = element("device").value;
  const isWindow = event.submitter?.value === "window";
  waitsFor = away.get(deviceID);
  say("Sending…");
  background.postMessage({ action: "send", deviceID, isWindow });
});

const WITHHELD = {
  ofThisMachineOnly: "Pages of localhost are not offered: another machine would look for them on itself.",
  failed: "This page is not offered, because it could not be loaded.",
  rule: "This page is not offered: a rule in the options keeps it.",
  tooLong: "This page is not offered: its address is too long.",
};

// The site that the switch is for. It stays while the menu is open, wherever the page goes: a click means what was shown.
let site = null;

// Whether the tab shows something else than a web page.
let isForeign = false;

async function showSite() {
  const { active } = await visibleTabs();
  const url = active && pageAddress(active.url ?? "");
  isForeign = !!active && !url;
  showStatus();
  if (site || !url) return;
  site = siteOf(url);
  element("site").textContent = siteName(site);
  const box = element("text");
  box.checked = (await settings()).textSites.includes(site);
  box.disabled = !(await describe(active));
  const waiting = await waitingText(active);
  element("waiting").hidden = !waiting;
  if (waiting) element("waiting").textContent = `${waiting.device} sent text for ${waiting.count === 1 ? "a field" : `${waiting.count} fields`} of this page. It is filled in if you agree:`;
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
  const text = isForeign ? "This page is not offered: only web pages are." : STATUS[status?.status]?.(status);
  element("status").textContent = WITHHELD[why] ?? text ?? "";
}

showDevices([]);
showSite();
