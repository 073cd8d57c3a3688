// SPDX-License-Identifier: Apache-2.0

// Runs in pages, after passwords.js. Where the person is in the page, and how to get there again.
(() => {
  if (globalThis.batonPlace) return;

  const { isNamed, hasCardNumber } = globalThis.batonSecrets;
  const { attempt, shadowOf, matches, childrenOf, parentOf, rootView, plain, isShort, elements, kindOf, before } = globalThis.batonFields;
  const { hasSecretText } = globalThis.batonPasswords;
  const LIMITS = { snippet: 80, path: 64, time: 500 };

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

  // Cut, but not within a character.
  const wordsOf = (element) => plain((element.textContent ?? "").slice(0, 2000)).slice(0, LIMITS.snippet).replace(/\p{Surrogate}/gu, "");
  // A text without what a page that shows it can change: punctuation, spaces, capitals, accents, ligatures, and what is not
  // seen, such as the places where a word can be broken.
  const bare = (text) =>
    text.normalize("NFKD").toUpperCase().normalize("NFKD").replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, "").toLowerCase()
      .replace(/ς/g, "σ").replace(/[^\p{L}\p{N}]+/gu, " ").trim();

  // Lines of an editor are paragraphs elsewhere, with spaces between them or none.
  const joined = (text) => text.replaceAll(" ", "");

  // What the person has typed, or could have typed, and what is in fields for passwords: pages show it elsewhere, too. Null
  // if the page is too large to know.
  function typedTexts(deadline) {
    const texts = [];
    for (const element of elements("input, textarea, [contenteditable], body", deadline, true)) {
      if (!element) return null;
      const isText = element.type === "password" || kindOf(element) || (element.localName === "body" && element.ownerDocument.designMode === "on");
      const content = isText ? ("value" in element ? element.value : element.textContent) : "";
      // It takes too long to look for all of it.
      if (content.length > 100000) return null;
      const text = joined(bare(content));
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
      node.childElementCount < 50 && childrenOf(node).some((child) => matches(child, "textarea, [role=textbox]") || (depth > 1 && hasField(child, depth - 1)));
    for (let node = element; node && node !== document.body; node = parentOf(node)) {
      if (node.isContentEditable || matches(node, written) || hasField(node, 2)) return true;
    }
    return false;
  }

  // Digits, or capitals and digits, in groups.
  const CODE = /(\d[\s-]?){4}|\b[A-Z0-9]{4,}\b|\b(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{4,}\b/;

  // Whether words are a key, a password or the words of a wallet, which a page shows once: by their form, by what they
  // call themselves, or by what stands before them. Where too little is told, the place is known by numbers.
  function isKey(element, words) {
    if (/(?=[^\s]*\d)(?=[^\s]*\p{L})[\p{L}\d_+/=.~-]{16,}/u.test(words) || /\p{Ll}\p{Lu}[\p{L}\d_-]*\p{Ll}\p{Lu}[\p{L}\d_-]{8,}/u.test(words)) return true;
    const [said] = words.split(/[:=]| (?:is|are|ist|sind|lautet|est|es|è|é|är|er) /u);
    const label = said === words || said.split(" ").length > 6 ? "" : said;
    return [label, before(element, 80)].some((text) => text && isNamed({ labels: [text] }));
  }

  // The words that distinguish an element. Empty if a person may have written them, or if they have the number of a card.
  function publicWords(element, typed) {
    const words = wordsOf(element);
    const text = (element.textContent ?? "").slice(0, 20000);
    if (!words || !typed || isWritten(element) || hasCardNumber(text)) return "";
    if (hasSecretText(text)) return "";
    // A page can show a code, also in an element of its own.
    if (!/\p{L}{3}/u.test(words) || (CODE.test(words) && isNamed({ labels: [words] }))) return "";
    if (isKey(element, words)) return "";
    const all = joined(bare(text));
    const own = bare(words).split(" ");
    const parts = own.length > 4 ? own.slice(3).map((_, index) => own.slice(index, index + 4).join("")) : [own.join("")];
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
      const children = childrenOf(node.parentNode);
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
    if (!element || !isShort(element.localName) || (isFew && !words)) return null;
    const path = [];
    const isRoot = (node) => words !== null && node.id && isShort(node.id) && document.getElementById(node.id) === node;
    let node = element;
    while (node && node !== document.body && !isRoot(node)) {
      const parent = node.parentNode;
      path.unshift(childrenOf(parent).indexOf(node));
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
      tag: element.localName,
      text: words || undefined,
      fraction: Math.max(-1000000, Math.min(1000000, fraction)),
    };
  }

  // Words leave only if the person has agreed: they can have got into the page in any way.
  //
  // If the page's elements cannot be asked, the place is known by numbers, and `faults` get the reason.
  function takePlace(hasWords, faults) {
    const view = mainView();
    const range = view.scrollHeight - view.clientHeight;
    const fraction = range > 0 ? Math.max(0, Math.min(10000, Math.round((view.scrollTop / range) * 10000))) : 0;
    if (view.scrollTop === 0) return { fraction };
    return { fraction, anchor: attempt(faults, null, () => takeAnchor(view, hasWords)) ?? undefined };
  }

  function takeAnchor(view, hasWords) {
    const typed = hasWords ? typedTexts(performance.now() + LIMITS.time) : null;
    const element = anchorElement(view, (element) => (hasWords ? publicWords(element, typed) : wordsOf(element)) !== "");
    return element && describe(element, view, hasWords ? publicWords(element, typed) : null);
  }

  function follow(path, from) {
    let element = from;
    for (const step of path) element = step < 0 ? element && shadowOf(element) : childrenOf(element)[step];
    return element ?? null;
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

    constructor(place, faults) {
      this.place = place;
      this.faults = faults;
    }

    // Looks for the place again, wherever it was looked for before.
    restart() {
      this.#misses = 0;
    }

    // Returns whether the place is found, and the page was there already.
    step() {
      return attempt(this.faults, null, () => this.#seek()) ?? this.#approach(this.place.fraction);
    }

    // The same by the element. Null if it is not there.
    #seek() {
      const { anchor } = this.place;
      const element = anchor ? find(this.place) : null;
      if (!element) return null;
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

  globalThis.batonPlace = { takePlace, Scroll };
})();
