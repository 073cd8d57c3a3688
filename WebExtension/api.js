// SPDX-License-Identifier: Apache-2.0

// The browser's interface for extensions, which Firefox calls `browser`.
export const api = globalThis.browser ?? globalThis.chrome;

// The longest address, icon's address and title that Baton takes, in bytes.
const LIMITS = { url: 2048, icon: 512, title: 512 };

export const byteCount = (text) => new TextEncoder().encode(text).length;

// The numbers of an IPv6 address as the browser writes it.
function groupsOf(host) {
  const [head, tail] = host.slice(1, -1).split("::").map((part) => part.split(":").filter(Boolean).map((group) => parseInt(group, 16)));
  return tail ? [...head, ...Array(8 - head.length - tail.length).fill(0), ...tail] : head;
}

// Whether a page is of this machine only: another machine would ask itself for it (RFC 6761, RFC 6890). Browsers have
// made one form of all those in which a host can be written.
export function isOfThisMachineOnly(address) {
  const host = new URL(address).hostname.replace(/\.$/, "");
  if (/(^|\.)(localhost[46]?|localdomain[46]?)$|^ip6-(localhost|loopback|localnet)$/.test(host)) return true;
  const isLocal = (first, second) => first === 0 || first === 127 || (first === 169 && second === 254);
  const four = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
  if (four) return isLocal(Number(four[1]), Number(four[2]));
  if (!host.startsWith("[")) return false;
  const groups = groupsOf(host);
  if ((groups[0] & 0xffc0) === 0xfe80) return true;
  // IPv4 addresses in IPv6: compatible, mapped, translated, NAT64 and 6to4.
  const text = groups.map((group) => group.toString(16)).join(":");
  const place = /^0:0:0:0:(0:0|0:ffff|ffff:0):|^64:ff9b:0:0:0:0:/.test(text) ? 6 : groups[0] === 0x2002 ? 1 : null;
  return place !== null && isLocal(groups[place] >> 8, groups[place] & 0xff);
}

// The address of the page that a tab shows as its source, or in Firefox's Reader View.
function shownAddress(text) {
  const address = text.replace(/^view-source:/i, "");
  const [, reader] = /^about:reader\?(.*)/i.exec(address) ?? [];
  return (reader !== undefined && new URLSearchParams(reader).get("url")) || address;
}

export const isShownOtherwise = (text) => shownAddress(text) !== text;

// The address of a web page without user and password. Null for every other address.
export function webAddress(text) {
  let url;
  try {
    url = new URL(shownAddress(text));
  } catch {
    return null;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  url.username = "";
  url.password = "";
  // Where in the page to begin is not worth the page. What applications call their views by is.
  if (isTooLong(url.href) && !/^#[!/]/.test(url.hash)) url.hash = "";
  // Browsers leave it as it is in a query, and other programs take it for something else.
  return url.href.replaceAll("\\", "%5C");
}

export const isTooLong = (address) => byteCount(address) > LIMITS.url;

// The same if other machines can open it, and null if not.
export function pageAddress(text) {
  const address = webAddress(text);
  return address && !isOfThisMachineOnly(address) && !isTooLong(address) ? address : null;
}

// Whether the server of a page runs on this machine, where the agent can forward its port to other machines. With https, its
// certificate would be for another name.
export function isLocalPage(address) {
  const { protocol, hostname, port } = new URL(address);
  return protocol === "http:" && port !== "0" && /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}

// The address of a page that is offered: one that other machines can open, or reach through this one.
export function offeredAddress(text) {
  const address = webAddress(text);
  if (!address || isTooLong(address)) return null;
  return isLocalPage(address) || !isOfThisMachineOnly(address) ? address : null;
}

export function iconAddress(text) {
  const address = text ? pageAddress(text) : null;
  return address && byteCount(address) <= LIMITS.icon ? address : null;
}

// The longest beginning of a title that fits.
export function shortTitle(text) {
  if (byteCount(text ?? "") <= LIMITS.title) return text ?? "";
  let title = text.slice(0, LIMITS.title);
  while (byteCount(`${title}…`) > LIMITS.title) title = [...title].slice(0, -1).join("");
  return `${title}…`;
}

// Rejects if a promise takes longer, for example because a page is busy.
export function within(milliseconds, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("too late")), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
