// Runs in pages, but apart from their scripts: what a page does to its own objects does not change these.
//
// `batonPage.take()` returns where the person is in the page, and what they have typed if that is wanted.
// `batonPage.restore()` does the reverse. `batonPage.secrets` are the fields that were seen to contain passwords.
(() => {
  if (globalThis.batonPage) return;

  const KINDS = new Set(["text", "search", "email", "url", "tel"]);
  // In names, labels and hints of fields: what is not ordinary text.
  const SECRET = new RegExp(
    [
      "pass(?!enger|age|ive|ion)|pwd|secret|credential|kennwort|losung|contrase|senha|wachtwoord|has[lł]o|парол|密码|密碼|パスワード|비밀번호|mot.?de.?passe|parola|lösenord|salasana|adgangskode|şifre",
      "\\bpin\\b|pin.?(code|number)|\\btan\\b|\\botp|one.?time|einmal|2fa|mfa|two.?factor|totp|verif|auth.?(code|token)|token|security.?(code|answer|question)|sicherheits|captcha|验证码|認証コード|인증",
      "card.?(num|no|nr|holder|exp|code)|card\\b|cc.?(num|no|nr|csc|cvv|exp|name)|credit|debit|karten|carte|tarjeta|cart[aã]o|карт|卡号|カード|cvv|cvc|csc\\b|prüf(nummer|ziffer)|expir",
      "iban|\\bbic\\b|account.?num|routing|sort.?code|ssn|social.?sec|passport|tax.?id",
      "recovery|seed.?phrase|mnemonic|private.?key|api.?key|access.?key",
    ].join("|"),
    "iu",
  );
  const SECRET_COMPLETION = /password|one-time-code|^cc-|^webauthn$/i;
  const LIMITS = { fields: 200, elements: 20000, form: 900 * 1024, name: 200, snippet: 80, path: 64, time: 500 };

  const secrets = new WeakSet();
  const secretNames = new Set();
  const bytes = (text) => new TextEncoder().encode(text).length;
  const key = (field) => `${field.name}|${field.id}`;

  function noteSecret(field) {
    secrets.add(field);
    if (field.name || field.id) secretNames.add(key(field));
  }

  // A page can show a password by making its field an ordinary one. So every field that ever was a password's counts.
  function watch() {
    const note = (node) => {
      if (node.nodeType !== 1) return;
      if (node.localName === "input" && node.type === "password") noteSecret(node);
      for (const field of node.querySelectorAll?.("input[type=password i]") ?? []) noteSecret(field);
    };
    note(document.documentElement ?? document);
    new MutationObserver((changes) => {
      for (const change of changes) {
        if (change.type === "attributes") {
          if (/^\s*password\s*$/i.test(change.oldValue ?? "")) noteSecret(change.target);
          note(change.target);
        } else {
          change.addedNodes.forEach(note);
        }
      }
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeOldValue: true, attributeFilter: ["type"] });
  }

  const luhn = (digits) =>
    [...digits].reverse().reduce((sum, digit, index) => {
      const value = Number(digit) * (index % 2 ? 2 : 1);
      return sum + (value > 9 ? value - 9 : value);
    }, 0) % 10 === 0;

  // Whether a text looks like the number of a card.
  const isCardNumber = (text) =>
    (text.match(/\d(?:[ \u00a0.-]?\d){12,18}/g) ?? []).some((number) => luhn(number.replace(/\D/g, "")));

  const isOneLine = (field) => field.localName === "input";

  // The kind of a field that people type ordinary text into. Null for every other element.
  function kindOf(element) {
    if (element.localName === "textarea") return "textarea";
    if (isOneLine(element)) return KINDS.has(element.type) ? element.type : null;
    return element.isContentEditable && !element.parentElement?.isContentEditable ? "editable" : null;
  }

  function hints(field) {
    const referenced = (field.getAttribute("aria-labelledby") ?? "").split(/\s+/).map((id) => id && document.getElementById(id));
    const near = [...(field.labels ?? []), ...referenced].map((label) => label?.textContent?.slice(0, 200) ?? "");
    const own = ["name", "id", "placeholder", "aria-label", "title", "class", "data-testid"].map((name) => field.getAttribute(name) ?? "");
    // "cardNumber" and "card_number" are words.
    return [...own, ...near].map((text) => `${text} ${text.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ")}`).join("\n");
  }

  function isSecret(field) {
    if (secrets.has(field) || secretNames.has(key(field)) && (field.name || field.id)) return true;
    const completion = (field.getAttribute("autocomplete") ?? "").split(/\s+/);
    if (completion.some((token) => SECRET_COMPLETION.test(token))) return true;
    if (SECRET.test(hints(field))) return true;
    if (isOneLine(field)) {
      // Boxes for the digits of a code.
      if (field.maxLength === 1) return true;
      if (/^(numeric|decimal)$/i.test(field.inputMode) && field.maxLength > 0 && field.maxLength <= 8) return true;
    }
    const style = getComputedStyle(field);
    return (style.webkitTextSecurity ?? "none") !== "none" || /password|disc|dots/i.test(style.fontFamily);
  }

  function isUsable(field) {
    if (field.disabled || field.readOnly || field.getClientRects().length === 0) return false;
    return getComputedStyle(field).visibility === "visible";
  }

  // The fields of the page with their kind and what distinguishes them. Stops when the page is too large.
  function* fields(deadline) {
    const counts = new Map();
    let seen = 0;
    for (const element of document.querySelectorAll("input, textarea, [contenteditable]")) {
      if ((seen += 1) > LIMITS.elements || performance.now() > deadline) return;
      const kind = kindOf(element);
      if (!kind) continue;
      const name = element.getAttribute("name")?.slice(0, LIMITS.name) || undefined;
      const id = element.id.slice(0, LIMITS.name) || undefined;
      const index = counts.get(`${kind} ${name}`) ?? 0;
      counts.set(`${kind} ${name}`, index + 1);
      yield { element, kind, name, id, index };
    }
  }

  function takeForm(deadline) {
    const form = [];
    const passwords = new Set([...document.querySelectorAll("input[type=password i]")].slice(0, 100).map((field) => field.value));
    let room = LIMITS.form;
    for (const { element, kind, name, id, index } of fields(deadline)) {
      if (form.length >= LIMITS.fields) break;
      if (kind !== "editable" && element.textLength > room) continue;
      if (kind === "editable" && element.textContent.length > room) continue;
      const text = kind === "editable" ? element.innerText : element.value;
      if (!text.trim() || (kind !== "editable" && text === element.defaultValue)) continue;
      if (passwords.has(text) || isCardNumber(text) || !isUsable(element) || isSecret(element)) continue;
      const size = bytes(JSON.stringify(text)) + 200;
      if (size > room) continue;
      room -= size;
      form.push({ kind, name, id, index, text });
    }
    return form;
  }

  const scrolls = (element) => /auto|scroll|overlay/.test(getComputedStyle(element).overflowY) && element.scrollHeight > element.clientHeight + 1;

  // The element that the person scrolls: the page, or the part in the middle of the window.
  function scroller(from) {
    const root = document.scrollingElement ?? document.documentElement;
    if (!from && root.scrollHeight > innerHeight + 1) return root;
    for (let element = from ?? document.elementFromPoint(innerWidth / 2, innerHeight / 2); element; element = element.parentElement) {
      if (element !== root && element !== document.body && scrolls(element)) return element;
    }
    return root;
  }

  const topOf = (view) => (view === document.scrollingElement || view === document.documentElement ? 0 : view.getBoundingClientRect().top);
  // What distinguishes an element. What a person has typed does not, and stays in the page, like the numbers of cards.
  function words(element) {
    const isEdited = element.isContentEditable || element.querySelector?.("[contenteditable], textarea");
    const text = isEdited ? "" : (element.textContent ?? "").slice(0, 2000);
    return isCardNumber(text) ? "" : text.replace(/\s+/g, " ").trim().slice(0, LIMITS.snippet);
  }

  // A bar that stays where it is says nothing about the place.
  function isFixed(element) {
    for (let node = element; node && node !== document.body; node = node.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(node).position)) return true;
    }
    return false;
  }

  function anchorElement(view) {
    const top = Math.max(topOf(view), 0);
    const box = view === document.scrollingElement ? { left: 0, width: innerWidth } : view.getBoundingClientRect();
    let fallback = null;
    for (const y of [4, 24, 60, 110, 180]) {
      for (const x of [0.5, 0.3, 0.15, 0.75]) {
        const stack = document.elementsFromPoint(box.left + box.width * x, top + y).slice(0, 20);
        const element = stack.find((candidate) => view.contains(candidate) && candidate !== view && candidate !== document.body && !isFixed(candidate));
        if (!element) continue;
        const height = element.getBoundingClientRect().height;
        if (words(element) && height > 0 && height < 2 * innerHeight) return element;
        fallback ??= element;
      }
    }
    return fallback;
  }

  function describe(element, view) {
    const path = [];
    let node = element;
    while (node && node !== document.body && !(node.id && node.id.length <= LIMITS.name && document.getElementById(node.id) === node)) {
      path.unshift([...(node.parentElement?.children ?? [])].indexOf(node));
      node = node.parentElement;
      if (path.length > LIMITS.path) return null;
    }
    const box = element.getBoundingClientRect();
    const fraction = Math.round(((topOf(view) - box.top) / Math.max(box.height, 1)) * 10000);
    return {
      id: node?.id ? node.id : undefined,
      path,
      tag: element.localName.slice(0, LIMITS.name),
      text: words(element) || undefined,
      fraction: Math.max(-1000000, Math.min(1000000, fraction)),
    };
  }

  function takePlace() {
    const view = scroller();
    const range = view.scrollHeight - view.clientHeight;
    const fraction = range > 0 ? Math.max(0, Math.min(10000, Math.round((view.scrollTop / range) * 10000))) : 0;
    const element = fraction > 0 ? anchorElement(view) : null;
    return { fraction, anchor: (element && describe(element, view)) ?? undefined };
  }

  function take(hasText) {
    const deadline = performance.now() + LIMITS.time;
    return { url: location.href, place: takePlace(), form: hasText ? takeForm(deadline) : [] };
  }

  function follow(path, from) {
    let element = from;
    for (const step of path ?? []) element = element?.children[step];
    return element ?? null;
  }

  function find(anchor) {
    const isIt = (element) => element?.localName === anchor.tag && (!anchor.text || words(element) === anchor.text);
    const element = follow(anchor.path, anchor.id ? document.getElementById(anchor.id) : document.body);
    if (isIt(element)) return element;
    if (!anchor.text) return element?.localName === anchor.tag ? element : null;
    // The page looks different here: what counts is the text.
    const all = document.getElementsByTagName(anchor.tag);
    const deadline = performance.now() + LIMITS.time;
    for (let index = 0; index < Math.min(all.length, LIMITS.elements) && performance.now() < deadline; index += 1) {
      if (isIt(all[index])) return all[index];
    }
    return null;
  }

  // Returns what was scrolled.
  function scrollTo(place) {
    const element = place.anchor ? find(place.anchor) : null;
    const view = scroller(element ?? undefined);
    if (element) {
      const box = element.getBoundingClientRect();
      view.scrollBy({ top: box.top - topOf(view) + (place.anchor.fraction / 10000) * box.height, behavior: "instant" });
    } else {
      view.scrollTo({ top: (place.fraction / 10000) * (view.scrollHeight - view.clientHeight), behavior: "instant" });
    }
    return view;
  }

  function fill(field, kind, text) {
    field.focus({ preventScroll: true });
    if (kind === "editable") {
      field.textContent = text;
    } else {
      // The setter of the page's framework, if it has one, would take this for its own change.
      const prototype = kind === "textarea" ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
      Object.getOwnPropertyDescriptor(prototype, "value").set.call(field, text);
    }
    field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: null }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  const isEmpty = (field, kind) => (kind === "editable" ? !field.textContent.trim() : field.value === field.defaultValue);

  // Fills what is there and removes it from the list.
  function restoreForm(form) {
    const all = [...fields(performance.now() + LIMITS.time)];
    for (const wanted of [...form]) {
      const same = all.filter(({ kind, name }) => kind === wanted.kind && (name ?? null) === (wanted.name ?? null));
      const found = (wanted.id && same.find(({ id }) => id === wanted.id)) || same.find(({ index, id }) => index === wanted.index && !(wanted.id && id));
      if (!found) continue;
      form.splice(form.indexOf(wanted), 1);
      const { element, kind } = found;
      if (isUsable(element) && !isSecret(element) && isEmpty(element, kind)) fill(element, kind, wanted.text);
    }
  }

  // Pages change while they load. So this is repeated for some seconds, until the person does something.
  function restore(url, state) {
    const wanted = new URL(url);
    const isSame = location.origin === wanted.origin || (location.hostname === wanted.hostname && location.protocol === "https:" && !wanted.port && !location.port);
    if (!isSame) return false;
    const form = [...(state.form ?? [])];
    const stop = new AbortController();
    const end = () => stop.abort();
    for (const name of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(name, end, { once: true, capture: true, passive: true, signal: stop.signal });
    const active = document.activeElement;
    let scrolled = null;
    const step = () => {
      if (stop.signal.aborted) return;
      if (form.length > 0) {
        restoreForm(form);
        if (active instanceof HTMLElement && active !== document.body) active.focus({ preventScroll: true });
        else document.activeElement?.blur?.();
      }
      // Whoever has scrolled in the meantime, the person or the page, knows better.
      if (!state.place || (scrolled && Math.abs(scrolled.view.scrollTop - scrolled.top) > 2)) return;
      const view = scrollTo(state.place);
      scrolled = { view, top: view.scrollTop };
    };
    step();
    for (const delay of [100, 300, 700, 1500, 3000]) setTimeout(step, delay);
    setTimeout(end, 3100);
    return true;
  }

  globalThis.batonPage = { take, restore };
  watch();
})();
