"""Fields of pages whose text must stay, and such whose text leaves, by what stands around them."""
# Labs: pair
import json

from test_browsers import BrowserTest, setUpModule, tearDownModule, BASE

SECRETS = {
 "resend-link": "<span>Verification code</span> <a href='#'>Resend</a> <input name=NAME>",
 "help-button": "<div><span>Enter your PIN</span> <button type=button>?</button></div><input name=NAME>",
 "help-button-password": "<div><span>Security code</span> <button type=button>?</button></div><input name=NAME>",
 "table-head": "<table><tr><th>User</th><th>PIN</th></tr><tr><td><input></td><td><input name=NAME></td></tr></table>",
 "floating-after": "<div><input name=NAME placeholder=' '><span>Security code</span></div>",
 "legend-second": "<fieldset><legend>PIN</legend><div><input></div><div><input name=NAME></div></fieldset>",
 "legend-far": "<fieldset><legend>PIN</legend><div><div><div><input name=NAME></div></div></div></fieldset>",
 "label-far": "<label>PIN</label><div><div><div><input name=NAME></div></div></div>",
 "group-label": "<div role=group aria-label='Enter PIN'><p></p><input name=NAME></div>",
 "fieldset-aria": "<div role=group aria-labelledby=grp><input name=NAME></div><div><h4 id=grp>Recovery code</h4></div>",
 "angular": "<input formcontrolname=pin data-x=NAME>",
 "ng-model": "<input ng-model=card.cvv data-x=NAME>",
 "data-stripe": "<input data-stripe=cvc data-x=NAME>",
 "braintree": "<input data-encrypted-name=cvv data-x=NAME>",
 "aria-description": "<input aria-description=PIN name=NAME>",
 "x-autocompletetype": "<input x-autocompletetype=cc-csc name=NAME>",
 "seed-textarea": "<h4>Secret recovery phrase</h4><textarea name=NAME></textarea>",
 "key-textarea": "<p>Private key</p><textarea name=NAME></textarea>",
 "rich-password": "<p>Password</p><div contenteditable id=NAME style='min-height:20px'></div>",
 "long-sentence": "<p>For your security, please enter below the verification code that we have just sent as a text message to your phone ending in 55.</p><input name=NAME>",
 **{f"name-{n}": f"<input name={n}>" for n in "smscode otpcode loginpwd userpwd newpwd pincode authcode securitycode recoverycode accesscode verifycode vcode securityanswer maidenname accesstoken wifikey mdp passwrd psk".split()},
 **{f"label-{n}": f"<label>{n} <input name=NAME></label>" for n in ["Passord", "Pincode", "Beveiligingscode", "Toegangscode", "Parolă", "Парола", "Doğrulama kodu", "Onay kodu", "Cryptogramme visuel", "Geheimzahl", "Turvaluku", "الرقم السري", "ओटीपी", "パスコード", "확인 코드", "보안코드", "Numer karty", "Date de validité", "Ablaufdatum", "Codice segreto", "Contraseña", "Код"]},
 **{f"identity-name-{n}": f"<input name={n}>" for n in "ssn dni nie nif cpf cnpj codiceFiscale codfisc bsn personnummer pesel steuerId steuernummer idNr aadhaar pan taxId passportNumber passportno curp socialSecurityNumber".split()},
 **{f"identity-{n}": f"<label>{n} <input name=NAME></label>" for n in [
     "DNI / NIE", "NIE", "Número de NIE", "NIF", "CPF", "CNPJ", "Codice fiscale", "BSN", "Burgerservicenummer", "Personnummer", "Fødselsnummer",
     "CPR-nr.", "Henkilötunnus", "PESEL", "Steuer-ID", "Steuernummer", "Steueridentifikationsnummer", "Sozialversicherungsnummer", "AHV-Nummer",
     "Ausweisnummer", "Personalausweisnummer", "Reisepassnummer", "Aadhaar", "PAN", "PAN card", "SSN", "Social Security Number", "SIN", "TIN",
     "Tax ID", "Taxpayer identification number", "National ID", "ID card number", "Passport no.", "Driver's license", "National Insurance number",
     "Numéro de sécurité sociale", "Numéro fiscal", "Carte d’identité", "Passeport", "Pasaporte", "Cédula de identidad", "Cartão de cidadão",
     "Carta d'identità", "Passaporto", "Rodné číslo", "Číslo občanského průkazu", "Adóazonosító jel", "TAJ szám", "Cod numeric personal", "OIB", "EMŠO", "ИНН", "СНИЛС", "Паспорт",
     "ЕГН", "ΑΦΜ", "T.C. Kimlik No", "CCCD", "Căn cước", "NIK", "NPWP", "رقم الهوية", "کد ملی", "תעודת זהות", "आधार", "身份证号码", "護照號碼", "マイナンバー",
     "Nº DNI", "Nº de DNI", "Número DNI", "DNI del titular", "RFC con homoclave", "Sozialversicherungs-Nr.", "Krankenversicherungs-Nr.", "N° de sécu",
     "Numéro d'assurance sociale", "AVS-Nummer", "NRIC", "Emirates ID", "PPS number", "Personal identification number", "Health insurance number", "Α.Φ.Μ.", "TC Kimlik", "ИИН", "S.S.N.",
     "公民身份号码", "证件号码", "運転免許証番号", "주민번호", "เลขบัตร", "주민등록번호", "여권번호", "เลขประจำตัวประชาชน", "Numer dowodu", "Parola segreta"]},
 "phrase-textarea": "<p>Recovery phrase. Never share it.</p><textarea name=NAME></textarea>",
 "phrase-order": "<p>Enter your secret recovery phrase.</p><textarea name=NAME></textarea>",
 **{f"warned-{n}": f"<p>{n}</p><textarea name=NAME></textarea>" for n in [
     "Secret key - do not share", "Recovery phrase \u2014 never share it", "Seed phrase, no commas", "Seed phrase without commas", "Private key, no header", "Secret no"]},
 **{f"told-{n}": f"<p>{n}</p><textarea name=NAME></textarea>" for n in [
     "What is your recovery phrase?", "Copy your private key here.", "Add your private key below.", "Now enter your seed phrase.", "The 12-word seed phrase.",
     "Restore from your seed phrase.", "Bitte das Passwort hier eingeben.", "Non-custodial wallet seed phrase", "No-expiry access token", "Account no",
     "Forgot your PIN, use recovery phrase", "Paste no more than one private key", "Please enter the secret recovery phrase of your wallet"]},
 "told-editor": "<p>Copy your private key here.</p><div contenteditable id=NAME style='min-height:20px'></div>",
 **{f"style-{n}": f"<label>Unlock <input name=NAME style='{n}'></label>" for n in [
     "color: transparent", "-webkit-text-fill-color: transparent", "color: rgba(0, 0, 0, 0)", "filter: blur(5px)", "font-family: text-security-square"]},
 **{f"area-{n}": f"<label>{n} <textarea name=NAME></textarea></label>" for n in ["SSN", "Social security number", "Passport number", "Tax ID", "Your social security number", "DNI"]},
 **{f"area-name-{n}": f"<textarea name={n}></textarea>" for n in "ssn taxId passport_no".split()},
 "digits-an": "<label>Enter the 4 digits sent in an SMS <input name=NAME maxlength=4></label>",
 "card-year": "<label>Year <input name=NAME maxlength=4></label><input name=cardnumber style='display: none'>",
}
VALUES = {"card-one-space": "4012 888888881881", "card-two-spaces": "4012 8888 88881881", "card-8-4-4": "40128888 8888 1881", "card-commas": "4012,8888,8888,1881", "card-bullets": "4012 • 8888 • 8888 • 1881", "card-persian": "۴۰۱۲۸۸۸۸۸۸۸۸۱۸۸۱", "card-arabic": "٤٠١٢ ٨٨٨٨ ٨٨٨٨ ١٨٨١", "card-spaces": "4012    8888    8888    1881", "card-minus": "4012−8888−8888−1881"}
DIGITS = {"arabic": "<label>Enter digits <input name=NAME maxlength=6></label>", "persian": "<input inputmode=numeric name=NAME>"}
DIGIT_VALUES = {"arabic": "٤٨٢٩١٣", "persian": "۴۸۲۹۱۳"}
ORDINARY = {
    "control": "<label>Comment <input name=NAME></label>",
    "captcha": "<label>Your e-mail <input type=email name=NAME></label><p>This site is protected by reCAPTCHA and the Privacy Policy applies.</p>",
    "safety": "<label>Sicherheitshinweise <textarea name=NAME></textarea></label>", "referral": "<label>Referral code <input name=NAME></label>",
    "bus": "<label>Bus pass <input name=NAME></label>", "tokens": "<label>Max tokens <input name=NAME inputmode=numeric></label>",
    "memory": "<label>Memorable moment <input name=NAME></label>", "seats": "<label>Seats <input name=NAME inputmode=numeric maxlength=3></label>",
    "isbn": "<label>ISBN <input name=NAME inputmode=numeric></label>", "pages": "<label>Pages <input maxlength=4 name=NAME></label>",
    **{f"year-{n}": f"<label>{n} <input name=NAME maxlength=4></label>" for n in ["Year", "Jahr", "Année", "Geburtsjahr", "Año", "Anno", "Rok", "год"]},
    **{f"warning-{n}": f"<p>{n}</p><textarea name=NAME></textarea>" for n in [
        "Never share your password.", "Please don't post passwords", "Passwords are safe with us here.", "Kein Passwort eingeben!", "Forgot your password?",
        "Ne donnez jamais votre mot de passe.", "Write your notes here, no passwords", "We never ask for your password."]},
    "code-editor": "<label>Program <textarea name=NAME style='color: transparent; caret-color: black'></textarea></label>",
    **{f"other-{n}": f"<label>{n} <input name=NAME></label>" for n in [
        "Liczba dni", "Nie, dlaczego?", "Frying pan", "Sin gluten", "Longest run", "Passport photo", "Identity", "Tax year", "Nino Rota", "Personal note"]},
    "after-codes": "<p>Type your PIN at the desk.</p><label>Hobby <input name=one></label><label>Town <input name=NAME></label>",
}
ORDINARY_VALUES = {**{name: f"{1971 + index}" for index, name in enumerate(name for name in ORDINARY if name.startswith("year-"))}, "seats": "12", "isbn": "9783161", "pages": "320"}


