// SPDX-License-Identifier: Apache-2.0

// The page that the person looks at, its state, and opening pages.
import {
  api, iconAddress, isLocalPage, isOfThisMachineOnly, isShownOtherwise, isTooLong, offeredAddress, pageAddress, shortTitle, webAddress, within,
} from "./api.js";
import { NEVER, decoded, isOnHost, settings, siteOf, teamFor } from "./rules.js";
import { forgetServers, serverPort, serversOf } from "./servers.js";

// Baton hands the page over before, and passes on what comes until then.
const STATE_TIME = 5000;
const RESTORE_TIME = 5 * 60 * 1000;
const KEEP_TIME = 100;
// A browser's program starts, and hands over, in this time.
const FRONT_TIME = 3000;
const FOCUS_TIME = 500;
export const TAB_LIMIT = 50;
// How the names of pages begin that wait for a click.
const ARRIVED = "arrived-";

// What is known of the pages in tabs. `title` belongs to the address `url`; `shown` is the address that is shown, and
// `isLoading` whether its page is. While a page loads, and when it only changes its address, a tab can still have the title
// of the page before. `loaded` is the address of a page that has come, until it has a title. `owners` are the addresses at
// which a page first had each of its titles, and `related` those of the titles that share something with `title`. `past` are
// the owners of the pages before, of which browsers keep some to go back to. `isSeen` says that a page was seen to come, and `isUnsure` that its title can
// be an earlier one.
const pages = new Map();
const PAGES = "pages";
const OWNERS = 100;

// It is kept if this part of the extension is stopped. What was noted in the meantime is newer.
const known = api.storage.session.get(PAGES).then(({ [PAGES]: all = {} }) => {
  for (const [id, page] of Object.entries(all)) if (!pages.has(Number(id))) pages.set(Number(id), page);
});

let keeper = false;
let isDue = false;

// Called by the part that hears of all changes. The toolbar button's page must not overwrite what that knows.
export function keepPages() {
  keeper = true;
}

function keep() {
  if (!keeper || isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    api.storage.session.set({ [PAGES]: Object.fromEntries(pages) }).catch(() => {});
  }, KEEP_TIME);
}

// Called when a tab is closed.
export async function forget(tabId) {
  await known;
  pages.delete(tabId);
  keep();
  forgetServers(tabId);
  setRestore(tabId, null).catch(() => {});
}

// Notes that another page has come into a tab. Its titles are its own.
export async function noteLoad(tabId, url, isBack = false) {
  await known;
  const last = pages.get(tabId);
  const { failed = null, owners: before = [] } = last ?? {};
  const past = [...(last?.past ?? []), ...before].slice(-OWNERS);
  // A browser that goes back can show the page as it was left, with a title that it had at another address.
  const [owners, loaded] = isBack ? [past, null] : [[], url];
  // A copy of another tab has that tab's title until its own page has one.
  const isUnsure = last?.isUnsure || (last?.title !== undefined && !last.isSeen);
  // Firefox also says so of the page in which it says that one could not be loaded.
  pages.set(tabId, { ...last, loaded, owners, past, isUnsure, isSeen: true, failed: failed === url ? url : null });
  keep();
}

// Notes that the page is there, and none of the browser's own in its place.
export async function noteContent(tabId) {
  await known;
  pages.set(tabId, { ...pages.get(tabId), failed: null });
  keep();
}

// What browsers call a load that a person stopped. What has come of the page stays there.
const STOPPED = /ERR_ABORTED|\b2152398850$/;

// Notes that a page could not be loaded. The browser shows its address, and why.
export async function noteFailure(tabId, url, error) {
  await known;
  if (STOPPED.test(error)) return;
  pages.set(tabId, { ...pages.get(tabId), failed: url });
  keep();
}

// A title without counters and signs: "(1) Inbox" is "inbox".
const bareTitle = (title) => (title ?? "").toLowerCase().replace(/[^\p{L}]+/gu, " ").trim();

// The pages with which a title shares something: the one that had it first, and those whose titles are in it, or have it.
function relativesOf(title, owners) {
  const text = bareTitle(title);
  const isIn = (one, other) => one !== "" && (one === other || (one.length > 3 && other.includes(one)));
  return owners.filter(([other]) => other === title || isIn(bareTitle(other), text) || isIn(text, bareTitle(other)));
}

