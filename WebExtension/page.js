// Runs in pages, but apart from their scripts: what a page does to its own objects does not change these.
//
// `batonPage.take()` returns where the person is in the page. If they have agreed for the site, it also returns what they
// have typed, and words of the page, which can be what they have typed. `batonPage.restore()` does the reverse.
(() => {
  if (globalThis.batonPage) return;

  const KINDS = new Set(["text", "search", "email", "url", "tel", "number", "date", "time", "month", "week", "datetime-local"]);
  const { isNamed, isNumber, isYear, namesIn, inDigits, hasCardNumber } = globalThis.batonSecrets;
  const SECRET_COMPLETION = /password|one-time-code|^cc-|^webauthn$/i;
  const ORDINARY_COMPLETION = /^(postal-code|tel(-.*)?|bday(-.*)?|transaction-amount|street-address|address-.*)$/i;
  const LIMITS = { fields: 200, elements: 20000, usual: 1000, form: 900 * 1024, fills: 3, name: 200, secret: 1000, secrets: 100, snippet: 80, path: 64, time: 500, restore: 10000, longestRestore: 30000, hidden: 5 * 60 * 1000 };

  const secrets = new WeakSet();
  const secretNames = new Set();
  // What was seen in fields for passwords. A page can put it into another field, to show it.
  const secretTexts = new Set();
  // The fields into which the person has typed, and their names. A page's framework can make a value the default while it
  // is typed, and can put another field in the place of one.
  const edited = new WeakSet();
  const editedNames = new Set();
  // The restoring that has begun: promises.
  const restoring = { place: null, text: null };
  // Whether what gets and loses the focus does so because a field is being filled.
  let isFilling = false;
  const bytes = (text) => new TextEncoder().encode(text).length;
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
  const isEdited = (field) => edited.has(field) || editedNames.has(key(field));

  function noteSecret(field) {
    secrets.add(field);
    if (key(field)) secretNames.add(key(field));
    noteText(field);
  }

  const textOf = (field) => ("value" in field ? String(field.value ?? "") : field.textContent);
  // What some pages show for each character of a password in a field that is an ordinary one: always the same sign, but
  // perhaps not for the last character. A few signs of the keyboard, and faces, are what people type.
  const SIGN = "(?:[•‣·․‧∙＊﹡⁎⁕※⚫⚪⬤🔴🔵⬛⬜]|(?![\\x00-\\x7f]|\\p{Emoji_Presentation})[\\p{So}\\p{Sm}])";
  const MASK = new RegExp(`^(?:(${SIGN})[\\u200b-\\u200d\\ufe00-\\ufe0f]*(?:\\1[\\u200b-\\u200d\\ufe00-\\ufe0f]*)+|\\*{4,}).?$`, "su");
  const isMasked = (text) => MASK.test(text);

  // Of two texts that a person types one after the other, only the longer one says something new.
  function noteText(field) {
    const value = textOf(field);
    if (!value || value.length > LIMITS.secret || isMasked(value)) return;
    for (const text of secretTexts) if (value.startsWith(text)) secretTexts.delete(text);
    if (secretTexts.size >= LIMITS.secrets) secretTexts.delete(secretTexts.values().next().value);
    secretTexts.add(value);
  }

  const isPassword = (node) => node?.localName === "input" && node.type === "password";
  // Whether the style of a field shows signs in place of its text.
  function hasMaskingStyle(field) {
    const style = getComputedStyle(field);
    if ((style.webkitTextSecurity ?? "none") !== "none" || /password|security|disc|dots|bullet/i.test(style.fontFamily)) return true;
    // Editors of programs draw their text behind a transparent one of several lines.
    const isClear = (color) => /^(transparent|rgba\(.*, 0(\.0\d*)?\))$/.test(color ?? "");
    return isOneLine(field) && (isClear(style.color) || isClear(style.webkitTextFillColor) || /blur\(/.test(style.filter));
  }

  // Short texts are in others by chance.
  // A page can write it in other letters, or in groups.
  const loose = (text) => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  function hasSecretText(text) {
    const all = secretTexts.size > 0 ? loose(text) : "";
    return [...secretTexts].some((secret) => {
      const bare = loose(secret);
      // Or only a part of it, such as one that is cut to the length of a field.
      const isPart = all.length >= 6 && all.length >= bare.length / 2 && bare.includes(all);
      return text === secret || (secret.length >= 4 && text.includes(secret)) || (bare.length >= 4 && all.includes(bare)) || isPart;
    });
  }

  // What is in passwords' fields now: a page can have put it there itself, of which no event tells, and this page does not
  // get the events of its frames.
  function noteFields(root = document, depth = 4) {
    for (const field of [...root.querySelectorAll("input[type=password i]")].slice(0, 20)) noteText(field);
    if (depth === 0) return;
    for (const frame of [...root.querySelectorAll("iframe, frame, object, embed")].slice(0, 20)) {
      if (frame.contentDocument) noteFields(frame.contentDocument, depth - 1);
    }
  }

  // The same also in shadow trees, which takes longer. Returns whether there was time for all.
  function notePasswords(deadline) {
    for (const field of elements("input", deadline, "known")) {
      if (!field) return performance.now() <= deadline;
      if (isPassword(field)) noteSecretIn(field);
    }
    return true;
  }

  // The same in a component, whose changes nobody has seen so far. Frames watch themselves.
  function noteSecretIn(field) {
    if (field.ownerDocument !== document) return noteText(field);
    noteSecret(field);
    watchTree(field.getRootNode());
  }

  // Watches the page, or what is in a component that has a field for a password.
  const watched = new WeakSet();
  let observer = null;
  function watchTree(root) {
    if (watched.has(root)) return;
    watched.add(root);
    observer?.observe(root, { subtree: true, childList: true, attributes: true, attributeOldValue: true, attributeFilter: ["type"] });
  }

  // The field in which something happens, also in shadow trees that are closed to the page.
  function fieldOf(event) {
    let field = event.composedPath()[0];
    for (let inner; field?.nodeType === 1 && (inner = shadowOf(field)?.activeElement); ) field = inner;
    return field;
  }

  // A page can show a password by making its field an ordinary one, or by putting another one in its place. So every field
  // that ever was a password's counts, and every one that ever had the same text.
  function watch() {
    const fieldsIn = (node) => (node.nodeType === 1 ? [node, ...node.querySelectorAll("input, textarea, [contenteditable]")] : []);
    // A field, perhaps with what is drawn around it. A whole form is not in the place of a field.
    const isSmall = (node) => node.nodeType === 1 && fieldsIn(node).length <= 2 && node.querySelectorAll("*").length <= 10;
    const note = (node) => fieldsIn(node).filter(isPassword).forEach(noteSecret);
    const compare = (found) => {
      if (found?.nodeType !== 1) return;
      // People type into the elements of one that they can edit.
      const field = (!("value" in found) && found.isContentEditable && found.closest("[contenteditable]")) || found;
      if (isPassword(field)) return noteSecretIn(field);
      if (!("value" in field) && !field.isContentEditable) return;
      // People also write with such signs, but lines.
      const isHidden = (text) => hasMaskingStyle(field) || (isOneLine(field) && isMasked(text));
      const text = textOf(field);
      if (text && text.length <= 10 * LIMITS.secret && (isHidden(text) || hasSecretText(text))) noteSecret(field);
    };
    const typed = (event) => {
      const field = fieldOf(event);
      if (event.isTrusted) {
        edited.add(field);
        if (key(field)) editedNames.add(key(field));
      }
      compare(field);
    };
    const keepFromPage = (event) => {
      if (isFilling) event.stopImmediatePropagation();
    };
    const noticed = (event) => {
      noteFields();
      if (event.type === "pointerdown") notePasswords(performance.now() + 50);
      compare(fieldOf(event));
    };
    const listen = () => {
      const options = { capture: true, passive: true };
      for (const name of ["focus", "blur", "focusin", "focusout"]) addEventListener(name, keepFromPage, options);
      addEventListener("input", typed, options);
      // Before a person goes on typing, and before a page takes the field away.
      for (const name of ["change", "focusin", "focusout", "pointerdown", "keydown"]) addEventListener(name, noticed, options);
    };
    listen();
    note(document.documentElement ?? document);
    observer = new MutationObserver((changes) => {
      const places = new Set();
      for (const { type, target, oldValue, removedNodes } of changes) {
        if (type === "attributes") {
          if (/^\s*password\s*$/i.test(oldValue ?? "")) noteSecret(target);
          note(target);
        }
        for (const node of removedNodes) {
          const gone = fieldsIn(node).filter((field) => isPassword(field) || secrets.has(field));
          gone.forEach(noteSecret);
          if (gone.length > 0 && isSmall(node)) places.add(target);
        }
      }
      // A page that writes itself anew (`document.open`) takes the listeners away. Those that are there are not added twice.
      if (changes.some(({ target }) => target === document)) listen();
      for (const { target, addedNodes } of changes) {
        for (const node of addedNodes) {
          note(node);
          if (places.has(target) && isSmall(node)) fieldsIn(node).forEach(noteSecret);
          fieldsIn(node).forEach(compare);
        }
      }
    });
    watchTree(document);
  }

  const isOneLine = (field) => field.localName === "input";

  // The kind of a field that people type ordinary text into. Null for every other element.
  function kindOf(element) {
    if (element.localName === "textarea") return "textarea";
    if (isOneLine(element)) return KINDS.has(element.type) ? element.type : null;
    return element.isContentEditable && !element.parentElement?.isContentEditable ? "editable" : null;
  }

  const attributes = (element, names) => names.map((name) => element.getAttribute(name) ?? "");
  const FIELDS = "input:not([type=hidden i], [type=checkbox i], [type=radio i], [type=submit i], [type=button i]), textarea, select, [contenteditable]";
  const hasField = (node) => node.nodeType === 1 && (node.matches(FIELDS) || node.querySelector(FIELDS) !== null);
  const CLICKS = "a, button, nav, [role=button], script, style, template";
  // The words of a node without those to click, such as "Resend" beside "Verification code".
  function textBeside(node) {
    if (node.nodeType !== 1) return node.nodeType === 3 ? plain(node.data) : "";
    if (node.matches(CLICKS)) return "";
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
      if (!node.matches("fieldset, [role=group], [aria-label], [aria-labelledby]")) continue;
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
    return [...(field.labels ?? [])].map(({ textContent }) => plain(textContent)).concat(labels.map(plain), names).find(Boolean)?.slice(0, 40) ?? "a field";
  }

  // Whether the number of a card, or its code, is wanted where the field is.
  function isBesideCard(field) {
    const around = field.form ?? field.closest("fieldset, section, main") ?? document;
    return [...around.querySelectorAll("input")].some((other) =>
      other !== field && /card|karte|\bcc|cvv|cvc|csc/i.test([other.autocomplete, ...attributes(other, NAMES)].join(" ")));
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

  function isSecret(field) {
    if (secrets.has(field) || secretNames.has(key(field))) return true;
    const completion = [field, ...componentsOf(field)].flatMap((node) => (node.getAttribute("autocomplete") ?? "").split(/\s+/));
    if (completion.some((token) => SECRET_COMPLETION.test(token))) return true;
    const said = hints(field);
    if (isNamed(said)) return true;
    if (isOneLine(field) && isForCode(field, completion, said)) return true;
    return hasMaskingStyle(field);
  }

  function isUsable(field) {
    if (field.disabled || field.readOnly || field.closest("[inert]") || field.getClientRects().length === 0) return false;
    return getComputedStyle(field).visibility === "visible" && canBeSeen(field);
  }

  // Whether a person can come to see a field by scrolling, and it is large enough to type into.
  function canBeSeen(field) {
    const { right, bottom, width, height } = field.getBoundingClientRect();
    const view = rootView();
    if (width < 8 || height < 8 || right + scrollX + Math.abs(view.scrollLeft) <= 0 || bottom + scrollY <= 0) return false;
    if (field.checkVisibility && !field.checkVisibility({ contentVisibilityAuto: false, opacityProperty: true, visibilityProperty: true })) return false;
    for (let node = field; node && node !== document.body; node = parentOf(node)) {
      const style = getComputedStyle(node);
      const box = node.getBoundingClientRect();
      const isClipped = style.overflow !== "visible" && (box.width < 8 || box.height < 8);
      if (Number(style.opacity) === 0 || isClipped || /opacity\(0/.test(style.filter) || /inset\((50|100)%/.test(style.clipPath)) return false;
    }
    return true;
  }

  // Whether so many elements are to be looked at, and no more. Of a usual page all are, however busy the machine is.
  const isEnough = (count, limit, deadline) => count > limit || (count > LIMITS.usual && performance.now() > deadline);

  const TEXTS = "input, textarea, [contenteditable]";
  // The fields of the page with their kind and what distinguishes them. Stops when the page is too large.
  function* fields(deadline) {
    const counts = new Map();
    let seen = 0;
    const found = (element) => {
      const kind = kindOf(element);
      const nodes = [element, ...componentsOf(element)];
      const name = nodes.map((node) => node.getAttribute("name")).find(Boolean)?.slice(0, LIMITS.name) || undefined;
      const id = nodes.map((node) => node.id).filter(Boolean).join(" ").slice(0, LIMITS.name) || undefined;
      const index = counts.get(`${kind} ${name}`) ?? 0;
      counts.set(`${kind} ${name}`, index + 1);
      return { element, kind, name, id, index };
    };
    for (const element of document.querySelectorAll(TEXTS)) {
      if (isEnough((seen += 1), LIMITS.elements, deadline)) return;
      if (kindOf(element)) yield found(element);
    }
    // Those in components come last, so that the others keep their numbers.
    for (const element of elements(TEXTS, deadline)) {
      if (!element) return;
      if (element.getRootNode() !== document && kindOf(element)) yield found(element);
    }
  }

  // The text of an editor. Browsers put a blank line between two paragraphs of a page, also where each is a line.
  function linesOf(element) {
    const isOfBlocks = [...element.childNodes].every((node) => /^(p|div|h[1-6]|pre|blockquote)$/.test(node.localName ?? ""));
    return isOfBlocks ? [...element.children].map((line) => line.innerText.replace(/\n$/, "")).join("\n") : element.innerText;
  }

  // The text in fields, and the names of those whose text stays here.
  function takeForm(deadline) {
    const form = [];
    const left = [];
    let room = LIMITS.form;
    for (const { element, kind, name, id, index } of fields(deadline)) {
      const leave = (why) => left.length < LIMITS.fields && left.push({ name: nameOf(element), why });
      const length = kind === "editable" ? element.textContent.length : element.textLength;
      // It takes long to look at what has no room.
      const text = length > room ? null : kind === "editable" ? linesOf(element) : element.value;
      if (text !== null && (!text.trim() || (kind !== "editable" && text === element.defaultValue && !isEdited(element)))) continue;
      if (!isUsable(element)) {
        if (edited.has(element)) leave("hidden");
        continue;
      }
      const size = text === null ? Infinity : bytes(JSON.stringify(text)) + 200;
      if (size > room || form.length >= LIMITS.fields) leave("tooLong");
      else if (hasCardNumber(text)) leave("card");
      else if ((isOneLine(element) && isMasked(text)) || hasSecretText(text) || isSecret(element)) leave("secret");
      else {
        room -= size;
        form.push({ kind, name, id, index, text });
      }
    }
    return { form, left };
  }

  // What looks like one document to people is a tree of them.
  const shadowOf = (element) => element.openOrClosedShadowRoot ?? globalThis.chrome?.dom?.openOrClosedShadowRoot?.(element) ?? element.shadowRoot;
  const mayHaveShadow = (element) => element.localName.includes("-") || /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/.test(element.localName);
  const parentOf = (element) => element.parentElement ?? element.getRootNode().host ?? null;

  function contains(outer, element) {
    for (let node = element; node; node = parentOf(node)) if (node === outer) return true;
    return false;
  }

  // The elements at a point of the window, the topmost first.
  function elementsAt(x, y) {
    let elements = [];
    for (let root = document; root; ) {
      const inside = root.elementsFromPoint(x, y).filter((element) => !elements.includes(element));
      elements = [...inside, ...elements];
      root = inside.length > 0 ? shadowOf(inside[0]) : null;
    }
    return elements.slice(0, 40);
  }

  const rootView = () => document.scrollingElement ?? document.documentElement;

  function scrolls(element) {
    if (element === document.body && getComputedStyle(document.documentElement).overflowY === "visible") return false;
    return /auto|scroll|overlay/.test(getComputedStyle(element).overflowY) && element.scrollHeight > element.clientHeight + 1;
  }

  // The part of the page that scrolls an element.
  function viewOf(element) {
    for (let node = element; node; node = parentOf(node)) if (node !== rootView() && scrolls(node)) return node;
    return rootView();
  }

  // What the person scrolls: the page, or the largest part of it that is scrolled.
  function mainView() {
    let main = rootView();
    if (main.scrollTop !== 0) return main;
    let size = 0;
    for (const x of [0.5, 0.25, 0.75, 0.9]) {
      for (const y of [0.5, 0.25, 0.75]) {
        const view = viewOf(elementsAt(innerWidth * x, innerHeight * y)[0]);
        const { width, height } = view.getBoundingClientRect();
        const own = (width * height) / (view.scrollTop === 0 ? 1e6 : 1);
        if (view !== rootView() && own > size) [main, size] = [view, own];
      }
    }
    return main;
  }

  // A bar that stays where it is says nothing about the place.
  function isFixed(element, view) {
    for (let node = element; node && node !== view && node !== document.body; node = parentOf(node)) {
      if (/fixed|sticky/.test(getComputedStyle(node).position)) return true;
    }
    return false;
  }

  const boxOf = (view) => (view === rootView() ? { left: 0, top: 0, width: innerWidth, height: innerHeight } : view.getBoundingClientRect());

  // Where the content begins that the person sees: below the bars at the top.
  function topOf(view) {
    const box = boxOf(view);
    const begin = Math.max(box.top, 0);
    let top = begin;
    for (let count = 0; count < 4; count += 1) {
      const element = elementsAt(box.left + box.width / 2, top + 1)[0];
      if (!element || !contains(view, element) || !isFixed(element, view)) break;
      const { bottom } = element.getBoundingClientRect();
      if (bottom <= top || bottom > begin + box.height / 2) break;
      top = bottom;
    }
    return top;
  }

  const plain = (text) => text.replace(/\s+/g, " ").trim();
  // Cut, but not within a character.
  const wordsOf = (element) => plain((element.textContent ?? "").slice(0, 2000)).slice(0, LIMITS.snippet).replace(/\p{Surrogate}/gu, "");
  // A text without what a page that shows it can change: punctuation, spaces, capitals, accents, ligatures, and what is not
  // seen, such as the places where a word can be broken.
  const bare = (text) =>
    text.normalize("NFKD").toUpperCase().normalize("NFKD").replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, "").toLowerCase()
      .replace(/ς/g, "σ").replace(/[^\p{L}\p{N}]+/gu, " ").trim();

  // What the person has typed, or could have typed, and what is in fields for passwords: pages show it elsewhere, too. Null
  // if the page is too large to know.
  function typedTexts(deadline) {
    const texts = [];
    for (const element of elements("input, textarea, [contenteditable], body", deadline, true)) {
      if (!element) return null;
      const isText = element.type === "password" || kindOf(element) || (element.localName === "body" && element.ownerDocument.designMode === "on");
      const text = isText ? bare(("value" in element ? element.value : element.textContent).slice(0, 100000)) : "";
      if (text.length >= 3) texts.push(text);
    }
    return texts;
  }

  // Whether a person may have written what is in an element. Some editors draw the lines of a text themselves, beside a
  // field that they hide.
  function isWritten(element) {
    if (element.querySelector?.("[contenteditable], textarea")) return true;
    const written = "input, textarea, select, [contenteditable], [role=textbox], [role=code], [aria-multiline]";
    const hasField = (node, depth) =>
      node.childElementCount < 50 && [...node.children].some((child) => child.matches("textarea, [role=textbox]") || (depth > 1 && hasField(child, depth - 1)));
    for (let node = element; node && node !== document.body; node = parentOf(node)) {
      if (node.isContentEditable || node.matches(written) || hasField(node, 2)) return true;
    }
    return false;
  }

  // Digits, or capitals and digits, in groups.
  const CODE = /(\d[\s-]?){4}|\b[A-Z0-9]{4,}\b|\b(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{4,}\b/;

  // The words that distinguish an element. Empty if a person may have written them, or if they have the number of a card.
  function publicWords(element, typed) {
    const words = wordsOf(element);
    const text = (element.textContent ?? "").slice(0, 20000);
    if (!words || !typed || isWritten(element) || hasCardNumber(text)) return "";
    if (hasSecretText(text)) return "";
    // A page can show a code, also in an element of its own.
    if (!/\p{L}{3}/u.test(words) || (CODE.test(words) && isNamed({ labels: [words] }))) return "";
    const all = bare(text);
    const own = bare(words).split(" ");
    const parts = own.length > 4 ? own.slice(3).map((_, index) => own.slice(index, index + 4).join(" ")) : [own.join(" ")];
    return typed.some((text) => all.includes(text.slice(0, 40)) || parts.some((part) => text.includes(part))) ? "" : words;
  }

  // The element that says best where the person is: the first one from the top that is much lower than the window, and has
  // words. A large one is as good as none if its lines are others in another window.
  function anchorElement(view, isGood) {
    const top = topOf(view);
    const box = boxOf(view);
    const found = [];
    for (const y of [4, 24, 60, 110, 180]) {
      for (const x of [0.5, 0.3, 0.15, 0.75]) {
        const isInside = (candidate) => candidate !== view && candidate !== document.body && contains(view, candidate) && !isFixed(candidate, view);
        const element = elementsAt(box.left + box.width * x, top + y).find(isInside);
        if (!element || found.includes(element)) continue;
        const { height } = element.getBoundingClientRect();
        if (height > 0 && height < innerHeight / 2 && isGood(element)) return element;
        found.push(element);
      }
    }
    const hasWords = (element) => element.getBoundingClientRect().height < 2 * innerHeight && isGood(element);
    return found.find(hasWords) ?? found[0] ?? null;
  }

  const isOfHTML = (element) => element instanceof HTMLElement && !(element instanceof HTMLUnknownElement) && !element.localName.includes("-");

  // Whether the page has only those of its rows that are in the window. Then it says nothing which children they are: above
  // the first of them, there is only room.
  function isOfFew(element, view) {
    const far = 2 * innerHeight;
    // Headings can stick to the window.
    const isShown = (node) => node.getClientRects().length > 0 && !isFixed(node, view);
    for (let node = element; node && node !== view && node !== document.body; node = parentOf(node)) {
      const parent = parentOf(node);
      const children = [...(node.parentNode?.children ?? [])];
      const [first, last] = [children.find(isShown), children.findLast(isShown)];
      if (!parent || !first) continue;
      const begin = parent.getBoundingClientRect().top - (parent === view ? view.scrollTop : 0);
      const top = Math.min(...[first, last].map((child) => child.getBoundingClientRect().top));
      const isRoom = first !== node && parent !== document.body && first.offsetHeight > far && !first.firstElementChild && !first.textContent.trim();
      if (isRoom || top - begin > far) return true;
    }
    return false;
  }

  // Where an element is. `words` are those that may leave, and so may IDs if there are any: pages make them of words.
  function describe(found, view, words) {
    // Pages give elements names of their own, which can have words in them.
    let element = found;
    while (words === null && element && !isOfHTML(element)) element = parentOf(element);
    const isFew = element !== null && isOfFew(element, view);
    if (!element || (isFew && !words)) return null;
    const path = [];
    const isRoot = (node) => words !== null && node.id && node.id.length <= LIMITS.name && document.getElementById(node.id) === node;
    let node = element;
    while (node && node !== document.body && !isRoot(node)) {
      const parent = node.parentNode;
      path.unshift([...(parent?.children ?? [])].indexOf(node));
      // -1 leads into a shadow tree.
      if (parent?.host) path.unshift(-1);
      node = parent?.host ?? node.parentElement;
      if (path.length > LIMITS.path) return null;
    }
    const box = element.getBoundingClientRect();
    const fraction = Math.round(((topOf(view) - box.top) / Math.max(box.height, 1)) * 10000);
    return {
      id: !isFew && node && node !== document.body && node.id ? node.id : undefined,
      path: !isFew && node ? path : undefined,
      tag: element.localName.slice(0, LIMITS.name),
      text: words || undefined,
      fraction: Math.max(-1000000, Math.min(1000000, fraction)),
    };
  }

  // Words leave only if the person has agreed: they can have got into the page in any way.
  function takePlace(hasWords) {
    const view = mainView();
    const range = view.scrollHeight - view.clientHeight;
    const fraction = range > 0 ? Math.max(0, Math.min(10000, Math.round((view.scrollTop / range) * 10000))) : 0;
    if (view.scrollTop === 0) return { fraction };
    const typed = hasWords ? typedTexts(performance.now() + LIMITS.time) : null;
    const element = anchorElement(view, (element) => (hasWords ? publicWords(element, typed) : wordsOf(element)) !== "");
    return { fraction, anchor: (element && describe(element, view, hasWords ? publicWords(element, typed) : null)) ?? undefined };
  }

  function take(hasText) {
    const deadline = performance.now() + LIMITS.time;
    const isSafe = hasText && notePasswords(deadline);
    return { url: location.href, place: takePlace(hasText), ...(isSafe ? takeForm(deadline) : { form: [], left: [] }) };
  }

  function follow(path, from) {
    let element = from;
    for (const step of path) element = step < 0 ? element && shadowOf(element) : element?.children[step];
    return element ?? null;
  }

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
        if (element.matches(selector)) yield element;
        const isFrame = hasFrames && /^(iframe|frame|object|embed)$/.test(element.localName);
        const inner = mayHaveShadow(element) ? shadowOf(element) : isFrame ? element.contentDocument : null;
        if (inner) roots.push(inner);
        else if (isFrame && hasFrames !== "known" && takesText(element)) return yield null;
      }
    }
  }

  // How far the part of the page around an element is scrolled, from 0 to 10,000, when the element is at its top.
  function depth(element) {
    const view = viewOf(element);
    const top = element.getBoundingClientRect().top - boxOf(view).top + view.scrollTop;
    return (top / Math.max(view.scrollHeight - view.clientHeight, 1)) * 10000;
  }

  function find({ anchor, fraction }) {
    const isIt = (element) => element?.localName === anchor.tag && (!anchor.text || wordsOf(element) === anchor.text);
    const element = anchor.path ? follow(anchor.path, anchor.id ? document.getElementById(anchor.id) : document.body) : null;
    if (isIt(element)) return element;
    if (!anchor.text) return null;
    // The page looks different here: what counts is the text. Where it occurs more than once, the nearest is meant.
    const found = [...elements(CSS.escape(anchor.tag), performance.now() + LIMITS.time)].filter(isIt);
    const distance = (element) => Math.abs(depth(element) - fraction);
    return found.length > 1 ? found.slice(0, 500).reduce((best, next) => (distance(next) < distance(best) ? next : best)) : (found[0] ?? null);
  }

  // Scrolls to a place.
  class Scroll {
    #height = 0;
    #misses = 0;
    #last = null;
    #calm = 0;
    // Whether somebody has scrolled away from the place.
    isLeft = false;
    // When the page was last found to be longer or shorter than before.
    lastChange = 0;

    constructor(place) {
      this.place = place;
    }

    // Looks for the place again, wherever it was looked for before.
    restart() {
      this.#misses = 0;
    }

    // Returns whether the place is found, and the page was there already.
    step() {
      const { anchor, fraction } = this.place;
      const element = anchor ? find(this.place) : null;
      if (!element) return this.#approach(fraction);
      const view = viewOf(element);
      const box = element.getBoundingClientRect();
      const top = box.top - topOf(view) + (anchor.fraction / 10000) * box.height;
      const before = view.scrollTop;
      // Pages and browsers go to places of their own while they load. After that, only a person does. A page that gets
      // longer moves the element, too.
      const place = box.top + before;
      const isMoved = this.#last && Math.abs(before - this.#last.scrollTop) > 2 && Math.abs(place - this.#last.place) <= 2;
      this.isLeft = isMoved && this.#calm > 1 && document.readyState === "complete";
      if (this.isLeft) return true;
      if (Math.abs(top) > 2) view.scrollBy({ top, behavior: "instant" });
      this.#last = { scrollTop: view.scrollTop, place };
      const isCalm = view.scrollTop === before;
      this.#calm = isCalm ? this.#calm + 1 : 0;
      return isCalm;
    }

    // Goes to the same fraction of the page. A page that gets longer at its end may have the element later.
    #approach(fraction) {
      const view = mainView();
      if (view.scrollHeight !== this.#height) {
        this.#misses = 0;
        this.#height = view.scrollHeight;
        this.lastChange = performance.now();
      }
      const range = view.scrollHeight - view.clientHeight;
      const isAtEnd = this.place.anchor && this.#misses === 3;
      if (this.#misses === 0 || this.#misses === 10) view.scrollTo({ top: (fraction / 10000) * range, behavior: "instant" });
      else if (isAtEnd) view.scrollTo({ top: range, behavior: "instant" });
      this.#misses += 1;
      return !this.place.anchor && this.#misses > 1;
    }
  }

  // A page can take it for the person's wish to save if a field loses the focus. So only editors get it, and pages hear
  // nothing of it.
  function fill(field, kind, text, isAgain) {
    if (kind === "editable") {
      field.focus({ preventScroll: true });
      // Editors with a text of their own take what is pasted, and in Chromium some break at any other change. In Firefox,
      // the page could not read it.
      getSelection().selectAllChildren(field);
      if (!isAgain && !globalThis.cloneInto && !paste(field, text)) return;
      // Others understand what looks like typing.
      if (document.execCommand("insertText", false, text)) return;
      field.textContent = text;
    } else {
      // The setter of the page's framework, if it has one, would take this for its own change.
      const prototype = kind === "textarea" ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
      Object.getOwnPropertyDescriptor(prototype, "value").set.call(field, text);
    }
    // Not "change": a page can take that for the person's wish to save.
    field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: null }));
  }

  // Returns whether the page has left it to the browser, which does nothing then.
  function paste(field, text) {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    return field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }

  // Whether nothing is lost if a field is filled: it is empty; or nobody has done anything here, and its text is the page's.
  function isFree(field, kind) {
    if (kind === "editable") return !field.textContent.trim() && !field.querySelector("img, video, audio, table, canvas, object, iframe");
    return field.value === "" || (field.value === field.defaultValue && !navigator.userActivation?.hasBeenActive);
  }

  // What stays of a name that a page makes anew each time it loads, such as "input-8237", ":r1:" or "f3a9c0".
  const stem = (name) => (name ?? "").replace(/\p{L}*\p{N}[\p{L}\p{N}]*/gu, "#");

  // The field that is meant, here.
  function fieldFor(wanted, all) {
    const ofKind = all.filter(({ kind }) => kind === wanted.kind);
    const same = ofKind.filter(({ name }) => (name ?? null) === (wanted.name ?? null));
    const isAlike = ({ id }) => !wanted.id || !id || stem(id) === stem(wanted.id) || (wanted.name && same.length === 1);
    // In components, several fields have the same ID.
    const named = wanted.id ? same.filter(({ id }) => id === wanted.id) : [];
    const found = (named.length === 1 && named[0]) || same.find((field) => field.index === wanted.index && isAlike(field));
    if (found || same.length > 0 || !stem(wanted.name).includes("#")) return found;
    const alike = ofKind.filter(({ name }) => stem(name) === stem(wanted.name));
    return alike.length === 1 ? alike[0] : undefined;
  }

  // Fills what is there. A page that starts can have fields that cannot be used yet, and empties what was filled too early.
  //
  // Returns whether all texts are where they belong, or are not wanted any more.
  function restoreForm(form) {
    const all = [...fields(performance.now() + LIMITS.time)];
    for (const wanted of form) {
      const found = fieldFor(wanted, all);
      if (!found || wanted.isOver) continue;
      const { element, kind } = found;
      wanted.isThere = kind === "editable" ? wanted.fills > 0 && element.textContent.trim() !== "" : element.value === wanted.text;
      if (wanted.isThere || !isUsable(element)) continue;
      wanted.isOver = isSecret(element) || !isFree(element, kind) || wanted.fills === LIMITS.fills;
      if (wanted.isOver) continue;
      fill(element, kind, wanted.text, wanted.fills > 0);
      wanted.fills += 1;
    }
    return form.every(({ isThere, isOver }) => isThere || isOver);
  }

  // Whether this is the page of an address. A site can lead to another page, such as one to log in.
  function isPage(url) {
    const wanted = new URL(url);
    const isSite = location.origin === wanted.origin || (location.hostname === wanted.hostname && location.protocol === "https:" && !wanted.port && !location.port);
    const route = ({ hash }) => (/^#[!/]/.test(hash) ? hash : "");
    return isSite && location.pathname === wanted.pathname && location.search === wanted.search && route(location) === route(wanted);
  }

  // Pages change while they load, and some load more when they are scrolled. So this is repeated until the place stays the
  // same, or the person does something.
  //
  // `site`: the one for which the person has agreed to that text is filled in. Nothing is, if this is another.
  //
  // Resolves to whether this was the page, when that is over.
  function restore(url, state, site) {
    const form = site === location.origin ? (state.form ?? []) : [];
    const part = form.length > 0 ? "text" : "place";
    const place = restoring.place ? null : state.place;
    if (!restoring[part] && isPage(url)) restoring[part] = new Promise((done) => begin(url, { place, form }, () => done(true)));
    return restoring[part] ?? false;
  }

  function begin(url, state, done) {
    const form = state.form.map((wanted) => ({ ...wanted, fills: 0, isThere: false, isOver: false }));
    const scroll = state.place && state.place.fraction + (state.place.anchor ? 1 : 0) > 0 ? new Scroll(state.place) : null;
    const stop = new AbortController();
    for (const name of ["wheel", "touchstart", "keydown", "pointerdown"]) {
      addEventListener(name, () => stop.abort(), { once: true, capture: true, passive: true, signal: stop.signal });
    }
    stop.signal.addEventListener("abort", done);
    const opening = performance.now();
    // Until somebody sees the page, browsers let it do little.
    let beginning = opening;
    let last = { time: opening, isHidden: false };
    // A page that loads more and more gets more time.
    const isLate = (now) =>
      now > Math.max(beginning, scroll?.lastChange ?? 0) + LIMITS.restore || now > beginning + LIMITS.longestRestore;
    let calm = 0;
    const step = () => {
      if (stop.signal.aborted) return;
      const now = performance.now();
      const isHidden = document.hidden && now < opening + LIMITS.hidden;
      if (isHidden) beginning += now - last.time;
      else if (last.isHidden) scroll?.restart();
      last = { time: now, isHidden };
      let isFilled = true;
      if (form.length > 0 && isPage(url)) {
        const active = document.activeElement;
        isFilling = true;
        isFilled = restoreForm(form);
        if (document.activeElement !== active) {
          if (active instanceof HTMLElement && active !== document.body) active.focus({ preventScroll: true });
          else document.activeElement?.blur?.();
        }
        isFilling = false;
      }
      calm = !scroll || scroll.step() ? calm + 1 : 0;
      const isOver = scroll?.isLeft || isLate(performance.now()) || (!isHidden && calm >= 8 && isFilled && document.readyState === "complete");
      if (isOver) stop.abort();
      else setTimeout(step, 250);
    };
    step();
  }

  globalThis.batonPage = { take, restore };
  watch();
})();
