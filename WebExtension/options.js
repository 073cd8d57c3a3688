import { api } from "./api.js";
import { NEVER, matches, settings } from "./rules.js";

const element = (id) => document.getElementById(id);
const background = api.runtime.connect({ name: "popup" });
let teams = [];

const nameOf = (team) => (team === NEVER ? "no machine" : (teams.find(({ id }) => id === team)?.name ?? `unknown team ${team}`));

function button(text, label, action) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.setAttribute("aria-label", label);
  button.addEventListener("click", action);
  return button;
}

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
      const up = button("Up", `Move ${rule.pattern} up`, change((all) => all.splice(index - 1, 0, ...all.splice(index, 1))));
      up.disabled = index === 0;
      return row(`${rule.pattern} → ${nameOf(rule.team)}`, up, button("Remove", `Remove ${rule.pattern}`, change((all) => all.splice(index, 1))));
    }),
  );
  element("sites").replaceChildren(
    ...textSites.map((site) =>
      row(site, button("Remove", `Remove ${site}`, () => api.storage.local.set({ textSites: textSites.filter((other) => other !== site) }))),
    ),
  );
  element("none").hidden = textSites.length > 0;
  const select = element("team");
  const chosen = select.value;
  select.replaceChildren(...teams.map(({ id, name }) => new Option(name, id)), new Option("no machine", NEVER));
  if ([...select.options].some(({ value }) => value === chosen)) select.value = chosen;
}

function isPattern(pattern) {
  if (pattern === "*") return true;
  const address = pattern.replace(/^(\*|https?):\/\//i, "").replace(/^\*\./, "").replace(/\*$/, "");
  try {
    return matches(pattern, `http://${address}`);
  } catch {
    return false;
  }
}

element("add").addEventListener("submit", async (event) => {
  event.preventDefault();
  const pattern = element("pattern").value.trim();
  if (!isPattern(pattern)) {
    element("message").textContent = `“${pattern}” is not the name of a site.`;
    return;
  }
  const { rules } = await settings();
  await api.storage.local.set({ rules: [...rules, { pattern, team: element("team").value }] });
  element("pattern").value = "";
  element("message").textContent = `Added ${pattern}.`;
});

background.onMessage.addListener((message) => {
  if (message.type !== "lists" || !message.lists) return;
  teams = message.lists.teams;
  show();
});
api.storage.onChanged.addListener(show);
show();
