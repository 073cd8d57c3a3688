// Runs in pages, before page.js. Guesses from words and numbers what is a password, a code or a card.
//
// What a field and its label say is read in whole words: "Compass" is no pass, and "Passau" none either. Only words that
// nothing ordinary contains count inside of others, as in "userpassword".
(() => {
  if (globalThis.batonSecrets) return;

  const pattern = (parts) => new RegExp(parts.join("|").normalize("NFKC"), "u");
  // A text in small letters, with one space around each word. "cardNumber", "card_number" and "card1" are two words each.
  const words = (text) =>
    ` ${text
      .normalize("NFKC")
      .replace(/(\p{Ll})(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})|(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, "$1$3$4$5 $2")
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
      .trim()} `;

  // These mean a secret wherever they are.
  const STEMS = pattern([
    "pass[_-]?word|pass[_-]?wort|passwr?d|pwd|psw?rd|passord(?!n|er)|mot.?passe|wagwoord|contrasinal|parolă|пас+ворд|pass[_-]?phrase|pass[_-]?code|kennwort|losungswort|contrase[nñ]|wachtwoord|l[öo]senord|salasana|adgangskode|şifre|mot.?de.?passe|парол|密码|密碼|パスワード|비밀번호|비번|암호",
    "รหัสผ่าน|كلمة.?(ال)?(مرور|سر)|كلمه.?(ال)?(مرور|سر)|رمز.?(ال)?(عبور|مرور)|סיסמ|ססמ|συνθηματικ|mật.?khẩu|kata.?(sandi|laluan)|slaptaž|lozink|zapork|kodeord|lykilor|գաղտն|պարոլ|पासवर्ड|कूटशब्द|পাসওয়ার্ড|கடவுச்சொல்|நுழைவுச்சொல்|పాస్.?వర్డ్|പാസ്.?വേ[ർഡ]|ಪಾಸ್.?ವರ್ಡ್|પાસવર્ડ|ਪਾਸਵਰਡ|මුරපද|የይለፍ|စကားဝှက်|ពាក្យសម្ងាត់|ລະຫັດຜ່ານ|ओटीपी|सीवीवी|সিভিভি|الرقم.?السري|лозинк|құпия|fjal[ëe]kalim|pasahitz|salas[õo]na|პაროლ|jelsz|暗証|口令|パスコード|合言葉|보안.?(코드|번호)|確認番号",
    "[认認驗验確确校动動][證证認认态態]?[碼码]|验证码|安全码|支付码|認証コード|確認コード|セキュリティコード|인증|credential|(?<!re)captcha|totp|one.?time.?(pass|code|pin)|two.?factor|authenticator",
    "credit.?card|debit.?card|kreditkarte|kartennummer|kartennr|card.?num|card.?holder|cardno|ccnum|cvv|cvc|cryptogramme|卡号|卡號|卡片号码|カード(番号|名義)|クレジットカード|카드.?번호|유효.?기간|(银行|信用)卡|有效期|有効期限|رقم.?البطاقة|شماره.?کارت|מספר.?כרטיס|कार्ड.?नंबर|หมายเลขบัตร|tarjet[ae]|prüf(nummer|ziffer)",
  ]);

  // Whole words of a field's name or label.
  const WORDS = pattern([
    "pass|passe|passw|psw|upw|(user|login|my|new|old)pw|pword|mdp|мина|løsen|geheimzahl|tunnusluku|turvaluku|kontrolcifre|sifre ?[0-9]*|пин|pswd|pwd|pw|(user|login|logon|db|root|admin|my|new|old|current|account|mail|email|ftp|smtp|wifi|wlan|auth|confirm|repeat)pass|secrets?|losung|parol|parool|senha|hasł[oa]|haslo|heslo|гасло|geslo|(?<! palabras? )clave|lösen",
    "m?pin|puk|otp|hotp|m?tan|2 ?fa|mfa|one time|(2|two) step|einmal\\p{L}*|authentication|verification|verify code|verificaci[oó]n|verifizierung\\p{L}*|verif\\p{L}* (number|pin)|(access|auth|bearer|csrf|refresh|id|otp|session|login)?token|sicherheits(?!hinweis|bedenk|schuh|abstand|gurt)\\p{L}*|auth (code|token)|memorable (word|name|information|data|place|phrase)|memorable(?= $)|(mothers? s? ?|mothers?)?maiden( ?name)?(?= $| of)|mnemonic",
    "(security|secret|recovery) ?(question|answer|number|phrase|word|key)|pass ?key|(wifi|wi fi|wlan|network|wep|wpa|pre shared|license|master) ?key|wpa ?psk|psk|секретное слово|кодовое слово|second factor|(wallet )?seed|seed phrase|(private|api|access|secret|recovery|encryption) ?key|apikey|privatekey|tajn\\p{L}*|zugangs\\p{L}*",
    "iban|bic|(account|acct) ?(num\\p{L}*|no|nr)|routing ?(no|num\\p{L}*)?(?= $)|kontonummer|konto ?nr|rekeningnummer|num[ée]ro de compte|n[uú]mero de cuenta|sort ?code",
    "(credit|debit|bank|payment|charge|prepaid|visa) ?(cards?|no|num\\p{L}*|nr)|gift ?card(?= $)|cards? ?(no|nr|owner|exp\\p{L}*|code|csc|pin|security|details|verification)|(name|number|code|digits) (on|of|from) (the |your |a )?card|cc ?(num\\p{L}*|no|nr|csc|exp|name)|csc|cvn|cid",
    "(kort|kaart)(nummer|numer)|korttinumero|kártyaszám|numer karty|číslo (karty|kreditní karty)|num[aă]r(ul)? (de )?card(ului)?|numero (della |di )?carta|kart numaras[ıi]|номер (на )?карт(а|ки)|αριθμός κάρτας|số thẻ|no?mor kartu|nombor kad|karten ?(nr|inhaber\\p{L}*|prüf\\p{L}*)|(bank|ec|giro|debit)karte\\p{L}*|(num[ée]ro|n o?|titulaire|code|nom) (sur |de )?(la |votre )?carte|carte (bancaire|bleue|de (cr[ée]dit|paiement|d[ée]bit))|cart[aã]o|(номер|срок|держател\\p{L}*) (банковской )?карт\\p{L}*|банковск\\p{L}* карт\\p{L}*",
    "expir(y|es|ation|ed|e)( ?date)?|exp|ablaufdatum|vervaldatum|utgångsdatum|utløpsdato|udløbsdato|date de validité|data (wa[zż]ności|expir[aă]rii)|срок действия|термін дії|ημερομηνία λήξης|son kullanma tarihi|ngày hết hạn|(valid|good) (thru|through)|platnost( do)?|lejárat|masa berlaku|tarikh luput|exp ?(date|month|year|mo|yr)|valid (thru|until)|gültig bis|caduc\\p{L}*|vencim\\p{L}*|validade|scadenza|(?<! (dd|d|tt|jj) )mm (yy|jj|aa)(yy|jj|aa)?",
  ].map((part) => ` (${part})(?= )`));

  // Numbers by which states and insurances know people.
  const IDENTITIES = pattern([
    "ssn|s s n|soc sec( no)?|pps ?(no|number)|ppsn|nric( fin)?|hkid|cnic|(emirates|citizen|voter|medicaid) id|iqama|utr|tfn|(government|gov|state) (issued )?id|(health |medical )?insurance (card|id|no|nr|num\\p{L}*)|(personal )?identification (no|num\\p{L}*)|personal (number|id)|alien registration|social ?(sec|ins)\\p{L}*|tax ?(id\\p{L}*|payer\\p{L}*|no|nr|num\\p{L}*|file)|itin|(ni|pan|sin|ein|tin) (card|number|no|nr|num)|(nhs|nip|nik|id) ?(card|number|no|nr|num)|national ?(id\\p{L}*|insurance)|identity ?(card|document|no|num\\p{L}*)|aadhaa?r|passport(?! (photo|office|colou?r))\\p{L}*|medicare|driv\\p{L}*( s)? ?licen[cs]e",
    "steuer ?(id\\p{L}*|nummer|nr)|steuerliche id\\p{L}*|(sozial|renten|kranken)?versicher\\p{L}* ?(nummer|nr)|(persönliche )?identifikations ?(nummer|nr)|sv ?(nr|nummer)|(ahv|avs) ?(nr|nummer)?|(personal)?ausweis(nummer|nr|id)?|reisepass\\p{L}*|pass ?(nummer|nr)|führerschein\\p{L}*",
    "s[ée]curit[ée] sociale|(num[ée]ro|n( o)?|no) (de |d )?(s[ée]cu|fiscal|national|assurance sociale|avs|insee)\\p{L}*|carte vitale|carte (nationale )?d identit[ée]|passeport|nir|registre national|rijksregister\\p{L}*|burgerservice\\p{L}*|bsn|sofi ?nummer|paspoort\\p{L}*|identiteits\\p{L}*",
    "nif|(dni|cif) (nie|nif|cif|o|e|y)|(tu|su|el|n[uú]mero( de)?|num|n o|n|no)( de)? (dni|nie|cif|rut|rfc|nit|identidad)|(dni|rut) (del?|n[uú]mero|o)|rfc con homoclave|documento (nacional )?(de )?identi\\p{L}*|c[eé]dula( de (identi|ciudada)\\p{L}*)?(?= $)|pasaporte|curp|cuit|cuil|clabe|cbu|seguridad social|nuss",
    "cpf|cnpj|niss|cnh|(cart[aã]o|bilhete|carteira) (de |do )?(cidad[aã]o|identi\\p{L}*)|contribuinte|passaporte|t[ií]tulo de eleitor|codice fiscale|cod ?fisc\\p{L}*|partita iva|carta d identit[àa]|tessera sanitaria|passaporto|(codice|parola|frase|numero) segret\\p{L}*",
    "person ?(nummer|nr)|samordningsnummer|f[øo]dsels ?(nummer|nr)|cpr( ?(nr|nummer))|kennitala|henkil[öo]tunnus|hetu|isikukood|asmens kodas|personas kods|pesel|(numer|nr) (nip|dowodu|paszportu|ubezpieczenia)|dow[oó]d osobisty|paszport\\p{L}*",
    "rodn[eé] č[ií]slo|č[ií]slo občansk\\p{L}*|občansk\\p{L}* pr[ue]+kaz\\p{L}*|ad[óo]azonos[íi]t[óo]\\p{L}*|ad[óo]sz[áa]m|taj ?sz[áa]m|szem[ée]lyi ?(ig|sz[áa]m)\\p{L}*|útlevél\\p{L}*|cnp|cod(ul)? numeric personal|(carte|buletin) de identitate|pa[sșş]aport\\p{L}*|oib|jmbg|em[šs]o|(osobna|lična) (iskaznica|karta)|davčna( številka)?",
    "снилс|инн|иин|жсн|єдрпоу|α φ μ|α μ κ α|αδτ|егн|рнокпп|іпн|паспорт\\p{L}*|лична карта|αφμ|αμκα|ταυτ[όο]τητα\\p{L}*|διαβατηρ\\p{L}*|(t ?c )?kimlik (no|numara\\p{L}*)|t ?c (kimlik|no)|tckn|vergi (no|numara\\p{L}*)|cccd|cmnd|căn cước|hộ chiếu|mã số thuế|ktp|npwp|paspor|mykad|kad pengenalan",
    "(ال)?هوية( (ال)?وطنية)?|(رقم )?(ال)?جواز( (ال)?سفر)?|کد ملی|شماره (ملی|گذرنامه|شناسنامه)|תעודת זהות|מספר זהות|דרכון|आधार|पैन",
  ].map((part) => ` (${part})(?= )`).concat("(公民)?身份[证證号號]|[证證]件号[码碼]?|證件號碼?|驾驶证号|駕駛[证證]號|運転免許証|保険証番号|年金番号|운전면허|외국인등록|เลข(ที่)?บัตร|身份[证證]|身分證|护照|護照|社保号|マイナンバー|個人番号|旅券|パスポート|주민(등록)?번호|여권|ประจำตัวประชาชน|บัตรประชาชน|หนังสือเดินทาง"));
  // Those that are ordinary words in other languages: `dni` are days in Polish. They count if nothing else is said.
  const IDENTITY_ALONE = /^ (the |your |my |enter )?(dni|nie|nit|rut|run|rfc|cif|pan|sin|tin|ein|nip|nik|nino|rg|cpr)( \p{N}+)* $/u;

  // Whole words that mean a secret in a field of one line, in which nobody writes a program.
  const CODES = pattern([" ([sv] ?code|(doğrulama|onay|güvenlik|giriş|sms) kodu|cod (de|pin|sms|otp)|cod[eo]s?|c[oó]digos?|codice|k[oó]de?|код|κωδικ\\p{L}*|קוד|کد|رمز|كود|mã|コード|코드)(?= )", " \\p{L}*(beveiligings|toegangs|verificatie|sms|otp|mfa|tfa|2fa|pin|auth|login|signin|security|sec|secure|recovery|access|verify|verification|unlock|activation|backup|confirm(?:ation)?|google|reset|kertakäyttö|^v|bestätigungs|sicherheits|säkerhets|sikkerh[ed]+[ts]s?|kontroll?|verifi\\p{L}*|freischalt|zugangs|aktivierungs|anmelde|einmal|engångs|engangs|bekræftelses|bekreftelses|turva|vahvistus)[ck]oo?d[ei]?(?= )", "รหัส"]);
  // Codes that are no secrets.
  const PUBLIC = "referral|post(al)?|zip|country|area|region|state|province|city|language|lang|locale|currency|promo(tion(al)?)?|discount|coupon|product|item|article|part|material|source|colou?r|hex|qr|bar|dress|error|status|http|response|class|course|subject|flight|airport|airline|station|booking|project|department|cost|building|street|morse|order|tracking|model|почтовый";
  const ORDINARY = new RegExp(pattern([
    ` (${PUBLIC}) ?codes?(?= )`,
    " (bus|ski|season|boarding|day|mountain|press|travel|city|rail|parking|museum|annual|backstage|fire|guest) ?pass(es)?(?= )", " (max|min|how many|number of) tokens?(?= )",
    " code (postal|promo|source|couleur|pays|produit|article|of|review|snippet|editor|block|language|style)(?= )",
    " (c[oó]digo|codice|kod|k[oó]d|cod) (postal|postale|promocional|de producto|de país|prodotto|articolo|sconto|pocztowy|produktu|po[sš]tal\\p{L}*)(?= )",
    " код (города|страны|товара|региона)(?= )", " קוד (מוצר|מדינה)(?= )", " (رمز|الرمز) (ال)?بريدي?(?= )", " mã (bưu điện|sản phẩm|giảm giá)(?= )",
    "รหัสไปรษณีย์|รหัสสินค้า", "商品コード|郵便コード|バーコード|ソースコード|우편 ?코드|상품 ?코드",
  ]), "gu");
  // Words that mean a secret only if nothing else is said.
  const ALONE = /^ (the |your |my |enter )?(card|cards|credit|debit|karte|carte|карта|カード|卡|parola|parole)( \p{N}+)* $/u;

  // Numbers of a few digits that are no codes.
  const NUMBERS = / (zip|plz|postleitzahl|postal|postcode|post ?code|c[oó]digo postal|code postal|quantity|qty|menge|anzahl|age|alter|phone|tel|telefon|telephone|t[eé]l[eé]phone|mobile|fax|house|hausnummer|price|preis|prix|amount|betrag|guests|adults|seats?|mileage|isbn|pages?|distance|height|score|floor|percent\p{L}*|km|miles|children|rooms|size|weight)(?= )/u;

  // Whether a field is for a secret, by its own names, its labels, and the texts beside it that are none of these.
  function isNamed({ names = [], labels = [], others = [], isOneLine = true }) {
    if ([...names, ...labels, ...others].some((text) => STEMS.test(text.normalize("NFKC").toLowerCase()))) return true;
    return [...names, ...labels].some((text) => {
      const said = words(text).replaceAll(ORDINARY, " ·");
      if (WORDS.test(said) || ALONE.test(said)) return true;
      // In a field of several lines, people write about passports and taxes, unless that is all that is said.
      if (!isOneLine) return said.trim().split(" ").length <= 4 && (IDENTITIES.test(said) || IDENTITY_ALONE.test(said));
      return [CODES, IDENTITIES, IDENTITY_ALONE].some((pattern) => pattern.test(said));
    });
  }

  const isNumber = (texts) => texts.some((text) => NUMBERS.test(words(text)));

  const YEARS = / (year|\p{L}*jahr(gang)?|ann[ée]e|a[ñn]o|anno|jaar|år|rok|rocznik|leto|godina|рік|год|година|έτος|vuosi|aasta|év|yıl|tahun|năm|(?<=^ )an(?= $))(?= )|年|연도|ปี/u;
  const isYear = (texts, value) => /^\s*(1[89]|2[01])\d\d\s*$/.test(value) && texts.some((text) => YEARS.test(words(text)));

  // What a text before a field of several lines calls it. What warns or tells something calls it nothing.
  const WARNINGS = / (never|not|don ?t|no(?= \p{L})|without|forg[oe]t(ten)?|nie(mals)?|nicht|kein\p{L}*|ohne|vergessen|ne|pas|jamais|sans|oubli[ée]|nunca|jam[áa]s|sin|olvid\p{L}*|non|mai|senza|n[ãa]o|sem|nooit|geen|niet|zonder|aldrig|inte|ikke|bez|не|никогда|без)(?= )/u;
  const ORDERS = /^ (please |now |then |first |or |bitte |por favor )*(enter|type|paste|insert|provide|input|write|confirm|use|copy|your|geben|gib|introdu\p{L}*|ingres\p{L}*|escrib\p{L}*|saisi\p{L}*|entrez|inseri\p{L}*|digit\p{L}*|voer|ange|skriv|wpisz|podaj|введите)(?= )/u;
  // "Passwords are safe with us here." It is about nobody's own, and asks for none.
  const TELLS = / (is|are|was|were|will|ist|sind|werden|est|sont|es|son|sono|[ée]|são|zijn|är|er|są|jest)(?= )/u;
  const ASKS = / (what|which|whose|my|your|was|welche\p{L}*|mein\p{L}*|dein\p{L}*|ihr\p{L}*|quel\p{L}*|votre|ton|cu[áa]l|tu|su|qual\p{L}*|tua?|sua?|wat|welk\p{L}*|jouw?|uw)(?= )/u;
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
    for (const [sequence] of plain.matchAll(/\d+(?:[\s._/\p{Pd}]{1,3}\d+)*/gu)) {
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
