// SPDX-License-Identifier: Apache-2.0

// Runs in pages, after fields.js. Which fields are for secrets, or have had one.
//
// `watch()` looks from now on which fields have a password, and into which a person types.
(() => {
  if (globalThis.batonPasswords) return;

  const { isNamed } = globalThis.batonSecrets;
  const { shadowOf, parentOf, elements, componentsOf, key, isOneLine, hints, isForCode } = globalThis.batonFields;
  const SECRET_COMPLETION = /password|one-time-code|^cc-|^webauthn$/i;
  const LIMITS = { secret: 1000, secrets: 100 };

  const secrets = new WeakSet();
  const secretNames = new Set();
  // What was seen in fields for passwords. A page can put it into another field, to show it.
  const secretTexts = new Set();
  // The fields into which the person has typed, and their names. A page's framework can make a value the default while it
  // is typed, and can put another field in the place of one.
  const edited = new WeakSet();
  const editedNames = new Set();
  // Whether what gets and loses the focus does so because a field is being filled.
  let isFilling = false;

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
    if ((style.webkitTextSecurity ?? "none") !== "none" || MASKING_FONT.test(style.fontFamily)) return true;
    // Editors of programs draw their text behind a transparent one of several lines.
    const isClear = (color) => /^(transparent|rgba\(.*, 0(\.0\d*)?\)|.*\/ 0(\.0\d*)?\))$/.test(color ?? "") || color === style.backgroundColor;
    if (!isOneLine(field)) return false;
    return isClear(style.color) || isClear(style.webkitTextFillColor) || isBlurred(style) || Math.abs(parseFloat(style.textIndent)) > innerWidth / 2;
  }
  const isBlurred = ({ filter }) => /blur\((?!0px)/.test(filter);
  const MASKING_FONT = /password|security|disc\b|dots|bullet|asterisk|redact|mask|blokk|circle|flow.?(block|circular|rounded)/i;

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

  function isSecret(field) {
    if (secrets.has(field) || secretNames.has(key(field))) return true;
    const completion = [field, ...componentsOf(field)].flatMap((node) => (node.getAttribute("autocomplete") ?? "").split(/\s+/));
    if (completion.some((token) => SECRET_COMPLETION.test(token))) return true;
    const said = hints(field);
    if (isNamed(said)) return true;
    if (isOneLine(field) && isForCode(field, completion, said)) return true;
    // What is blurred around a field blurs its text, too.
    if (isOneLine(field)) for (let node = parentOf(field); node; node = parentOf(node)) if (isBlurred(getComputedStyle(node))) return true;
    return hasMaskingStyle(field);
  }

  // Whether a person has typed into this very field.
  const isTyped = (field) => edited.has(field);

  // Does something with fields of which the page hears nothing.
  function quietly(work) {
    isFilling = true;
    try {
      return work();
    } finally {
      isFilling = false;
    }
  }

  globalThis.batonPasswords = { watch, quietly, isSecret, isEdited, isTyped, isMasked, hasSecretText, notePasswords };
})();
