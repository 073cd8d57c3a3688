// The page that the person looks at, its state, and opening pages.
import { api, iconAddress, pageAddress, shortTitle, within } from "./api.js";
import { NEVER, decoded, settings, siteOf, teamFor } from "./rules.js";

const STATE_TIME = 2000;
const RESTORE_TIME = 5 * 60 * 1000;
export const TAB_LIMIT = 50;

// The titles of tabs, with the address of the page that each belongs to, and whether the page that is shown is still loading.
// While a page loads, and when it only changes its address, a tab can still have the title of the page before.
const titles = new Map();

// Called when a tab is closed.
export function forget(tabId) {
  titles.delete(tabId);
  setRestore(tabId, null).catch(() => {});
}

// Notes to which page a tab's title belongs, at each change of the tab. A page that starts to load replaces the last one.
export function noteTitle(tab, startsLoading = false) {
  if (tab.incognito) return;
  const last = titles.get(tab.id);
  // A tab is also loading when a page that has loaded adds a frame, but no event says when that ends.
  const hasLoaded = !startsLoading && last?.isLoading === false && last.shown === tab.url;
  const isLoading = tab.status === "loading" && !hasLoaded;
  const isNew = last?.title !== tab.title || (last.isLoading && !isLoading);
  titles.set(tab.id, { title: tab.title, url: isNew ? tab.url : last.url, shown: tab.url, isLoading });
}

// Browsers show the address of a page that has no title, or none yet. All machines see the title of an offer, but only
// the machine that continues it gets the address. So such a page is named after its site, and its file if it is one.
function titleOf(tab, url, isLoading) {
  const { hostname, pathname, search, hash } = new URL(url);
  const afterHost = (text) => decoded(text.replace(/^https?:\/\//i, "").replace(/^[^/?#]*/, ""));
  const shown = afterHost(tab.title ?? "");
  const isAddress = shown.length > 1 && afterHost(url).startsWith(shown);
  const hasPart = [search, hash].some((part) => part.length > 3 && decoded(tab.title ?? "").includes(decoded(part)));
  if (!isAddress && !hasPart) return shortTitle(tab.title);
  const [file] = /[^/]+\.\w{1,5}$/.exec(decoded(pathname)) ?? [];
  return shortTitle(file && !isLoading ? `${file} (${hostname})` : hostname);
}

// What is told of a tab. Null if it is not for other machines.
export async function describe(tab) {
  if (!tab || tab.incognito) return null;
  const url = pageAddress(tab.url ?? "");
  if (!url) return null;
  noteTitle(tab);
  const { url: titled, isLoading } = titles.get(tab.id);
  const source = pageAddress(titled);
  const { rules } = await settings();
  const team = teamFor(rules, url);
  if (team === NEVER) return null;
  // The page before may be for nobody, or for another team.
  const isOwn = source && teamFor(rules, source) === team;
  const page = { url, title: isOwn ? titleOf(tab, url, isLoading) : new URL(url).hostname };
  const icon = isLoading ? null : iconAddress(tab.favIconUrl);
  // The icon of a page can be on a site that is for others.
  if (icon && [null, team].includes(teamFor(rules, icon))) page.icon = icon;
  if (team) page.team = team;
  return page;
}

// The active tab of the window with the focus. Null if no window of the browser has it.
export async function currentTab() {
  const windows = await api.windows.getAll({ windowTypes: ["normal"] });
  const focused = windows.find((window) => window.focused);
  if (!focused) return null;
  const [tab] = await api.tabs.query({ active: true, windowId: focused.id });
  return tab ?? null;
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

async function run(tabId, call) {
  const target = { tabId };
  await api.scripting.executeScript({ target, files: ["page.js"] });
  const [result] = await api.scripting.executeScript({ target, ...call });
  return result?.result ?? null;
}

// The state of a tab's page: { url, state }. It has text only if the person has agreed for the site. Null if the page
// does not answer.
export async function stateOf(tab) {
  const page = await describe(tab);
  if (!page) return null;
  const hasText = (await settings()).textSites.includes(siteOf(page.url));
  try {
    const call = { func: (hasText) => globalThis.batonPage.take(hasText), args: [hasText] };
    const taken = await within(STATE_TIME, run(tab.id, call));
    const url = taken && pageAddress(taken.url);
    // The page that was asked is another site's if the tab went there in the meantime.
    if (!url || siteOf(url) !== siteOf(page.url)) return null;
    return { url, state: { place: taken.place, form: taken.form } };
  } catch {
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
// such as one to log in.
export async function restoreIfReady(tabId) {
  const wanted = (await restores())[tabId];
  if (!wanted) return;
  // Text of the site itself is only replaced if the person has agreed for the site here, too.
  const mayReplace = (await settings()).textSites.includes(siteOf(wanted.url));
  const call = {
    func: (url, state, mayReplace) => globalThis.batonPage.restore(url, state, mayReplace),
    args: [wanted.url, wanted.state, mayReplace],
  };
  // The page may not let extensions in, or be gone.
  const isRestored = await run(tabId, call).catch(() => false);
  if (isRestored) await setRestore(tabId, null);
}

// In the window that the person used last, or in a new one.
async function create(url, active) {
  const window = await lastWindow();
  if (window) return api.tabs.create({ url, active, windowId: window.id });
  const made = await api.windows.create({ url, focused: true });
  return made.tabs?.[0] ?? null;
}

// Opens the pages that another machine handed over. The first is shown, and its state is restored when it is there.
export async function open({ page, tabs, state }) {
  const first = pageAddress(page.url);
  if (!first) return;
  const tab = await create(first, true);
  if (tab && state) {
    // Without room for its state, the page is there all the same, and so are the others.
    await setRestore(tab.id, { url: first, state, time: Date.now() }).catch(() => {});
    // The page can be there already. If it never finishes loading, no more news of it comes.
    const now = await api.tabs.get(tab.id).catch(() => null);
    if (now?.url && now.url !== "about:blank") restoreIfReady(tab.id);
  }
  if (tab) await api.windows.update(tab.windowId, { focused: true }).catch(() => {});
  const others = (tabs ?? []).map(({ url }) => pageAddress(url)).filter((url) => url && url !== first);
  for (const url of others.slice(0, TAB_LIMIT - 1)) {
    await api.tabs.create({ url, active: false, windowId: tab?.windowId }).catch(() => create(url, false));
  }
}

// Lets the extension see in the pages of these sites which fields ever contained passwords.
export async function watchSites() {
  const { textSites } = await settings();
  const wanted = textSites.map((site) => ({
    id: `text-${site}`,
    matches: [`*://${site}/*`],
    js: ["page.js"],
    runAt: "document_start",
  }));
  const registered = await api.scripting.getRegisteredContentScripts();
  const old = registered.map(({ id }) => id).filter((id) => !wanted.some((script) => script.id === id));
  if (old.length > 0) await api.scripting.unregisterContentScripts({ ids: old });
  for (const script of wanted) {
    if (registered.some(({ id }) => id === script.id)) continue;
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
