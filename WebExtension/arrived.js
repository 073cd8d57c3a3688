// SPDX-License-Identifier: Apache-2.0

// Shows the pages that arrived with another one, and opens those the user chooses.
import { api, pageAddress } from "./api.js";
import { localize } from "./messages.js";

localize(document);

const element = (id) => document.getElementById(id);
const key = decodeURIComponent(location.hash.slice(1));
const { [key]: arrived } = await api.storage.session.get(key);
const pages = (arrived?.pages ?? []).map(({ url, title }) => ({ address: pageAddress(url), title })).filter(({ address }) => address);

if (arrived) element("device").textContent = arrived.device;
element("open").disabled = pages.length === 0;
element("pages").append(
  ...pages.map(({ address, title }) => {
    const link = document.createElement("a");
    link.href = address;
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    link.textContent = title || address;
    const detail = document.createElement("div");
    detail.className = "hint";
    detail.textContent = address;
    const item = document.createElement("li");
    item.append(link, detail);
    return item;
  }),
);
element("open").addEventListener("click", async () => {
  element("open").disabled = true;
  for (const { address } of pages) await api.tabs.create({ url: address, active: false });
});