// Notes to which page a tab's title belongs, at each change of the tab. A page that starts to load replaces the last one,
// but browsers also say so of one that only changes its address.
export async function noteTitle(tab, startsLoading = false) {
  await known;
  if (tab.incognito) return;
  const last = pages.get(tab.id);
  const page = { ...last, owners: last?.owners ?? [], title: tab.title, shown: tab.url };
  // A tab is also loading when a page that has loaded adds a frame, but no event says when that ends.
  const hasLoaded = !startsLoading && last?.isLoading === false && last.shown === tab.url;
  page.isLoading = tab.status === "loading" && !hasLoaded;
  if (last?.title !== tab.title) {
    // Counters change often.
    const bare = bareTitle(tab.title);
    const first = page.owners.find(([title]) => title === tab.title || (bare && bareTitle(title) === bare));
    const relatives = [...relativesOf(tab.title, page.owners), ...(last?.past ?? []).filter(([title]) => title === tab.title)];
    const owner = first ?? [tab.title, tab.url, relatives.map(([, url]) => url)];
    if (!first) page.owners = [...page.owners.slice(1 - OWNERS), owner];
    [, page.url, page.related] = owner;
    page.loaded = null;
    // A tab that is restored, or a copy, first has the title that was there when it was kept.
    page.isUnsure = last?.title === undefined && page.isLoading;
  } else if (last?.isLoading && !page.isLoading && last.loaded) {
    page.url = last.loaded;
    page.related = [];
    page.isUnsure = false;
    page.owners = [[tab.title, last.loaded, []]];
    page.loaded = null;
  }
  pages.set(tab.id, page);
  keep();
}

