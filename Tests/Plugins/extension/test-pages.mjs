// SPDX-License-Identifier: Apache-2.0

// What a page hands over and takes: secrets that it shows elsewhere, forms that are filled, and places.
import { begin, check } from "./checks.mjs";
import { open } from "./extension.mjs";

const tick = () => new Promise((resolve) => setTimeout(resolve, 0));
const ADDRESS = "https://shop.example/form";
const SITE = "https://shop.example";

// Sets what a field has, as a person does who types.
function type(window, field, value) {
  if ("value" in field) field.value = value;
  else field.textContent = value;
  field.dispatchEvent(new window.Event("input", { bubbles: true }));
}

begin("passwords that a page shows in another way");
for (const [about, html, change, secret] of [
  ["its field becomes an ordinary one", "<input type=password name=a>", ({ a }) => (a.type = "text"), true],
  ["another field has its text", "<input type=password name=a><input name=b>", ({ a, b }, window) => type(window, b, a.value), true],
  ["another field has a part of it", "<input type=password name=a><input name=b>", ({ a, b }, window) => type(window, b, a.value.slice(0, 7)), true],
  ["another field has it in capitals and groups", "<input type=password name=a><input name=b>", ({ a, b }, window) => type(window, b, a.value.toUpperCase().replace(/(....)/g, "$1 ")), true],
  ["another field is in its place", "<p><input type=password name=a></p>", ({ a }, { document }) => a.replaceWith(Object.assign(document.createElement("input"), { value: "else" })), true],
  ["an editor has it", "<input type=password name=a><div contenteditable></div>", ({ a }, window) => type(window, window.document.querySelector("div"), `my ${a.value}`), true],
  ["it is gone, and another field has it later", "<input type=password name=a><input name=b>", ({ a, b }, window) => {
    a.dispatchEvent(new window.Event("change", { bubbles: true }));
    a.value = "";
    b.value = "correct horse";
  }, true],
  ["another field has something else", "<input type=password name=a><input name=b>", ({ b }, window) => type(window, b, "my town"), false],
  ["another field has a word of it that is short", "<input type=password name=a><input name=b>", ({ b }, window) => type(window, b, "horse"), false],
  ["a field of a component", "<x-login></x-login>", (_, { document }) => {
    document.querySelector("x-login").attachShadow({ mode: "open" }).innerHTML = "<input type=password name=c><input name=d>";
    const [c, d] = document.querySelector("x-login").shadowRoot.children;
    [c.value, d.value] = ["battery staple", "battery staple"];
  }, true],
]) {
  const window = open(html, ADDRESS);
  const named = Object.fromEntries([...window.document.querySelectorAll("input")].map((field) => [field.name, field]));
  if (named.a) type(window, named.a, "correct horse");
  change(named, window);
  await tick();
  const { form } = window.batonPage.take(true);
  check(about, form.length === 0, secret);
}

begin("signs in place of characters");
const signs = open("", ADDRESS);
for (const [text, secret] of [["••••••", true], ["●●●●●a", true], ["*****", true], ["***", false], ["**bold**", false], ["★★★★★", true], ["☺☺", true], ["😀😀😀😀", false], ["------", false], ["aaaaaa", false], ["•", false], ["• one", false], ["•\ufe0e•\ufe0e•\ufe0e", true]]) {
  signs.document.body.innerHTML = `<input name=a${text.codePointAt(0)}-${text.length}>`;
  type(signs, signs.document.querySelector("input"), text);
  check(text, signs.batonPage.take(true).left.map(({ why }) => why), secret ? ["secret"] : []);
}

begin("components");
for (const [about, component, inner, secret] of [
  ["its label", "<x-field label=PIN>", "<input>", true], ["its name", "<password-field>", "<input>", true], ["an attribute of it", "<x-field name=cvv>", "<input>", true],
  ["what it completes", "<x-field autocomplete=one-time-code>", "<input>", true], ["what is in it", "<x-field>", "<label>PIN <input></label>", true],
  ["nothing of that", "<x-field label=Town>", "<input>", false], ["a field of a component in it", "<x-field header=Passwort>", "<x-inner></x-inner>", true],
]) {
  const window = open(component, ADDRESS);
  const host = window.document.body.firstElementChild;
  let root = host.attachShadow({ mode: "open" });
  root.innerHTML = inner;
  if (root.querySelector("x-inner")) {
    root = root.querySelector("x-inner").attachShadow({ mode: "open" });
    root.innerHTML = "<input>";
  }
  root.querySelector("input").value = "a text";
  check(about, window.batonPage.take(true).left.map(({ why }) => why), secret ? ["secret"] : []);
}

