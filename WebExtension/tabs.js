// The page that the person looks at, its state, and opening pages.
import { api, iconAddress, pageAddress, shortTitle, within } from "./api.js";
import { NEVER, settings, siteOf, teamFor } from "./rules.js";

const STATE_TIME = 2000;
const RESTORE_TIME = 5 * 60 * 1000;
export const TAB_LIMIT = 50;

// What is told of a tab. Null if it is not for other machines.
export async function describe(tab) {
  const url = tab && !tab.incognito ? pageAddress(tab.url ?? "") : null;
  if (!url) return null;
  const { rules } = await settings();
  const team = teamFor(rules, url);
  if (team === NEVER) return null;
  const page = { url, title: shortTitle(tab.title) };
  const icon = iconAddress(tab.favIconUrl);
  if (icon) page.icon = icon;
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

async function restores(change) {
  const { [RESTORES]: all = {} } = await api.storage.session.get(RESTORES);
  const now = Date.now();
  for (const [id, { time }] of Object.entries(all)) if (now - time > RESTORE_TIME) delete all[id];
  const result = change(all);
  await api.storage.session.set({ [RESTORES]: all });
  return result;
}

let turn = Promise.resolve();
const inTurn = (action) => (turn = turn.then(action, action));

// Restores what is wanted in a tab, as soon as its page is one that can be restored.
export async function restoreIfReady(tabId) {
  const wanted = await inTurn(() => restores((all) => all[tabId]));
  if (!wanted) return;
  const call = { func: (url, state) => globalThis.batonPage.restore(url, state), args: [wanted.url, wanted.state] };
  // The page may not let extensions in, or be gone.
  const isRestored = await run(tabId, call).catch(() => false);
  if (isRestored) await inTurn(() => restores((all) => void delete all[tabId]));
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
    await inTurn(() => restores((all) => void (all[tab.id] = { url: first, state, time: Date.now() })));
    const now = await api.tabs.get(tab.id).catch(() => null);
    if (now?.status === "complete" && now.url !== "about:blank") await restoreIfReady(tab.id);
  }
  if (tab) await api.windows.update(tab.windowId, { focused: true }).catch(() => {});
  const others = (tabs ?? []).map(({ url }) => pageAddress(url)).filter((url) => url && url !== first);
  for (const url of others.slice(0, TAB_LIMIT - 1)) await create(url, false);
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
    // A site whose name is no pattern is not watched from the beginning.
    if (!registered.some(({ id }) => id === script.id)) await api.scripting.registerContentScripts([script]).catch(() => {});
  }
}

// The same for a page that is open already.
export const watchTab = (tab) => api.scripting.executeScript({ target: { tabId: tab.id }, files: ["page.js"] }).catch(() => {});
