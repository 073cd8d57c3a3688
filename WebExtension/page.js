// SPDX-License-Identifier: Apache-2.0

// Runs in pages, but apart from their scripts: what a page does to its own objects does not change these.
//
// `batonPage.take()` returns where the person is in the page. If they have agreed for the site, it also returns what they
// have typed, and words of the page, which can be what they have typed. `batonPage.restore()` does the reverse. Both also
// return what went wrong, for the extension's log.
(() => {
  if (globalThis.batonPage) return;

  const { hasCardNumber } = globalThis.batonSecrets;
  const { attempt, parentOf, rootView, bytes, isShort, isEnough, elements, componentsOf, isOneLine, kindOf, nameOf } = globalThis.batonFields;
  const { watch, quietly, isSecret, isEdited, isTyped, isMasked, hasSecretText, notePasswords } = globalThis.batonPasswords;
  const { takePlace, Scroll } = globalThis.batonPlace;
  const LIMITS = { servers: 32, fields: 200, elements: 20000, form: 900 * 1024, fills: 3, time: 500, restore: 10000, longestRestore: 30000, hidden: 5 * 60 * 1000 };

  // The restoring that has begun: promises.
  const restoring = { place: null, text: null };

  function isUsable(field) {
    if (field.disabled || field.readOnly || field.closest("[inert]") || field.getClientRects().length === 0) return false;
    return getComputedStyle(field).visibility === "visible" && canBeSeen(field);
  }

  // Whether a person can come to see a field by scrolling, and it is large enough to type into.
  function canBeSeen(field) {
    const { left, top, right, bottom, width, height } = field.getBoundingClientRect();
    const view = rootView();
    if (width < 8 || height < 8 || right + scrollX + Math.abs(view.scrollLeft) <= 0 || bottom + scrollY <= 0) return false;
    if (field.checkVisibility && !field.checkVisibility({ contentVisibilityAuto: false, opacityProperty: true, visibilityProperty: true })) return false;
    let opacity = 1;
    for (let node = field; node && node !== document.body; node = parentOf(node)) {
      const style = getComputedStyle(node);
      const box = node.getBoundingClientRect();
      opacity *= Number(style.opacity);
      const isClipped = (style.overflow !== "visible" || /paint|content|strict/.test(style.contain)) && (box.width < 8 || box.height < 8);
      if (opacity < 0.05 || isClipped || /opacity\(0/.test(style.filter) || isCut(style, box)) return false;
      // Nobody can scroll to it.
      if (style.position === "fixed" && (left >= innerWidth || top >= innerHeight || right <= 0 || bottom <= 0)) return false;
    }
    return true;
  }

  // Whether the style of an element leaves nothing of it to see. Browsers say `inset` also for `rect` and `xywh`.
  function isCut({ clip, clipPath, position }, { width, height }) {
    const size = ([number, unit], whole) => (unit === "%" ? (number * whole) / 100 : Number(number));
    const lengths = [...clipPath.replace(/ round .*/, ")").matchAll(/(-?[\d.]+)(px|%)?/g)].map(([, number, unit]) => [number, unit]);
    if (/absolute|fixed/.test(position) && clip.startsWith("rect(") && !clip.includes("auto")) {
      const [top, right, bottom, left] = clip.match(/-?[\d.]+/g).map(Number);
      if (right - left < 8 || bottom - top < 8) return true;
    }
    if (/^inset\(/.test(clipPath)) {
      const [top, right = top, bottom = top, left = right] = lengths;
      return height - size(top, height) - size(bottom, height) < 8 || width - size(left, width) - size(right, width) < 8;
    }
    if (/^(circle|ellipse)\([\d.]/.test(clipPath)) {
      const radii = lengths.slice(0, clipPath.startsWith("ellipse") ? 2 : 1);
      return radii.some((radius) => size(radius, Math.min(width, height)) < 4);
    }
    if (!/^polygon\(/.test(clipPath) || lengths.length < 2) return false;
    return [[0, width], [1, height]].some(([axis, whole]) => {
      const places = lengths.filter((_, index) => index % 2 === axis).map((length) => size(length, whole));
      return Math.max(...places) - Math.min(...places) < 8;
    });
  }

  const TEXTS = "input, textarea, [contenteditable]";
  // The fields of the page with their kind and what distinguishes them. Stops when the page is too large.
  function* fields(deadline) {
    const counts = new Map();
    let seen = 0;
    const found = (element) => {
      const kind = kindOf(element);
      const nodes = [element, ...componentsOf(element)];
      const short = (text) => (text && isShort(text) ? text : undefined);
      const name = short(nodes.map((node) => node.getAttribute("name")).find(Boolean));
      const id = short(nodes.map((node) => node.id).filter(Boolean).join(" "));
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
        if (isTyped(element)) leave("hidden");
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

  // The origins from which a page of one of this machine's servers has loaded something. Undefined for any other page.
  const LOCAL = /^http:\/\/([^/?#]*\.)?(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])(:\d+)?(?=[/?#]|$)/;

  function takeServers() {
    if (!LOCAL.test(location.href)) return undefined;
    const all = performance.getEntriesByType("resource").map(({ name }) => LOCAL.exec(name)?.[0]);
    return [...new Set(all.filter(Boolean))].slice(0, LIMITS.servers);
  }

  function take(hasText) {
    const deadline = performance.now() + LIMITS.time;
    const faults = [];
    const isSafe = hasText && attempt(faults, false, () => notePasswords(deadline));
    const place = attempt(faults, undefined, () => takePlace(hasText, faults));
    const nothing = { form: [], left: [] };
    const form = isSafe ? attempt(faults, nothing, () => takeForm(deadline)) : nothing;
    const servers = attempt(faults, undefined, takeServers);
    return { url: location.href, place, ...form, servers, faults: faults.length > 0 ? faults : undefined };
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

  // The same, and what has the focus keeps it.
  function restoreWithoutFocus(form) {
    const active = document.activeElement;
    const isFilled = restoreForm(form);
    if (document.activeElement !== active) {
      if (active instanceof HTMLElement && active !== document.body) active.focus({ preventScroll: true });
      else document.activeElement?.blur?.();
    }
    return isFilled;
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
  // Resolves to { faults } when that is over: what went wrong. False if this is not the page.
  function restore(url, state, site) {
    const form = site === location.origin ? (state.form ?? []) : [];
    const part = form.length > 0 ? "text" : "place";
    const place = restoring.place ? null : state.place;
    if (!restoring[part] && isPage(url)) restoring[part] = new Promise((done) => begin(url, { place, form }, done));
    return restoring[part] ?? false;
  }

  function begin(url, state, done) {
    const form = state.form.map((wanted) => ({ ...wanted, fills: 0, isThere: false, isOver: false }));
    const faults = [];
    const scroll = state.place && state.place.fraction + (state.place.anchor ? 1 : 0) > 0 ? new Scroll(state.place, faults) : null;
    const stop = new AbortController();
    for (const name of ["wheel", "touchstart", "keydown", "pointerdown"]) {
      addEventListener(name, () => stop.abort(), { once: true, capture: true, passive: true, signal: stop.signal });
    }
    stop.signal.addEventListener("abort", () => done({ faults }));
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
        isFilled = attempt(faults, false, () => quietly(() => restoreWithoutFocus(form)));
      }
      calm = !scroll || attempt(faults, false, () => scroll.step()) ? calm + 1 : 0;
      const isOver = scroll?.isLeft || isLate(performance.now()) || (!isHidden && calm >= 8 && isFilled && document.readyState === "complete");
      if (isOver) stop.abort();
      else setTimeout(step, 250);
    };
    step();
  }

  globalThis.batonPage = { take, restore };
  watch();
})();