begin("what stays, and how it is called");
for (const [html, left] of [
  ["<label>Card number <input name=a></label>", [{ name: "Card number", why: "secret" }]], ["<input name=cvv>", [{ name: "cvv", why: "secret" }]],
  ["<input placeholder=' Your  PIN '>", [{ name: "Your PIN", why: "secret" }]], ["<input maxlength=1>", [{ name: "", why: "secret" }]],
  [`<label>${"PIN ".repeat(20)}<input></label>`, [{ name: "PIN ".repeat(10).slice(0, 40), why: "secret" }]],
]) {
  const window = open(html, ADDRESS);
  type(window, window.document.querySelector("input"), "7");
  check(html, window.batonPage.take(true).left, left);
}
const without = open("<input name=a>", ADDRESS);
type(without, without.document.querySelector("input"), "text");
check("without consent", without.batonPage.take(false), { url: ADDRESS, place: { fraction: 0 }, form: [], left: [] });
const full = open("<textarea name=a></textarea><input name=b>", ADDRESS);
const [large, small] = full.document.querySelectorAll("textarea, input");
type(full, large, "x".repeat(1024 * 1024));
type(full, small, "text");
check("what is too long", full.batonPage.take(true).left.map(({ why }) => why), ["tooLong"]);
check("the rest has room", full.batonPage.take(true).form.map(({ text }) => text), ["text"]);
const many = open(Array.from({ length: 210 }, (_, number) => `<input name=f${number}>`).join(""), ADDRESS);
for (const field of many.document.querySelectorAll("input")) type(many, field, "text");
check("at most so many", [many.batonPage.take(true).form.length, many.batonPage.take(true).left.length], [200, 10]);
for (const [name, kept] of [["ü".repeat(128), "ü".repeat(128)], ["ü".repeat(129), undefined], [`${"x".repeat(255)}ü`, undefined]]) {
  const window = open(`<input name=${name} id=${name}>`, ADDRESS);
  type(window, window.document.querySelector("input"), "text");
  check(`a name of ${name.length} units`, window.batonPage.take(true).form.map(({ name, id }) => [name, id]), [[kept, kept]]);
}
check("a default is the page's", open("<input name=a value=text>", ADDRESS).batonPage.take(true).form, []);

begin("forms that are filled");
const wanted = (more) => ({ kind: "text", name: "a", index: 0, text: "NEW", ...more });
for (const [about, html, form, values, site = SITE, address = ADDRESS] of [
  ["by name", "<input name=b><input name=a>", [wanted()], ["", "NEW"]],
  ["by number", "<input name=a><input name=a>", [wanted({ index: 1 })], ["", "NEW"]],
  ["by ID", "<input id=x name=a><input id=y name=a>", [wanted({ id: "y" })], ["", "NEW"]],
  ["an ID that is another each time", "<input id=f1234>", [wanted({ name: undefined, id: "f98a7" })], ["NEW"]],
  ["another ID", "<input id=street>", [wanted({ name: undefined, id: "town" })], [""]],
  ["a name that is another each time", "<input name=q-817>", [wanted({ name: "q-4711" })], ["NEW"]],
  ["two of these", "<input name=q-817><input name=q-818>", [wanted({ name: "q-4711" })], ["", ""]],
  ["another kind", "<textarea name=a></textarea>", [wanted()], [""]],
  ["what has a text", "<input name=a value='' data-text=OLD>", [wanted()], ["OLD"]],
  ["the page's own text", "<input name=a value=own>", [wanted()], ["NEW"]],
  ["a secret", "<input name=cvv>", [wanted({ name: "cvv" })], [""]],
  ["a password", "<input type=password name=a>", [wanted({ kind: "password" })], [""]],
  ["a hidden field", "<input name=a style='display: none'>", [wanted()], [""]],
  ["a field that cannot be used", "<input name=a disabled>", [wanted()], [""]],
  ["without consent for this site", "<input name=a>", [wanted()], [""], null],
  ["with consent for another site", "<input name=a>", [wanted()], [""], "https://other.example"],
  ["another page", "<input name=a>", [wanted()], [""], SITE, `${SITE}/other`],
  ["a page with another question", "<input name=a>", [wanted()], [""], SITE, `${ADDRESS}?a`],
  ["the same page at another fragment", "<input name=a>", [wanted()], ["NEW"], SITE, `${ADDRESS}#part`],
  ["another view of an application", "<input name=a>", [wanted()], [""], SITE, `${ADDRESS}#/part`],
  ["the page of before, without TLS", "<input name=a>", [wanted()], ["NEW"], SITE, "http://shop.example/form"],
  ["several lines", "<textarea name=a></textarea>", [wanted({ kind: "textarea", text: "1\n2" })], ["1\n2"]],
  ["a number", "<input type=number name=a>", [wanted({ kind: "number", text: "12" })], ["12"]],
  ["no number", "<input type=number name=a>", [wanted({ kind: "number", text: "many" })], [""]],
]) {
  const window = open(html, ADDRESS);
  const fields = [...window.document.querySelectorAll("input, textarea")];
  for (const field of fields) if (field.dataset.text) field.value = field.dataset.text;
  const heard = [];
  window.addEventListener("input", () => heard.push("input"));
  window.addEventListener("change", () => heard.push("change"));
  window.batonPage.restore(address, { form }, site);
  check(about, fields.map(({ value }) => value), values);
  if (about === "by name") check("the page hears of it", heard, ["input"]);
  window.close();
}

