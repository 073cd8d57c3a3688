// SPDX-License-Identifier: Apache-2.0

// Tells Baton which page the person looks at, and opens those that come from other machines.
import { api, shortTitle } from "./api.js";
import { localized } from "./messages.js";
import { Native } from "./native.js";
import { noteServersOfPage, watchServers } from "./servers.js";
import { TAB_LIMIT, current, describe, focusedWindow, forget, isUsed, keepPages, noteContent, noteFailure, noteLoad, noteTitle, open, restoreAll, restoreIfReady, stateOf, visibleTabs, watchSites, withheld } from "./tabs.js";

// When the toolbar button's window has closed, the focus comes back in this time.
const FOCUS_TIME = 300;
// How often browsers are asked which window has the focus. Chromium says neither that another program has it, nor that it
// is back, and in Firefox the windows do not know it yet when it says so.
const LOOK_TIME = 1000;
const TAKEN = "isTaken";

const popups = new Set();
let lists = null;
let status = null;
// The page that the host knows, as text. Undefined before it knows any.
let told;
// Why the page in front is not for other machines, and the same as the host knows it. Null if it is for them.
let why = null;
let toldWhy = null;
// The window with the focus, or null. While the toolbar button's window has it, that counts for nothing.
let focus;
let toldFocus;
// Whether a page was offered when the last host ended. Unless it was, none takes another program's place for the next one.
let wasOffered = true;
let lastPopup = 0;
// The fields whose text stayed here when another machine continued the page last.
let left = [];

keepPages();
const native = new Native(connected, received);

async function connected(introduce) {
  told = undefined;
  toldWhy = null;
  toldFocus = undefined;
  lists = null;
  const { [TAKEN]: taken = false } = await api.storage.session.get(TAKEN);
  introduce({ type: "hello", isTaken: taken !== false, url: taken?.url });
  if (popups.size > 0) native.post({ type: "watch", isOn: true });
  refresh(false);
}

async function received(message) {
  switch (message.type) {
    case "status":
      status = message;
      api.storage.session.set({ [TAKEN]: takenBy(message) });
      refresh(false);
      break;
    case "getState": {
      const { url, state, left: fields = [] } = (await stateOf((await current()).tab)) ?? {};
      const answer = { type: "state", request: message.request };
      left = fields;
      if (!url || !native.post({ ...answer, url, state })) native.post({ ...answer, state: null });
      return;
    }
    case "openPage":
      await open(message, (message) => native.post(message));
      return;
    case "lists":
      // It can still have been on its way.
      lists = popups.size > 0 ? message : null;
      break;
    case "hello":
      break;
    case "lost":
      if (status) wasOffered = status.status === "offered";
      lists = null;
      status = null;
      break;
  }
  showInPopups();
}

// What the next host learns: whether another program's activity took over from the page, or which page another machine
// has continued.
function takenBy({ status }) {
  if (status === "continued") return { url: JSON.parse(told ?? "null")?.url };
  return status === "displaced" ? {} : false;
}

// Tells the host what is shown now. Calls while one runs are one more.
let isRunning = false;
let isDue = false;
let isChosen = false;

async function refresh(wasChosen) {
  isChosen ||= wasChosen;
  isDue = true;
  if (isRunning) return;
  isRunning = true;
  try {
    while (isDue) {
      isDue = false;
      const chosen = isChosen;
      isChosen = false;
      await tell(chosen);
    }
  } finally {
    isRunning = false;
  }
}

async function tell(wasChosen) {
  const { tab, windowID, isOwn, isOpening } = await current();
  const isTurnedTo = focus !== undefined && windowID !== null && windowID !== focus;
  const isInPopup = popups.size > 0 || Date.now() < lastPopup + FOCUS_TIME;
  if (windowID !== null || !isInPopup || focus === undefined) focus = windowID;
  const hasFocus = focus !== null;
  if (hasFocus !== toldFocus && native.post({ type: "focus", isOn: hasFocus })) toldFocus = hasFocus;
  const chosen = !isOwn && (isTurnedTo || (wasChosen && hasFocus));
  // The choice is one of the page that comes.
  if (isOpening && chosen) isChosen = true;
  const page = await describe(tab);
  // Who looks for the reason looks at another window.
  const before = why;
  why = page ? null : await withheld(tab ?? (await visibleTabs()).active);
  if (why !== before) showInPopups();
  if (why !== toldWhy && native.post({ type: "withheld", why })) toldWhy = why;
  // While another program has the focus, the page stays, and changes, but none takes the place of that program's activity.
  if (!hasFocus && !(told === undefined ? wasOffered : status?.status === "offered")) return;
  const text = JSON.stringify(page);
  const isNews = chosen && !isOpening && status?.status !== "offered";
  if (text === told && !isNews) return;
  if (native.post({ type: "page", page, isChosen: chosen && !isOpening })) told = text;
  // The next host hears of the choice.
  else isChosen ||= chosen;
}

// MARK: What happens in the browser