class FieldTests(BrowserTest):
    def taken(self, browser, cases, values={}):
        """The names of the cases whose text leaves."""
        title = f"fields-{id(cases)}-{browser.name}"
        tab = browser.open(f"{BASE}/book?{title}")
        html = "".join(f"<section style='margin: 9px'><form>{text.replace('NAME', f'q{index}')}</form></section>" for index, text in enumerate(cases.values()))
        texts = [values.get(name, f"mark{index}x") for index, name in enumerate(cases)]
        browser.evaluate(tab, f"""void (document.title = {json.dumps(title)}, document.body.innerHTML = {json.dumps(html)},
          [...document.querySelectorAll("section")].forEach((section, index) => {{
            [...section.querySelectorAll("input, textarea, [contenteditable]")].pop().focus();
            document.execCommand("insertText", false, {json.dumps(texts)}[index]);
          }}))""")
        _, state = self.take(self.desktop if browser is self.chromium else self.laptop, title)
        browser.close(tab)
        left = {field["text"] for field in state.get("form", [])}
        return [name for name, text in zip(cases, texts) if text in left]

    def test_fields_for_secrets_stay(self):
        numbers = {name: "<label>Comment <input name=NAME></label>" for name in VALUES}
        for browser in (self.chromium, self.firefox):
            self.assertEqual(self.taken(browser, SECRETS, {"card-year": "2031", "digits-an": "1987"}), [], browser.name)
            self.assertEqual(self.taken(browser, numbers, VALUES), [], browser.name)
            self.assertEqual(self.taken(browser, DIGITS, DIGIT_VALUES), [], browser.name)

    def test_ordinary_fields_leave(self):
        for browser in (self.chromium, self.firefox):
            self.assertEqual(self.taken(browser, ORDINARY, ORDINARY_VALUES), list(ORDINARY), browser.name)