begin("places");
// The person looks at the element with `data-here`, in a page of 4000 lines of which 1000 are above the window.
const placeIn = (html, hasWords = true) => scrolled(html).batonPage.take(hasWords).place;
function scrolled(html) {
  const window = open(html, ADDRESS);
  const { document } = window;
  const here = document.querySelector("[data-here]");
  Object.defineProperties(document.documentElement, { scrollHeight: { value: 4000 }, clientHeight: { value: 1000 } });
  document.documentElement.scrollTop = 1000;
  document.elementsFromPoint = () => {
    const all = [];
    for (let node = here; node; node = node.parentElement) all.push(node);
    return all;
  };
  return window;
}
const TEXT = "The whale swims on, and nobody knows where to.";
for (const [about, html, words] of [
  ["a paragraph", `<p data-here>${TEXT}</p>`, TEXT],
  ["an editor", `<div contenteditable><p data-here>${TEXT}</p></div>`, undefined],
  ["beside the field of an editor", `<div><textarea style='display: none'></textarea><p data-here>${TEXT}</p></div>`, undefined],
  ["what a person typed", `<p data-here>${TEXT}</p><section><b><i><u><input name=a data-text="${TEXT}"></u></i></b></section>`, undefined],
  ["a part of what a person typed", `<p data-here>${TEXT}</p><section><b><i><u><input name=a data-text="knows where to"></u></i></b></section>`, undefined],
  ["in other letters", `<p data-here>${TEXT.toUpperCase()}</p><section><b><i><u><input name=a data-text="Whale swims on, and"></u></i></b></section>`, undefined],
  ["the number of a card", "<p data-here>Paid with 4012 8888 8888 1881.</p>", undefined],
  ["a code", "<p data-here>Your verification code is 482913</p>", undefined],
  ["a code of letters", "<p data-here>Your recovery code is WRITQ-WRTZP</p>", undefined],
  ["a code alone", "<p data-here>482 913</p>", undefined],
  ["a number that is no code", "<p data-here>In 1851 the whale swam on</p>", "In 1851 the whale swam on"],
  ["a password", `<input type=password data-text="correct horse"><p data-here>Is correct horse right?</p>`, undefined],
  ["a box to type into", `<div role=textbox><p data-here>${TEXT}</p></div>`, undefined],
]) {
  const typed = /data-text="(.*?)"/.exec(html)?.[1] ?? "";
  const place = placeIn(html.replace("data-text=", "value="));
  check(`${about}${typed && `: ${typed}`}`, [place.fraction, place.anchor?.text], [3333, words]);
}
check("without consent there are no words", placeIn(`<p id=one data-here>${TEXT}</p>`, false).anchor, { id: undefined, path: [0], tag: "p", text: undefined, fraction: 0 });
check("with consent there is its ID", placeIn(`<p id=one data-here>${TEXT}</p>`).anchor, { id: "one", path: [], tag: "p", text: TEXT, fraction: 0 });
// "ü" has two bytes, and the whale four in two units of UTF-16.
for (const [id, isKept] of [["ü".repeat(128), true], [`${"ü".repeat(128)}x`, false], ["\u{1f40b}".repeat(64), true], [`x${"\u{1f40b}".repeat(64)}`, false]]) {
  const { anchor } = placeIn(`<section id=outer><p id=${id} data-here>${TEXT}</p></section>`);
  check(`an ID of ${id.length} units`, [anchor.id, anchor.path], isKept ? [id, []] : ["outer", [0]]);
}
const tag = `x-${"ü".repeat(127)}`;
check("a tag that is just short enough", placeIn(`<${tag} data-here>${TEXT}</${tag}>`).anchor.tag, tag);
check("a tag that is too long", placeIn(`<${tag}y data-here>${TEXT}</${tag}y>`), { fraction: 3333 });
check("names that a page makes up", placeIn(`<x-written data-here>${TEXT}</x-written>`, false).anchor, { path: [], tag: "body", fraction: 0 });
check("a drawing without consent", placeIn("<figure><svg data-here><rect /></svg></figure>", false), { fraction: 3333, anchor: { path: [0], tag: "figure", fraction: 0 } });
check("a drawing with consent", placeIn("<figure><svg data-here><rect /></svg></figure>"), { fraction: 3333, anchor: { path: [0, 0], tag: "svg", fraction: 0 } });
check("a part of a drawing", placeIn("<figure><svg><rect data-here /></svg></figure>", false), { fraction: 3333, anchor: { path: [0], tag: "figure", fraction: 0 } });
check("a formula", placeIn("<p><math><mi data-here>x</mi></math></p>", false), { fraction: 3333, anchor: { path: [0], tag: "p", fraction: 0 } });
const FORMULA = "<math><annotation-xml><mi>x</mi></annotation-xml></math>";
check("a formula elsewhere", placeIn(`<p data-here>${TEXT}</p>${FORMULA}`).anchor.text, TEXT);
const formula = open(`${FORMULA}<input name=a>`, ADDRESS);
type(formula, formula.document.querySelector("input"), "text");
check("text beside a formula", formula.batonPage.take(true).form.map(({ text }) => text), ["text"]);
const clicked = [];
formula.addEventListener("error", ({ message }) => clicked.push(message));
formula.document.querySelector("math").dispatchEvent(new formula.Event("pointerdown", { bubbles: true }));
check("a click on a formula", clicked, []);
const league = scrolled(`<form><input name=matches></form><p data-here>${TEXT}</p>`);
type(league, league.document.querySelector("input"), "twelve");
// As browsers do, and this DOM does not.
league.document.querySelector("form").matches = league.document.querySelector("input");
const { place: standing, form: typed } = league.batonPage.take(true);
check("a field with the name of a method", [standing.anchor?.text, typed.map(({ text }) => text)], [TEXT, ["twelve"]]);

