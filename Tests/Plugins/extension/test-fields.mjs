// SPDX-License-Identifier: Apache-2.0

// Which fields of a page keep their text here, and why.
import { begin, check } from "./checks.mjs";
import { cases, open } from "./extension.mjs";

const window = open("");
const { document } = window;

// What is decided for the field that is called NAME, or for the last one, if a person has typed into it. What was seen in a
// field for a password counts later, so each case has a name and a text of its own.
function decided({ html, text, value }, number) {
  const name = `q${number}`;
  document.body.innerHTML = `<section><form>${html.replaceAll("TEXT", text).replaceAll("NAME", name)}</form></section>`;
  const field = document.querySelector(`[name=${name}], #${name}`) ?? [...document.querySelectorAll("input, textarea, [contenteditable]")].pop();
  value ??= `mark${number}x`;
  if ("value" in field) field.value = value;
  else field.textContent = value;
  field.dispatchEvent(new window.Event("input", { bubbles: true }));
  const { form, left } = window.batonPage.take(true);
  if (form.length > 0) return form.map((taken) => (taken.text === value ? "leaves" : taken.text)).join();
  // What a page itself hides is named only if a person has typed there.
  return left.map(({ why }) => why).join() || "none";
}

begin("fields");
for (const [number, one] of cases("fields").entries()) {
  const expected = one.expect === "hidden" ? "none" : one.expect;
  check(`${one.about}: ${one.html.replaceAll("TEXT", one.text)}`, decided(one, number), expected);
}
