// SPDX-License-Identifier: Apache-2.0

// Runs in pages, before fields.js. Guesses from words (words.js) and numbers what is a password, a code or a card.
//
// What a field and its label say is read in whole words: "Compass" is no pass, and "Passau" none either. Only words that
// nothing ordinary contains count inside of others, as in "userpassword".
(() => {
  if (globalThis.batonSecrets) return;

  // The parts of a table, which are texts, or lists or tables of texts.
  const texts = (table) => (typeof table === "string" ? [table] : Object.values(table).flatMap(texts));
  const anywhere = (...tables) => tables.flatMap(texts).join("|");
  // Each word is between two spaces (see `words`).
  const whole = (...tables) => ` (${anywhere(...tables)})(?= )`;
  const only = (table) => `^ (the |your |my |enter )?(${anywhere(table)})( \\p{N}+)* $`;
  const r = String.raw;
  // Greek capitals have no accents.
  const withoutAccents = (text) => text.normalize("NFD").replace(/(?<=\p{Script=Greek})[\u0300\u0301\u0342]/gu, "").normalize("NFC");
  const pattern = (...parts) => new RegExp(withoutAccents(parts.join("|").normalize("NFKC")), "u");
  // A text as the patterns have it: without the points of Hebrew and Arabic and what only makes a word longer there, and
  // with an `i` for that of Turkish capitals.
  const plain = (text) => withoutAccents(text.normalize("NFKC")).replace(/[\u0591-\u05c7\u0640\u064b-\u0652\u0670]/g, "").replaceAll("\u0130", "I");
  // Places where a word can be broken are in words, as in "Kenn&shy;wort", and in some scripts between them.
  const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
  const readings = (text) => [...new Set(["", " "].map((sign) => text.replace(UNSEEN, sign)))];
  // A text in small letters, with one space around each word. "cardNumber", "card_number" and "card1" are two words each.
  const words = (text) =>
    ` ${plain(text)
      .replace(/(\p{Ll})(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})|(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, "$1$3$4$5 $2")
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
      .trim()} `;

  const table = globalThis.batonWords;
  const STEMS = pattern(anywhere(table.anywhere));
  const WORDS = pattern(whole(table.words));
  const IDENTITIES = pattern(whole(table.identities), anywhere(table.identitiesAnywhere));
  const IDENTITY_ALONE = pattern(only(table.identitiesAlone));
  const CODES = pattern(whole(table.codes), ` \\p{L}*(${anywhere(table.kindsOfCodes)})[ck]oo?d[ei]?(?= )`, anywhere(table.codesAnywhere));
  const ORDINARY = new RegExp(pattern(` (${anywhere(table.publicCodes)}) ?codes?(?= )`, whole(table.ordinary), anywhere(table.ordinaryAnywhere)), "gu");
  const ALONE = pattern(only(table.alone));
  const NUMBERS = pattern(whole(table.numbers));
  const YEARS = pattern(whole(table.years), anywhere(table.yearsAnywhere));

  // Whether a field is for a secret, by its own names, its labels, and the texts beside it that are none of these.
  function isNamed({ names = [], labels = [], others = [], isOneLine = true }) {
    if ([...names, ...labels, ...others].flatMap(readings).some((text) => STEMS.test(plain(text).toLowerCase()))) return true;
    return [...names, ...labels].flatMap(readings).some((text) => {
      const said = words(text).replaceAll(ORDINARY, " ·");
      if (WORDS.test(said) || ALONE.test(said)) return true;
      // In a field of several lines, people write about passports and taxes, unless that is all that is said.
      if (!isOneLine) return said.trim().split(" ").length <= 4 && (IDENTITIES.test(said) || IDENTITY_ALONE.test(said));
      return [CODES, IDENTITIES, IDENTITY_ALONE].some((pattern) => pattern.test(said));
    });
  }

  const isNumber = (said) => said.some((text) => NUMBERS.test(words(text)));
  const isYear = (said, value) => /^\s*(1[89]|2[01])\d\d\s*$/.test(value) && said.some((text) => YEARS.test(words(text)));

  // Words by which a sentence warns, orders, tells or asks something, by language.
  const SENTENCES = {
    warnings: {
      en: r`never|not|don ?t|no(?= \p{L})|without|forg[oe]t(ten)?`,
      de: r`nie(mals)?|nicht|kein\p{L}*|ohne|vergessen`,
      fr: r`ne|pas|jamais|sans|oubli[ée]`,
      es: r`nunca|jam[áa]s|sin|olvid\p{L}*`,
      it: r`non|mai|senza`,
      pt: r`n[ãa]o|sem`,
      nl: r`nooit|geen|niet|zonder`,
      da: r`aldrig|ikke`,
      sv: r`inte`,
      cs: r`bez`,
      ru: r`не|никогда|без`,
    },
    orders: {
      en: r`enter|type|paste|insert|provide|input|write|confirm|use|copy|your`,
      de: r`geben|gib`,
      es: r`introdu\p{L}*|ingres\p{L}*|escrib\p{L}*`,
      fr: r`saisi\p{L}*|entrez`,
      it: r`inseri\p{L}*|digit\p{L}*`,
      nl: r`voer`,
      sv: r`ange|skriv`,
      pl: r`wpisz|podaj`,
      ru: r`введите`,
    },
    tells: {
      en: r`is|are|was|were|will`,
      de: r`ist|sind|werden`,
      fr: r`est|sont`,
      es: r`es|son`,
      it: r`sono|[ée]`,
      pt: r`são`,
      nl: r`zijn`,
      sv: r`är`,
      da: r`er`,
      pl: r`są|jest`,
    },
    asks: {
      en: r`what|which|whose|my|your`,
      de: r`was|welche\p{L}*|mein\p{L}*|dein\p{L}*|ihr\p{L}*`,
      fr: r`quel\p{L}*|votre|ton`,
      es: r`cu[áa]l|tu|su`,
      it: r`qual\p{L}*|tua?|sua?`,
      nl: r`wat|welk\p{L}*|jouw?|uw`,
    },
  };

  // What a text before a field of several lines calls it. What warns or tells something calls it nothing.
  const WARNINGS = pattern(whole(SENTENCES.warnings));
  const ORDERS = pattern(`^ (please |now |then |first |or |bitte |por favor )*(${anywhere(SENTENCES.orders)})(?= )`);
  // "Passwords are safe with us here." It is about nobody's own, and asks for none.
  const TELLS = pattern(whole(SENTENCES.tells));
  const ASKS = pattern(whole(SENTENCES.asks));
  const namesIn = (text) =>
    (text.match(/[^.!?。！？:;–—(]+[.!?。！？]*/gu) ?? []).flatMap((part) => {
      // "Non-custodial" and "no-expiry" warn of nothing. What follows a warning can be what is wanted.
      const said = words(part.replace(/(?<!\p{L})(non|never|no)-(?=\p{L})/giu, ""));
      const isTold = /[.!?。！？]\s*$/u.test(part) && said.trim().split(" ").length > 4 && TELLS.test(said) && !ASKS.test(said);
      if (isTold) return [];
      const warning = WARNINGS.exec(said)?.index ?? said.length;
      // "Paste no more than one private key"
      if (ORDERS.test(said) && said.slice(0, warning).trim().split(" ").length < 2) return [said];
      const orders = part.split(/,|\s[-–—]\s/u).slice(1).map(words).filter((clause) => ORDERS.test(clause));
      // What stands before a warning is what it warns about: "Secret key - do not share", "Seed phrase, no commas".
      return [said.slice(0, warning), ...orders];
    }).map((name) => name.trim()).filter(Boolean).join(". ");

  const luhn = (digits) =>
    [...digits].reverse().reduce((sum, digit, index) => {
      const value = Number(digit) * (index % 2 ? 2 : 1);
      return sum + (value > 9 ? value - 9 : value);
    }, 0) % 10 === 0;

  // What issuers of cards have given: how the numbers begin, and how long they are (ISO/IEC 7812, and the issuers' own lists).
  const ISSUED = [
    [/^4/, [16, 19]], [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]], [/^3[47]/, [15]],
    [/^(6011|64[4-9]|65|62|81|60|508)/, [16, 17, 18, 19]], [/^(30[0-5]|3095|36|3[89])/, [14, 16, 17, 18, 19]], [/^35(2[89]|[3-8])/, [16, 17, 18, 19]],
    [/^(50[0-9]|5[6-8]|6[0137])/, [16, 18, 19]], [/^220[0-4]/, [16, 17, 18, 19]], [/^(9792|5019|6304|6759|676[1-3])/, [16, 18, 19]],
  ];
  // The most common ones. Others are not looked for among more digits, as in the number of an order.
  const COMMON = /^(4|5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|3[47])/;
  const isIssued = (digits) => ISSUED.some(([begin, lengths]) => begin.test(digits) && lengths.includes(digits.length)) && luhn(digits);

  // How cards show their numbers, besides in groups of the same size.
  const PRINTED = new Set(["4 6 5", "4 6 4", "4 4 4 4 1", "4 4 4 4 2", "4 4 4 4 3", "6 13", "6 10", "8 8"]);

  function isPrinted(groups, begin, end) {
    const lengths = groups.slice(begin, end + 1).map(({ length }) => length);
    if (PRINTED.has(lengths.join(" "))) return true;
    const [first] = lengths;
    const last = lengths.pop();
    if (last > first || lengths.some((length) => length !== first)) return false;
    // Of numbers in pairs, such as those of telephones, one part is like the next.
    return first >= 4 || (groups[begin - 1]?.length !== first && groups[end + 1]?.length !== first);
  }

  // A text with the digits of all scripts as those of ASCII. Each script has its ten in a row.
  const inDigits = (text) =>
    text.normalize("NFKC").replace(/(?!\d)\p{Nd}/gu, (digit) => {
      let zero = digit.codePointAt(0);
      while (digit.codePointAt(0) - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
      return digit.codePointAt(0) - zero;
    });

  // Whether a text has the number of a card: in one piece, before or after other digits, or in groups as they are printed.
  function hasCardNumber(text) {
    const plain = inDigits(text).replace(/\p{Default_Ignorable_Code_Point}/gu, "");
    // A field with nothing else may have it in any groups, and with any signs between them.
    if (/^[^\p{L}\p{N}]*\d([^\p{L}\p{N}]*\d){13,18}[^\p{L}\p{N}]*$/u.test(plain) && isIssued(plain.replace(/\D/g, ""))) return true;
    // Cards with 13 digits are from another time, but in a text so long are numbers of goods.
    if (/^4\d{12}$/.test(plain.replace(/[\s.-]/g, "")) && luhn(plain.replace(/\D/g, ""))) return true;
    for (const [sequence] of plain.matchAll(/\d+(?:[\s._/,:|*'’•·∙・\p{Pd}]{1,4}\d+)*/gu)) {
      const groups = sequence.match(/\d+/g);
      for (const run of groups.filter(({ length }) => length > 13)) {
        if (isIssued(run) || [run.slice(0, 15), run.slice(0, 16), run.slice(-16), run.slice(-15)].some((part) => COMMON.test(part) && isIssued(part))) return true;
      }
      for (let begin = 0; begin < groups.length; begin += 1) {
        let digits = groups[begin];
        for (let end = begin + 1; end < groups.length && digits.length + groups[end].length <= 19; end += 1) {
          digits += groups[end];
          if (digits.length >= 14 && isPrinted(groups, begin, end) && isIssued(digits)) return true;
        }
      }
    }
    return false;
  }

  globalThis.batonSecrets = { isNamed, isNumber, isYear, namesIn, inDigits, hasCardNumber };
})();
