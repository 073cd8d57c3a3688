// The browser's interface for extensions, which Firefox calls `browser`.
export const api = globalThis.browser ?? globalThis.chrome;

// The longest address, icon's address and title that Baton takes, in bytes.
const LIMITS = { url: 2048, icon: 512, title: 512 };

export const byteCount = (text) => new TextEncoder().encode(text).length;

// The address of a web page without user and password. Null for every other address.
export function pageAddress(text) {
  let url;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  url.username = "";
  url.password = "";
  return byteCount(url.href) <= LIMITS.url ? url.href : null;
}

export function iconAddress(text) {
  const address = text ? pageAddress(text) : null;
  return address && byteCount(address) <= LIMITS.icon ? address : null;
}

// The longest beginning of a title that fits.
export function shortTitle(text) {
  let title = (text ?? "").slice(0, LIMITS.title);
  while (byteCount(title) > LIMITS.title) title = [...title].slice(0, -1).join("");
  return title;
}

// Rejects if a promise takes longer, for example because a page is busy.
export function within(milliseconds, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("too late")), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
