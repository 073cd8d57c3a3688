// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { localize, localized } from "./messages.js";
import { NEVER, matches, settings, siteName } from "./rules.js";

const element = (id) => document.getElementById(id);
const background = api.runtime.connect({ name: "popup" });
let teams = [];

localize(document);

const nameOf = (team) => (team === NEVER ? localized("noMachine") : (teams.find(({ id }) => id === team)?.name ?? localized("unknownTeam", team)));

function button(text, label, action) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.setAttribute("aria-label", label);
  button.addEventListener("click", action);
  return button;
}

const removal = (site, action) => button(localized("remove"), localized("removeSite", site), action);

function row(text, ...buttons) {
  const item = document.createElement("li");
  item.className = "row";
  const label = document.createElement("span");
  label.style.flex = "1";
  label.textContent = text;
  item.append(label, ...buttons);
  return item;
}

async function show() {
  const { rules, textSites } = await settings();
  element("rules").replaceChildren(
    ...rules.map((rule, index) => {
      const change = (edit) => () => {
        edit(rules);
        api.storage.local.set({ rules });
      };
      const up = button(localized("up"), localized("moveUp", rule.pattern), change((all) => all.splice(index - 1, 0, ...all.splice(index, 1))));
      up.disabled = index === 0;
      return row(localized("rule", rule.pattern, nameOf(rule.team)), up, removal(rule.pattern, change((all) => all.splice(index, 1))));
    }),
  );
  element("sites").replaceChildren(
    ...textSites.map((site) =>
      row(siteName(site), removal(siteName(site), () => api.storage.local.set({ textSites: textSites.filter((other) => other !== site) }))),
    ),
  );
  element("none").hidden = textSites.length > 0;
  const select = element("team");
  const chosen = select.value;
  // What people add a site for comes first, so that it is chosen whether the teams are known yet or not.
  select.replaceChildren(new Option(localized("noMachine"), NEVER), ...teams.map(({ id, name }) => new Option(name, id)));
  if ([...select.options].some(({ value }) => value === chosen)) select.value = chosen;
}

// A page that the pattern is about.
const pageOf = (pattern) => `http://${pattern.replace(/^(\*|https?):\/\//i, "").replace(/^\*\./, "").replace(/\*$/, "")}`;

function isPattern(pattern) {
  if (pattern === "*") return true;
  try {
    // Chromium takes a space in the name of a host, and writes it so.
    return !new URL(pageOf(pattern)).hostname.includes("%") && matches(pattern, pageOf(pattern));
  } catch {
    return false;
  }
}

// The number of the first rule that would decide in place of a new one, which goes before it. The last place, if there is
// none.
function placeFor(pattern, rules) {
  const decides = ({ pattern: other }) => (pattern === "*" ? other === "*" : matches(other, pageOf(pattern)));
  const place = rules.findIndex(decides);
  return place < 0 ? rules.length : place;
}

element("add").addEventListener("submit", async (event) => {
  event.preventDefault();
  const pattern = element("pattern").value.trim();
  if (!isPattern(pattern)) {
    element("message").textContent = localized("notASite", pattern);
    return;
  }
  const { rules } = await settings();
  await api.storage.local.set({ rules: rules.toSpliced(placeFor(pattern, rules), 0, { pattern, team: element("team").value }) });
  element("pattern").value = "";
  element("message").textContent = localized("added", pattern);
});

background.onMessage.addListener((message) => {
  if (message.type !== "lists" || !message.lists) return;
  teams = message.lists.teams;
  show();
});
api.storage.onChanged.addListener(show);
show();