begin("what goes wrong in a page");
const odd = scrolled(`<input name=a><p data-here>${TEXT}</p>`);
type(odd, odd.document.querySelector("input"), "text");
odd.document.elementsFromPoint = () => {
  throw new Error("no elements");
};
const { place: numbers, form: kept, faults } = odd.batonPage.take(true);
check("the place is known by numbers", numbers, { fraction: 3333 });
check("the text is there", kept.map(({ text }) => text), ["text"]);
check("it is told, once", faults?.map((fault) => fault.split("\n")[0]), ["Error: no elements"]);
check("nothing is told otherwise", scrolled(`<p data-here>${TEXT}</p>`).batonPage.take(true).faults, undefined);
const closed = scrolled(`<input name=a><p data-here>${TEXT}</p>`);
type(closed, closed.document.querySelector("input"), "text");
closed.document.querySelectorAll = () => {
  throw new Error("no fields");
};
const shut = closed.batonPage.take(true);
check("where secrets cannot be known", [shut.place, shut.form, shut.left, shut.faults?.map((fault) => fault.split("\n")[0])], [{ fraction: 3333 }, [], [], ["Error: no fields", "Error: no fields"]]);
const blind = scrolled(`<p data-here>${TEXT}</p>`);
const { place: goal } = blind.batonPage.take(true);
const gone = [];
blind.document.documentElement.scrollTo = ({ top }) => gone.push(top);
blind.document.querySelector("p").getBoundingClientRect = () => {
  throw new Error("no box");
};
const restored = blind.batonPage.restore(ADDRESS, { place: goal }, null);
check("a place whose element cannot be asked", gone, [999.9]);
blind.dispatchEvent(new blind.Event("wheel"));
check("and that is told", (await restored).faults.map((fault) => fault.split("\n")[0]), ["Error: no box"]);
blind.close();
