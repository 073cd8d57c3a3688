# SPDX-License-Identifier: Apache-2.0
"""Pages that users of other programs have reported, which hand over tabs, or save what is typed."""

# Lists that have only those of their rows that are in the window, in the ways in which libraries make them.
ROWS = """<style>body { margin: 0 } #list { height: 100vh; overflow: auto } #all { position: relative }</style>
<div id=list><div id=all></div></div><script>
const way = "%s", count = 1000, height = 60;
const view = way === "page" ? document.documentElement : list;
if (way === "page") list.style.cssText = "height: auto; overflow: visible";
const isInFlow = ["padding", "room"].includes(way);
if (!isInFlow) all.style.height = `${count * height}px`;
const draw = () => {
  const first = Math.max(0, Math.floor(view.scrollTop / height) - 5), last = Math.min(count, first + 40);
  const part = document.createElement("div");
  for (let n = first; n < last; n++) {
    const row = part.appendChild(document.createElement("p"));
    row.style.cssText = `margin: 0; height: ${height}px;` + (isInFlow || way === "moved" ? "" : `position: absolute; top: ${n * height}px`);
    row.textContent = `Row ${n}. The whale swims on.`;
    if (n === 500) row.dataset.here = "";
  }
  if (way === "moved") part.style.cssText = `position: absolute; transform: translateY(${first * height}px)`;
  if (way === "padding") part.style.cssText = `padding: ${first * height}px 0 ${(count - last) * height}px`;
  if (way === "room") {
    part.prepend(Object.assign(document.createElement("div"), {style: `height: ${first * height}px`}));
    part.append(Object.assign(document.createElement("div"), {style: `height: ${(count - last) * height}px`}));
  }
  all.replaceChildren(part);
};
(way === "page" ? window : list).addEventListener("scroll", draw);
draw();
globalThis.go = () => { view.scrollTop = 500 * height };
</script>"""
WAYS = ["absolute", "page", "moved", "padding", "room"]

COMPONENTS = """<script>
const roots = [];
for (const [name, mode] of [["text-area", "open"], ["text-line", "closed"]]) customElements.define(name, class extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({mode});
    roots.push(root);
    root.innerHTML = name === "text-area" ? `<label>${this.getAttribute("label")}<textarea id=inner></textarea></label>` : "<input id=inner>";
  }
});
const inner = () => roots.map((root) => root.getElementById("inner"));
</script>"""

# Fields of kinds that programs forget.
TYPED = f"""<form><label>Weight <input name=weight type=number step=0.1></label> <label>Travel day <input name=day type=date></label>
<label>Begin <input name=begin type=time></label> <label>Meeting <input name=meeting type=datetime-local></label></form>
<div id=steps></div><div id=other><label>Address <input name=address></label></div>
<div id=rich contenteditable></div>
<text-area label=Comment></text-area><text-area label=Title></text-area><text-line label=Town name=town></text-line>{COMPONENTS}<script>
// As editors do it that draw a text of their own. In Chromium, some break if anything else draws there.
let lines = [""];
const draw = () => rich.replaceChildren(...lines.map((line) => {{
  const paragraph = document.createElement("p");
  paragraph.append(line || document.createElement("br"));
  return paragraph;
}}));
draw();
rich.addEventListener("paste", (event) => {{
  event.preventDefault();
  lines = event.clipboardData.getData("text/plain").split("\\n");
  draw();
}});
new MutationObserver(() => {{
  if ([...rich.childNodes].map(({{textContent}}) => textContent).join() !== lines.join()) lines = ["broken"];
}}).observe(rich, {{childList: true, subtree: true, characterData: true}});
// As frameworks do it: each step has a field of its own, which has the state as its default.
const state = ["", ""];
const step = (number) => {{
  const field = document.createElement("input");
  field.name = `step${{number}}`;
  field.defaultValue = state[number];
  field.addEventListener("input", () => {{ state[number] = field.value }});
  steps.replaceChildren(field);
}};
step(0);
const type = (field, text) => {{ field.focus(); document.execCommand("insertText", false, text) }};
globalThis.all = () => [...document.querySelectorAll("form input, #steps input"), ...inner()].map(({{value}}) => value);
</script>"""
VALUES = ["72.5", "2024-05-17", "10:30", "2024-05-17T10:30", "Whales", "One", "Two", "Passau"]

# All but the first are for secrets.
SECRET_COMPONENTS = f"""<text-area label=Comment></text-area><text-area label=Password></text-area><text-line name=otp></text-line>
<text-line autocomplete=cc-number></text-line><p>Security code <text-line></text-line></p>
<div>{"<text-line class=box></text-line>" * 6}</div>
<form><label>From the letter <input type=number></label> <label>Valid until <input type=month name=card-expiry></label>
<label>Passport issued on <input type=date></label></form>{COMPONENTS}"""

BODIES = {
    **{f"rows-{way}": ROWS % way for way in WAYS}, "typed": TYPED, "secret-components": SECRET_COMPONENTS,
}
