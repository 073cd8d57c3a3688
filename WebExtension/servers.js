// SPDX-License-Identifier: Apache-2.0

// Which of this machine's ports a page has asked for: those that it needs on another machine. Pages themselves know less of
// it. Resource timing has no WebSockets, nothing of frames and workers, and ends after 250 requests.
import { api, isLocalPage } from "./api.js";

// What is kept of a page, and for how many tabs and workers.
const LIMITS = { ports: 32, keys: 200 };
const KEEP_TIME = 100;
const SERVERS = "servers";
// Browsers take no pattern for 127.0.0.2 and the like. Of those, what the page knows itself has to do.
const PATTERNS = ["*.localhost", "127.0.0.1", "0.0.0.0", "[::1]", "[::]"].flatMap((host) => [`http://${host}/*`, `ws://${host}/*`]);

// By the tab's number, or by the origin of a worker that is in no tab: { began, uses }. `uses` are pairs of a port and the
// time at which it was asked for. `began` is when a page began to load that is not there yet, and may never be.
const pages = new Map();
const known = api.storage.session.get(SERVERS).then(({ [SERVERS]: all = {} }) => {
  for (const [key, page] of Object.entries(all)) if (!pages.has(key)) pages.set(key, page);
});

let isDue = false;

function keep() {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    api.storage.session.set({ [SERVERS]: Object.fromEntries(pages) }).catch(() => {});
  }, KEEP_TIME);
}

function change(key, page) {
  pages.delete(key);
  pages.set(key, page);
  for (const old of [...pages.keys()].slice(0, -LIMITS.keys)) pages.delete(old);
  keep();
}

const keyOf = (tabId, origin) => (tabId < 0 ? origin : String(tabId));

const pageOf = (key) => pages.get(key) ?? { began: null, uses: [] };

// The port of one of this machine's servers that speaks HTTP. Null for every other address.
export function serverPort(address) {
  if (!URL.canParse(address)) return null;
  const text = address.replace(/^ws:/i, "http:");
  return isLocalPage(text) ? Number(new URL(text).port || 80) : null;
}

// Notes what a page, a frame in it or its worker asks for. What other sites ask of this machine is nothing that it needs.
export async function noteRequest({ tabId, type, url, timeStamp, originUrl, initiator }) {
  await known;
  const port = serverPort(url);
  if (port === null) return;
  if (type === "main_frame") {
    const key = String(tabId);
    return change(key, { ...pageOf(key), began: timeStamp });
  }
  const source = initiator ?? originUrl ?? "";
  if (serverPort(source) === null) return;
  const key = keyOf(tabId, new URL(source).origin);
  const { began, uses } = pageOf(key);
  const others = uses.filter(([other]) => other !== port);
  change(key, { began, uses: [...others, [port, timeStamp]].slice(-LIMITS.ports) });
}

// Notes that another page has come into a tab. It may have asked for something before this is heard.
export async function noteServersOfPage(tabId, timeStamp) {
  await known;
  const key = String(tabId);
  if (!pages.has(key)) return;
  const { began, uses } = pageOf(key);
  change(key, { began: null, uses: uses.filter(([, time]) => time >= (began ?? timeStamp)) });
}

export async function forgetServers(tabId) {
  await known;
  if (pages.delete(String(tabId))) keep();
}

// The ports that the page in a tab, and the workers of its origin, have asked for. Those that were asked for last come first.
export async function serversOf(tabId, url) {
  await known;
  const uses = [String(tabId), new URL(url).origin].flatMap((key) => pageOf(key).uses);
  return [...new Set(uses.sort(([, one], [, other]) => other - one).map(([port]) => port))];
}

export function watchServers() {
  for (const pattern of PATTERNS) {
    try {
      api.webRequest.onBeforeRequest.addListener((request) => void noteRequest(request), { urls: [pattern] });
    } catch {
      // This browser has no such pattern.
    }
  }
}