// Whether a browser can have made a title of an address of this host: it need not be the one that is shown now. A page can
// change its address, to take a code out of it, and keeps the title that was made of the one before.
function isAddressOn(hostname, title) {
  const bare = (host) => host.replace(/^www\.|\.$/g, "");
  const text = title.trim().replace(/^https?:\/\//i, "");
  if (!/[/?#]/.test(text)) return false;
  try {
    return bare(new URL(`http://${text}`).hostname) === bare(hostname);
  } catch {
    return false;
  }
}

// Browsers show the address of a page that has no title, or none yet. All machines see the title of an offer, but only
// the machine that continues it gets the address. So such a page is named after its site, and its file if it is one.
//
// `titled` is the address at which the page first had the title.
function titleOf(tab, url, titled, isLoading) {
  const { hostname, pathname } = new URL(url);
  const title = (tab.title ?? "").replace(/^view-source:/i, "");
  const afterHost = (text) => decoded(text.replace(/^https?:\/\//i, "").replace(/^[^/?#]*/, ""));
  const shown = afterHost(title);
  const addresses = [url, titled];
  const isAddress = isAddressOn(hostname, title) || (shown.length > 1 && addresses.some((address) => afterHost(address).startsWith(shown)));
  const parts = addresses.flatMap((address) => [new URL(address).search, new URL(address).hash]);
  const hasPart = parts.some((part) => part.length > 3 && decoded(title).includes(decoded(part)));
  if (!isAddress && !hasPart) return shortTitle(title);
  const [file] = /[^/]+\.\w{1,5}$/.exec(decoded(pathname)) ?? [];
  return shortTitle(file && !isLoading ? `${file} (${hostname})` : hostname);
}

// Whether the browser shows that a page could not be loaded, in its place. Only Chromium still says so later.
async function hasFailed(tab) {
  await known;
  const { failed } = pages.get(tab.id) ?? {};
  if (failed !== undefined) return failed === tab.url;
  const frame = await api.webNavigation.getFrame({ tabId: tab.id, frameId: 0 }).catch(() => null);
  return frame?.errorOccurred ?? false;
}

// Why a tab's page is not for other machines: "ofThisMachineOnly", "failed", "rule" or "tooLong". Null if it is for them, or
// if people do not expect it to be.
export async function withheld(tab) {
  const address = tab && !tab.incognito ? webAddress(tab.url ?? "") : null;
  if (!address) return null;
  if (isOfThisMachineOnly(address) && !isLocalPage(address)) return "ofThisMachineOnly";
  if (await hasFailed(tab)) return "failed";
  if (teamFor((await settings()).rules, address) === NEVER) return "rule";
  return isTooLong(address) ? "tooLong" : null;
}

// What is told of a tab. Null if it is not for other machines.
export async function describe(tab) {
  if (!tab || tab.incognito) return null;
  const url = offeredAddress(tab.url ?? "");
  if (!url || (await hasFailed(tab))) return null;
  await noteTitle(tab);
  const { url: titled, isLoading, related = [], isSeen = false, isUnsure = false } = pages.get(tab.id);
  const source = offeredAddress(titled);
  const { rules } = await settings();
  const team = teamFor(rules, url);
  if (team === NEVER) return null;
  // The page before may be for nobody, or for another team. That of a tab which was there before this extension, or is
  // another one's copy, may have been at any address of its site.
  const isKnown = (isSeen && !isUnsure) || rules.every((rule) => rule.team === team || !isOnHost(rule.pattern, url));
  const isOwn = source && isKnown && [source, ...related.map(offeredAddress)].every((address) => address && teamFor(rules, address) === team);
  const page = { url, title: isOwn ? titleOf(tab, url, source, isLoading) : new URL(url).hostname };
  const icon = isLoading ? null : iconAddress(tab.favIconUrl);
  // The icon of a page can be on a site that is for others.
  if (icon && [null, team].includes(teamFor(rules, icon))) page.icon = icon;
  if (team) page.team = team;
  return page;
}

// The window and the tab that the person used last: { windowID, tabID }. It is kept if this part of the extension is stopped.
const USED = "used";
let used = null;
const usedBefore = api.storage.session.get(USED).then(({ [USED]: before = null }) => {
  used ??= before;
});

// Whether the page is in this tab, perhaps behind one of Baton's own.
export const isUsed = (tabID) => tabID === used?.tabID;

// The window with the focus. Undefined if no window of the browser has it, or one that has no tabs.
export async function focusedWindow() {
  return (await api.windows.getAll({ windowTypes: ["normal"] })).find(({ focused }) => focused);
}

// Pages of Baton's own count for nothing.
const isOwnPage = ({ url = "" }) => url.startsWith(api.runtime.getURL("/"));
// A new tab is empty at first, also if it is for one of these.
const isOpening = ({ url = "" }) => /^(about:blank)?$/.test(url);

// The tab of the page that the person used last, which they go on using when they come back from another program: { tab,
// windowID, isOwn, isOpening }. `tab` is null if there is none. `windowID` is that of the window with the focus, or null. The
// others say that a page of Baton's own, or one that is not there yet, is in front of the tab.
export async function current() {
  await usedBefore;
  const focused = await focusedWindow();
  const windowID = focused?.id ?? null;
  const shown = windowID ?? used?.windowID;
  const [active] = shown === undefined ? [] : await api.tabs.query({ active: true, windowId: shown }).catch(() => []);
  const covers = { isOwn: !!active && isOwnPage(active), isOpening: !!active && isOpening(active) };
  if (covers.isOwn || covers.isOpening) {
    return { tab: used ? await api.tabs.get(used.tabID).catch(() => null) : null, windowID, ...covers };
  }
  if (active && (active.id !== used?.tabID || active.windowId !== used.windowID)) {
    used = { windowID: active.windowId, tabID: active.id };
    api.storage.session.set({ [USED]: used }).catch(() => {});
  }
  return { tab: active ?? null, windowID, ...covers };
}

// The window with tabs that the person used last. Null if there is none.
async function lastWindow() {
  // Firefox also returns windows of other kinds.
  const last = await api.windows.getLastFocused({ windowTypes: ["normal"] }).catch(() => null);
  if (last?.type === "normal" && !last.incognito) return last;
  const windows = await api.windows.getAll({ windowTypes: ["normal"], populate: true });
  const usage = ({ tabs }) => Math.max(...tabs.map(({ lastAccessed }) => lastAccessed ?? 0));
  return windows.filter(({ incognito }) => !incognito).sort((one, other) => usage(other) - usage(one))[0] ?? null;
}

// The same for the toolbar button, whose own window may have the focus.
export async function visibleTabs() {
  const window = await lastWindow();
  const tabs = window ? await api.tabs.query({ windowId: window.id }) : [];
  return { tabs, active: tabs.find((tab) => tab.active) };
}

// Each reads what those before it have made.
const SCRIPTS = ["words.js", "secrets.js", "fields.js", "passwords.js", "place.js", "page.js"];

// Says in the extension's log why something is missing: nobody else hears of it. Addresses and titles are not for it.
const warn = (tabId, why) => console.warn(`Baton: Tab ${tabId}: ${why}`);

// What a script returns in a page. Rejects if there is nothing: what Chromium leaves of a script that failed.
async function run(tabId, call) {
  const target = { tabId };
  await api.scripting.executeScript({ target, files: SCRIPTS });
  const [{ result, error } = {}] = await api.scripting.executeScript({ target, ...call });
  if (error) throw error;
  if (result === undefined || result === null) throw new Error("The page’s script failed.");
  for (const fault of result.faults ?? []) warn(tabId, fault);
  return result;
}

// How many ports of one page Baton forwards besides its own.
const PORTS = 7;

// What is told of a page of one of this machine's servers: the other ports that it needs. `loaded`: the origins from which it
// knows itself that it has loaded something; it may be older than this extension.
async function portsOf(tab, url, loaded) {
  const all = [...(await serversOf(tab.id, url)), ...(loaded ?? []).map(serverPort)];
  const ports = [...new Set(all)].filter((port) => port !== null && port !== serverPort(url)).slice(0, PORTS);
  return ports.length > 0 ? { ports } : {};
}

// The state of a tab's page: { url, state, left }. It has text only if the person has agreed for the site, and `left` are the
// fields whose text stays here: { name, why }. Null if the page does not answer.
//
// The browser that continues a page of this machine's server is only told its address. So that is all that leaves.
export async function stateOf(tab) {
  const page = await describe(tab);
  // The source of a page, and the reader's view of it, have other places.
  if (!page || isShownOtherwise(tab.url)) return null;
  const hasText = !isLocalPage(page.url) && (await settings()).textSites.includes(siteOf(page.url));
  try {
    const call = { func: (hasText) => globalThis.batonPage.take(hasText), args: [hasText] };
    const taken = await within(STATE_TIME, run(tab.id, call));
    const url = offeredAddress(taken.url);
    // The page that was asked is another site's if the tab went there in the meantime.
    if (url && siteOf(url) === siteOf(page.url)) {
      const state = isLocalPage(url) ? await portsOf(tab, url, taken.servers) : { place: taken.place, form: taken.form };
      return { url, state, left: taken.left };
    }
    warn(tab.id, "another page is there now");
    return null;
  } catch (error) {
    warn(tab.id, error);
    return null;
  }
}

// What is to be restored in tabs that still load, so that it is not lost if this part of the extension is stopped.
const RESTORES = "restores";

async function restores() {
  const { [RESTORES]: all = {} } = await api.storage.session.get(RESTORES);
  return Object.fromEntries(Object.entries(all).filter(([, { time }]) => Date.now() - time <= RESTORE_TIME));
}

let turn = Promise.resolve();

// Changes them, one change after another. Null: nothing is to be restored any more.
function setRestore(tabId, wanted) {
  const change = async () => {
    const all = await restores();
    if (wanted) all[tabId] = wanted;
    else delete all[tabId];
    await api.storage.session.set({ [RESTORES]: all });
  };
  turn = turn.then(change, change);
  return turn;
}

// Restores what is wanted in a tab, as soon as it shows the page. Until that is over, the page can still lead to another,
// such as one to log in. Text is only filled in if the person has agreed for the site, and waits for that.
export async function restoreIfReady(tabId) {
  const wanted = (await restores())[tabId];
  const tab = await api.tabs.get(tabId).catch(() => null);
  if (!wanted || !tab) return;
  const { textSites } = await settings();
  const site = textSites.find((site) => site === originOf(tab.url)) ?? null;
  const call = {
    func: (url, state, site) => globalThis.batonPage.restore(url, state, site),
    args: [wanted.url, wanted.state, site],
  };
  // The page may not let extensions in, or be gone.
  const isRestored = await run(tabId, call).catch((error) => {
    warn(tabId, error);
    return false;
  });
  if (!isRestored) return;
  const form = wanted.state.form ?? [];
  const { [tabId]: still } = await restores();
  // Another page may be wanted by now.
  if (still?.time !== wanted.time) return;
  await setRestore(tabId, site || form.length === 0 ? null : { ...wanted, state: { form } });
}

// Fills in what waits for the person's consent, if it is there now.
export async function restoreAll() {
  for (const id of Object.keys(await restores())) restoreIfReady(Number(id));
}

// The text that waits for the person's consent in a tab: { device, count }. Null if there is none.
export async function waitingText(tab) {
  const wanted = (await restores())[tab.id];
  const count = wanted?.state.form?.length ?? 0;
  return count > 0 && !(await settings()).textSites.includes(originOf(tab.url)) ? { device: wanted.device, count } : null;
}

const originOf = (address) => {
  try {
    return new URL(address).origin;
  } catch {
    return null;
  }
};

// A tab in a window that has come to the front, for what a person has clicked on in the desktop. Only the desktop can let
// that happen: it gives a token, with which the host starts the browser's own program, which opens such a tab. Null if none
// comes.
const FRONT = api.runtime.getURL("front.html");
const fronts = new Set();

function front(post) {
  return new Promise((resolve) => {
    const end = (tab) => {
      clearTimeout(timer);
      api.tabs.onUpdated.removeListener(look);
      resolve(tab);
    };
    const look = (id, _, tab) => {
      if (tab.url !== FRONT || fronts.has(id)) return;
      fronts.add(id);
      end(tab);
    };
    const timer = setTimeout(end, FRONT_TIME, null);
    api.tabs.onUpdated.addListener(look);
    if (!post({ type: "front", url: FRONT })) end(null);
  });
}

// Whether the window gets the focus. The desktop need not take the token.
async function comesToFront(windowID) {
  for (const end = Date.now() + FOCUS_TIME; Date.now() < end; ) {
    if ((await focusedWindow())?.id === windowID) return true;
    await new Promise((resolve) => setTimeout(resolve, FOCUS_TIME / 10));
  }
  return false;
}

// In this window, in the one that the person used last, or in a new one.
async function create(url, active, windowId) {
  windowId ??= (await lastWindow())?.id;
  if (windowId !== undefined) return api.tabs.create({ url, active, windowId });
  const made = await api.windows.create({ url, focused: true });
  return made.tabs?.[0] ?? null;
}

// Opens the pages that another machine handed over. The first is shown, and its state is restored when it is there.
//
// `others` are on sites that the person has not seen yet. They are shown, and wait for a click.
export async function open({ page, tabs, others, state, device, hasToken }, post) {
  const first = pageAddress(page.url);
  if (!first) return;
  const shown = hasToken ? await front(post) : null;
  const tab = await create(first, true, shown?.windowId);
  if (shown) await api.tabs.remove(shown.id).catch(() => {});
  if (tab && state) {
    // Without room for its state, the page is there all the same, and so are the others.
    await setRestore(tab.id, { url: first, state, device, time: Date.now() }).catch((error) => warn(tab.id, error));
    // The page can be there already. If it never finishes loading, no more news of it comes.
    const now = await api.tabs.get(tab.id).catch(() => null);
    if (now?.url && now.url !== "about:blank") restoreIfReady(tab.id);
  }
  if (tab && !(shown && (await comesToFront(tab.windowId)))) await api.windows.update(tab.windowId, { focused: true }).catch(() => {});
  const { hostname } = new URL(first);
  const isOwn = (url) => new URL(url).hostname === hostname;
  const all = [...(tabs ?? []), ...(others ?? [])].map(({ url, title }) => ({ url: pageAddress(url), title })).filter(({ url }) => url && url !== first);
  for (const { url } of all.filter(({ url }) => isOwn(url)).slice(0, TAB_LIMIT - 1)) await openBeside(url, tab);
  const asked = all.filter(({ url }) => !isOwn(url)).slice(0, TAB_LIMIT - 1);
  if (asked.length === 0) return;
  const key = `${ARRIVED}${crypto.randomUUID()}`;
  await api.storage.session.set({ [key]: { device, pages: asked } });
  await openBeside(api.runtime.getURL(`arrived.html#${key}`), tab);
}

const openBeside = (url, tab) => api.tabs.create({ url, active: false, windowId: tab?.windowId }).catch(() => create(url, false));

// Lets the extension see in the pages of these sites which fields ever contained passwords.
export async function watchSites() {
  const { textSites } = await settings();
  const wanted = textSites.map((site) => ({
    id: `text-${site}`,
    // Firefox knows no patterns with ports.
    matches: [`${new URL(site).protocol}//${new URL(site).hostname}/*`],
    js: SCRIPTS,
    runAt: "document_start",
  }));
  const registered = await api.scripting.getRegisteredContentScripts();
  // An earlier version of the extension, of the same number, had other scripts. Browsers can write a path in full.
  const isAsNow = ({ js }) => js.map((path) => path.replace(/.*\//, "")).join() === SCRIPTS.join();
  const kept = registered.filter((script) => isAsNow(script) && wanted.some(({ id }) => id === script.id)).map(({ id }) => id);
  const old = registered.map(({ id }) => id).filter((id) => !kept.includes(id));
  if (old.length > 0) await api.scripting.unregisterContentScripts({ ids: old });
  for (const script of wanted) {
    if (kept.includes(script.id)) continue;
    try {
      await api.scripting.registerContentScripts([script]);
      for (const { id } of await api.tabs.query({ url: script.matches })) {
        api.scripting.executeScript({ target: { tabId: id }, files: script.js }).catch(() => {});
      }
    } catch {
      // A site whose name is no pattern is not watched from the beginning.
    }
  }
}