api.tabs.onActivated.addListener(() => refresh(true));
api.tabs.onUpdated.addListener((id, change, tab) => {
  noteTitle(tab, change.status === "loading");
  if (change.status === "complete" || change.url) restoreIfReady(id);
  if ((tab.active || isUsed(id)) && (change.url || change.title || change.favIconUrl || change.status)) refresh(false);
});
watchServers();
api.webNavigation.onCommitted.addListener(({ tabId, frameId, url, timeStamp, transitionQualifiers }) => {
  if (frameId !== 0) return;
  noteLoad(tabId, url, transitionQualifiers?.includes("forward_back"));
  noteServersOfPage(tabId, timeStamp);
});
api.webNavigation.onDOMContentLoaded.addListener(async ({ tabId, frameId, url }) => {
  if (frameId !== 0) return;
  if (!url.startsWith("about:")) return noteContent(tabId);
  // Firefox's own pages are `about:neterror` and the like here. Of a port that it blocks, nothing else says so.
  if (!/^about:(neterror|certerror|blocked|httpsonlyerror)\b/.test(url)) return;
  const tab = await api.tabs.get(tabId).catch(() => null);
  if (!tab) return;
  await noteFailure(tabId, tab.url, url);
  refresh(false);
});
api.webNavigation.onErrorOccurred.addListener(async ({ tabId, frameId, url, error }) => {
  if (frameId !== 0) return;
  await noteFailure(tabId, url, error);
  refresh(false);
});
api.tabs.onRemoved.addListener((id) => {
  forget(id);
  refresh(false);
});
api.windows.onRemoved.addListener(() => refresh(false));
// What counts is what is so when somebody looks. Browsers say too early that it changes, or not at all.
api.windows.onFocusChanged.addListener(() => refresh(false));
setInterval(async () => {
  if (native.isConnected && ((await focusedWindow())?.id ?? null) !== focus) refresh(false);
}, LOOK_TIME);
api.storage.onChanged.addListener((changes, area) => {
  if (area !== "local") return;
  watchSites();
  restoreAll();
  refresh(false);
});

// The browser starts this part of the extension for these, too, if it was stopped.
api.runtime.onStartup.addListener(() => native.connect());
api.runtime.onInstalled.addListener(() => {
  watchSites();
  api.alarms.create("connect", { periodInMinutes: 0.5 });
});
api.alarms.onAlarm.addListener(() => native.connect());
api.alarms.get("connect").then((alarm) => alarm ?? api.alarms.create("connect", { periodInMinutes: 0.5 }));

// MARK: The toolbar button

api.runtime.onConnect.addListener((popup) => {
  // Not a script of this extension in a page.
  if (popup.name !== "popup" || !popup.sender?.url?.startsWith(api.runtime.getURL("/"))) return;
  popups.add(popup);
  popup.onDisconnect.addListener(() => {
    popups.delete(popup);
    lastPopup = Date.now();
    if (popups.size > 0) return;
    native.post({ type: "watch", isOn: false });
    // The next popup would show what is no longer so.
    lists = null;
  });
  popup.onMessage.addListener(async (message) => {
    const result = await act(message).catch((error) => ({ failure: error.message }));
    if (popups.has(popup)) popup.postMessage({ type: "result", action: message.action, ...result });
  });
  native.connect();
  if (popups.size === 1) native.post({ type: "watch", isOn: true });
  showInPopups();
  refresh(false);
});

function showInPopups() {
  const { fault, isConnected } = native;
  for (const popup of popups) popup.postMessage({ type: "lists", lists, status: status && { ...status, left }, why, fault, isConnected });
}

// Resolves to what there is to say: a text, and whether it is a failure.
async function act(message) {
  if (message.action === "open") return { failure: await native.ask({ type: "open", id: message.id, deviceID: message.deviceID, shown: message.shown }) };
  return message.action === "send" ? send(message) : { failure: "Unknown action." };
}

async function send({ deviceID, isWindow }) {
  const { tabs, active } = await visibleTabs();
  const pages = [];
  // Nobody misses the browser's own pages, such as an empty tab.
  const missed = [];
  for (const tab of isWindow ? tabs : []) {
    const page = await describe(tab);
    if (page) pages.push({ ...page, tab });
    else if (!/^(about|chrome|[\w-]*-extension):/.test(tab.url ?? "about:")) missed.push(tab);
  }
  const page = (active && (await describe(active))) ?? pages[0];
  if (!page) return { failure: REFUSALS[await withheld(active)] ?? localized("refusedForeign") };
  // A rule binds what is sent, too: pages of different teams do not go out together.
  const allowed = pages.filter(({ team }) => (team ?? null) === (page.team ?? null)).slice(0, TAB_LIMIT);
  missed.push(...pages.filter((one) => !allowed.includes(one)).map(({ tab }) => tab));
  const taken = active ? await stateOf(active) : null;
  const isOfPage = taken?.url === page.url;
  const state = isOfPage ? taken.state : {};
  if (isWindow) state.tabs = allowed.map(({ url, title }) => ({ url, title }));
  const { tab: _, ...sent } = page;
  const failure = await native.ask({ type: "send", page: sent, state, deviceID });
  return { failure, left: isOfPage ? taken.left : [], missed: missed.map(({ title }) => shortTitle(title)), count: allowed.length + missed.length };
}

const REFUSALS = {
  ofThisMachineOnly: localized("refusedLocal"),
  failed: localized("refusedFailed"),
  rule: localized("refusedRule"),
  tooLong: localized("refusedTooLong"),
};

native.connect();
