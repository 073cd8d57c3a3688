// SPDX-License-Identifier: Apache-2.0

// Runs in pages, after secrets.js. What a field is: its kind, what it is called, and what stands around it.
(() => {
  if (globalThis.batonFields) return;

  const KINDS = new Set(["text", "search", "email", "url", "tel", "number", "date", "time", "month", "week", "datetime-local"]);
  const { isNamed, isNumber, isYear, namesIn, inDigits } = globalThis.batonSecrets;
  const ORDINARY_COMPLETION = /^(postal-code|tel(-.*)?|bday(-.*)?|transaction-amount|street-address|address-.*)$/i;
  // `name` is in bytes, as in Baton's own program (`BrowserLimits.nameLength`), which takes none that is longer.
  const LIMITS = { elements: 20000, usual: 1000, faults: 5, fault: 1000, name: 256 };

  // MARK: The tree

  // What looks like one document to people is a tree of them.
  // Only elements of HTML have more in them. Of others, such as those of drawings and formulas, Chromium must not be asked.
  const HTML = "http://www.w3.org/1999/xhtml";
  const openShadowOf = (element) => element.openOrClosedShadowRoot ?? globalThis.chrome?.dom?.openOrClosedShadowRoot?.(element) ?? element.shadowRoot;
  const shadowOf = (element) => (element.namespaceURI === HTML ? openShadowOf(element) : null);
  const mayHaveShadow = (element) => element.localName.includes("-") || /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/.test(element.localName);
  // A field of a form can have the name of a property, such as "children" on the pages of hotels and "matches" on those of
  // leagues, and is the form's then.
  const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const OF_FORM = { children: getter(Element.prototype, "children"), parentElement: getter(Node.prototype, "parentElement") };
  const own = (node, name) => (node instanceof HTMLFormElement ? OF_FORM[name].call(node) : node?.[name]);
  const matches = (element, selector) => Element.prototype.matches.call(element, selector);
  const childrenOf = (node) => [...(own(node, "children") ?? [])];
  const parentOf = (element) => own(element, "parentElement") ?? element.getRootNode().host ?? null;
  const rootView = () => document.scrollingElement ?? document.documentElement;
  const plain = (text) => text.replace(/\s+/g, " ").trim();

  const bytes = (text) => new TextEncoder().encode(text).length;
  // Whether a name or an ID leaves the page. It's not cut, because a part of it names nothing.
  const isShort = (name) => name.length <= LIMITS.name && bytes(name) <= LIMITS.name;

  // Does a part of something, whose other parts are worth having without it. What went wrong is noted in `faults`, once.
  function attempt(faults, otherwise, work) {
    try {
      return work();
    } catch (error) {
      // Firefox's stacks do not begin with the message.
      const fault = `${error}\n${(error?.stack ?? "").replace(`${error}\n`, "")}`.slice(0, LIMITS.fault);
      if (faults.length < LIMITS.faults && !faults.includes(fault)) faults.push(fault);
      return otherwise;
    }
  }

  // Whether so many elements are to be looked at, and no more. Of a usual page all are, however busy the machine is.
  const isEnough = (count, limit, deadline) => count > limit || (count > LIMITS.usual && performance.now() > deadline);

  // Whether a person can type into a frame of another site, as far as this one knows.
  function takesText(frame) {
    const { width, height } = frame.getBoundingClientRect();
    return width >= 40 && height >= 12 && !/^(image|video|audio)\//i.test(frame.getAttribute("type") ?? "");
  }

  // All elements that a selector is about, also those in shadow trees and, if that is wanted, in frames of the same origin.
  // The last one is null if there are too many to look at, or if what is in a frame cannot be known. With `hasFrames`
  // "known", frames that cannot be known are left out.
  function* elements(selector, deadline, hasFrames = false) {
    const roots = [document];
    let seen = 0;
    for (const root of roots) {
      for (const element of root.querySelectorAll("*")) {
        if (isEnough((seen += 1), LIMITS.elements * 5, deadline)) return yield null;
        if (matches(element, selector)) yield element;
        const isFrame = hasFrames && /^(iframe|frame|object|embed)$/.test(element.localName);
        const inner = mayHaveShadow(element) ? shadowOf(element) : isFrame ? element.contentDocument : null;
        if (inner) roots.push(inner);
        else if (isFrame && hasFrames !== "known" && takesText(element)) return yield null;
      }
    }
  }

  // The components around a field that is in their shadow trees, from the inside out.
  function componentsOf(field) {
    const hosts = [];
    for (let host = field.getRootNode().host; host; host = host.getRootNode().host) hosts.push(host);
    return hosts;
  }

  // What a field is called, perhaps by the component that has it: all components of a kind call what is in them the same.
  // Empty if it is called nothing.
  function key(field) {
    const names = [field, ...componentsOf(field)].map((node) => `${node.getAttribute("name") ?? ""}|${node.id}`);
    return names.slice(names.length > 1 ? 1 : 0).some((name) => name !== "|") ? names.join(" ") : "";
  }

  // MARK: What a field says

  const isOneLine = (field) => field.localName === "input";

  // The kind of a field that people type ordinary text into. Null for every other element.
  function kindOf(element) {
    if (element.localName === "textarea") return "textarea";
    if (isOneLine(element)) return KINDS.has(element.type) ? element.type : null;
    return element.isContentEditable && !element.parentElement?.isContentEditable ? "editable" : null;
  }

  const attributes = (element, names) => names.map((name) => element.getAttribute(name) ?? "");
  const FIELDS = "input:not([type=hidden i], [type=checkbox i], [type=radio i], [type=submit i], [type=button i]), textarea, select, [contenteditable]";
  const hasField = (node) => node.nodeType === 1 && (matches(node, FIELDS) || node.querySelector(FIELDS) !== null);
  const CLICKS = "a, button, nav, [role=button], script, style, template";
  // The words of a node without those to click, such as "Resend" beside "Verification code".
  function textBeside(node) {
    if (node.nodeType !== 1) return node.nodeType === 3 ? plain(node.data) : "";
    if (matches(node, CLICKS)) return "";
    if (!node.querySelector(CLICKS)) return plain(node.textContent);
    return plain([...node.childNodes].map(textBeside).join(" "));
  }

  // What stands before a field, and is its label without being marked as one. Further up, only around no other field.
  function before(field, longest) {
    let node = field;
    for (let level = 0; level < 6 && node && node !== document.body; level += 1, node = node.parentElement) {
      if (level >= 3 && node.querySelectorAll(FIELDS).length > 1) return "";
      for (let other = node.previousSibling; other; other = other.previousSibling) {
        if (hasField(other)) return "";
        const text = textBeside(other);
        if (text) return text.length <= longest ? text : "";
      }
    }
    return "";
  }

  // What stands after a field that nothing stands before, such as a label that moves away when a person types.
  function after(field) {
    const around = field.parentElement;
    if (!around || around === document.body || around.querySelectorAll(FIELDS).length > 1) return "";
    const nodes = [...around.childNodes];
    if (nodes.slice(0, nodes.indexOf(field)).some((node) => textBeside(node))) return "";
    const text = nodes.slice(nodes.indexOf(field) + 1).map(textBeside).find(Boolean) ?? "";
    return text.length <= 40 ? text : "";
  }

  // The cell above a field in a table.
  function above(field) {
    const cell = field.closest("td");
    const row = cell?.parentElement;
    if (!row || cell.querySelectorAll(FIELDS).length > 1) return "";
    const head = row.closest("table")?.rows[0];
    const text = head && head !== row && !hasField(head) ? plain(head.cells[cell.cellIndex]?.textContent ?? "") : "";
    return text.length <= 60 ? text : "";
  }

  // How a few fields are called together.
  function groupsOf(field) {
    const texts = [];
    for (let node = field.parentElement; node && node !== document.body; node = node.parentElement) {
      if (!matches(node, "fieldset, [role=group], [aria-label], [aria-labelledby]")) continue;
      if (node.querySelectorAll(FIELDS).length > 3) break;
      const ids = (node.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
      texts.push(node.getAttribute("aria-label"), node.querySelector(":scope > legend")?.textContent, ...ids.map((id) => document.getElementById(id)?.textContent));
    }
    return texts.filter(Boolean).map((text) => plain(text)).filter((text) => text.length <= 60);
  }

  // What else stands beside a field: in the elements around it that have no other field. Links lead elsewhere.
  function beside(field) {
    const texts = [];
    let around = field.parentElement;
    for (let level = 0; level < 3 && around && around !== document.body; level += 1, around = around.parentElement) {
      const inside = [...around.querySelectorAll("*")];
      if (inside.length > 30 || around.querySelectorAll("input, textarea, select").length > 1 || around.textContent.length > 300) break;
      const links = inside.filter((element) => element.localName === "a").map(({ textContent }) => textContent);
      texts.push(links.reduce((text, link) => text.replace(link, " "), around.textContent));
      texts.push(...inside.filter((element) => element.localName !== "a").flatMap((element) => attributes(element, ["aria-label", "title", "alt"])));
    }
    return texts;
  }

  // Where frameworks and forms of banks note what a field is for.
  const NAMES = [
    "name", "id", "data-testid", "data-test", "data-qa", "data-cy", "data-name", "data-field", "formcontrolname", "ng-model", "data-ng-model", "v-model",
    "data-stripe", "data-encrypted-name", "data-braintree-name", "data-recurly", "x-autocompletetype", "data-bind",
  ];

  // What a field says of itself: in its own names, and in its labels.
  function hints(field) {
    const [said, ...around] = [field, ...componentsOf(field)].map(ownHints);
    for (const { names, labels, others } of around) {
      said.names.push(...names);
      said.labels.push(...labels);
      said.others.push(...others);
    }
    return said;
  }

  // What a field, or a component, says of itself alone.
  function ownHints(field) {
    const references = attributes(field, ["aria-labelledby", "aria-describedby"]).flatMap((ids) => ids.split(/\s+/));
    const root = field.getRootNode();
    const referenced = references.map((id) => id && root.getElementById?.(id));
    const marked = [...(field.labels ?? []), ...referenced].map((label) => label?.textContent?.slice(0, 200) ?? "");
    const labels = [...attributes(field, ["placeholder", "data-placeholder", "aria-placeholder", "aria-label", "aria-description", "title", "alt"]), ...marked];
    labels.push(isOneLine(field) ? before(field, 200) : namesIn(before(field, 80)), after(field), above(field), ...groupsOf(field));
    // Components have labels of their own, and names such as `password-field`.
    if (field.localName.includes("-")) labels.push(...attributes(field, ["label", "header", "hint"]), field.localName);
    return {
      names: attributes(field, NAMES), labels, isOneLine: isOneLine(field),
      others: [...attributes(field, ["class"]), ...(isOneLine(field) ? beside(field) : [])],
    };
  }

  // How a field is called when the person is told that it was left out.
  function nameOf(field) {
    const { names, labels } = hints(field);
    return [...(field.labels ?? [])].map(({ textContent }) => plain(textContent)).concat(labels.map(plain), names).find(Boolean)?.slice(0, 40) ?? "";
  }

  // What fields for a card are called, and others, such as "discard" and "cardTitle". And what only they are called.
  const CARD = /card|karte|\bcc|cvv|cvc|csc/i;
  const CARD_ONLY = /(?<![a-z])(card|cc)[-_ .]?(brand|data|element|field|info|input|month|type|year)(?![a-z])/i;

  // Whether the number of a card, or its code, is wanted where the field is.
  function isBesideCard(field) {
    const around = field.form ?? field.closest("fieldset, section, main") ?? document;
    const isOfCard = (name) => CARD_ONLY.test(name) || (CARD.test(name) && isNamed({ names: [name] }));
    return [...around.querySelectorAll("input")].some((other) =>
      other !== field && (/\bcc-/i.test(other.autocomplete) || attributes(other, NAMES).some(isOfCard)));
  }

  // Fields for the digits of a code: boxes for one digit each, or a field for a few digits.
  function isForCode(field, completion, { names, labels }) {
    if (field.maxLength === 1) return true;
    if (completion.some((token) => ORDINARY_COMPLETION.test(token)) || isNumber([...names, ...labels])) return false;
    const value = inDigits(field.value);
    if (isYear([...names, ...labels], value) && !isBesideCard(field)) return false;
    const length = value.trim().length;
    const boxes = field.parentElement?.parentElement?.querySelectorAll("input") ?? [];
    if (length === 1 && [...boxes].filter(({ value }) => value.length === 1).length >= 4) return true;
    if (length === 1 && componentsOf(field).some((host) => host.parentNode?.querySelectorAll(CSS.escape(host.localName)).length >= 4)) return true;
    const isShort = field.maxLength > 0 && field.maxLength <= 8;
    // A part of a card's number is as long as a year, and until when it is valid is as long as a date.
    if (isShort && (field.type === "tel" || /^\s*\d[\d\s/.-]*$/.test(value))) return true;
    const isNumeric = field.type === "number" || /^(numeric|decimal)$/i.test(field.inputMode) || /\\d|\[0-9\]/.test(field.pattern);
    return isNumeric && (isShort || /^\s*(\d[\s-]?){3,9}\s*$/.test(value));
  }

  globalThis.batonFields = {
    attempt, shadowOf, matches, childrenOf, parentOf, rootView, plain, bytes, isShort, isEnough, elements, componentsOf, key, isOneLine, kindOf, hints, before, nameOf, isForCode,
  };
})();
