// SPDX-License-Identifier: Apache-2.0

// Which pages go to which team, and which go nowhere. What the person chooses in the options.
import { api } from "./api.js";

// What a rule has in place of a team's ID.
export const NEVER = "never";

const DEFAULTS = { rules: [], textSites: [] };

// The name by which a person agrees to hand over, and to fill in, the text of a site's forms: its origin.
export const siteOf = (address) => new URL(address).origin;

// Such a name as it is shown to people.
export const siteName = (site) => site.replace(/^https:\/\//, "");

export async function settings() {
  const { rules, textSites } = await api.storage.local.get(DEFAULTS);
  // Earlier versions noted names of hosts.
  return { rules, textSites: textSites.map((site) => (site.includes("://") ? site : `https://${site}`)) };
}

// Splits `example.org/path`; a scheme and `*.` at the beginning mean nothing more.
function parts(pattern) {
  const text = pattern.trim().replace(/^(\*|https?):\/\//i, "").replace(/\*$/, "");
  const slash = text.search(/[/?#]|$/);
  const place = text.slice(0, slash).replace(/^\*\.|^\*$/, "").toLowerCase();
  const port = /:(\d+)$/.exec(place);
  return {
    host: (port ? place.slice(0, port.index) : place).replace(/\.$/, ""),
    port: port ? port[1] : null,
    path: text.slice(slash),
    isBeginning: /[^/]\*$/.test(pattern.trim()),
  };
}

// A character in an address: in UTF-8, each byte as `%` and two digits.
const CHARACTER = /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](%[89ab][\da-f]){2}|%f[0-7](%[89ab][\da-f]){3}/gi;

// Different addresses of the same page are one: `%61` is `a`. Anything that is not UTF-8 stays as it is.
export function decoded(text) {
  return text.replace(CHARACTER, (character) => {
    try {
      return decodeURIComponent(character);
    } catch {
      return character;
    }
  });
}

// Servers take `//a`, `/b/..%2fa` and `/.%2fa` for `/a`. Some also take `/A`, `/;b/a` and `/a.` for it, and `é` is the same
// however it is written (`isLoose`).
function partOfSite({ pathname, search, hash }, isLoose) {
  const steps = [];
  const loose = (step) => (isLoose ? step.replace(/;.*/s, "").replace(/(?<=[^. ])[. ]+$/, "") : step);
  const all = decoded(pathname).split(/[/\\]+/).slice(1).map(loose);
  for (const [index, step] of all.entries()) {
    const isLast = index === all.length - 1;
    if (step === "..") steps.pop();
    else if (step !== "." && (step || isLast)) steps.push(step);
    if (isLast && /^\.\.?$/.test(step)) steps.push("");
  }
  const part = (rest) => `/${steps.join("/")}${decoded(rest)}`;
  return isLoose ? part(search + hash.replace(/^#!?\/+/, "#/")).toLowerCase().normalize("NFC") : part(search + hash);
}

// A pattern is a site and everything below it: `example.org` is also `www.example.org`, and `example.org/a` is also
// `example.org/a/b`, `example.org/a?b` and `example.org/a;b`. With `*` at its end, it is all that begins so. `*` is
// every site.
export function matches(pattern, address, isLoose = true) {
  const wanted = parts(pattern);
  const url = new URL(address);
  const host = url.hostname.replace(/\.$/, "");
  if (!wanted.host && pattern.trim() !== "*") return false;
  let name = wanted.host;
  try {
    // The browser's form of international names.
    if (name) name = new URL(`http://${name}/`).hostname;
  } catch {
    return false;
  }
  const isHost = !name || host === name || host.endsWith(`.${name}`);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  if (!isHost || (wanted.port && wanted.port !== port)) return false;
  const part = partOfSite(new URL(`http://site${wanted.path}`), isLoose).replace(/\/$/, "");
  const here = partOfSite(url, isLoose);
  return here.startsWith(part) && (wanted.isBeginning || /^([/?#&;]|$)/.test(here.slice(part.length)));
}

// Whether a pattern is about a site that an address is on, or a part of it.
export function isOnHost(pattern, address) {
  const { host, port } = parts(pattern);
  return matches(`${host || "*"}${port ? `:${port}` : ""}`, address);
}

// The team of the first rule that fits: an ID, NEVER, or null for all teams. An address that fits one rule as it is written
// and another one as some servers read it goes nowhere.
export function teamFor(rules, address) {
  const [loose, exact] = [true, false].map((isLoose) => rules.find(({ pattern }) => matches(pattern, address, isLoose))?.team ?? null);
  return loose === exact || exact === null ? loose : NEVER;
}
