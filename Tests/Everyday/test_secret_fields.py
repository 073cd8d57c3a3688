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
 **{f"label-{n}": f"<label>{n} <input name=NAME></label>" for n in ["Passord", "Pincode", "Beveiligingscode", "Toegangscode", "Parolă", "Парола", "Doğrulama kodu", "Onay kodu", "Cryptogramme visuel", "Geheimzahl", "Turvaluku", "الرقم السري", "ओटीपी", "パスコード", "확인 코드", "보안코드", "Numer karty", "Date de validité", "Ablaufdatum"]},
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
    "after-codes": "<p>Type your PIN at the desk.</p><label>Hobby <input name=one></label><label>Town <input name=NAME></label>",
}
ORDINARY_VALUES = {"seats": "12", "isbn": "9783161", "pages": "320"}


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
            self.assertEqual(self.taken(browser, SECRETS), [], browser.name)
            self.assertEqual(self.taken(browser, numbers, VALUES), [], browser.name)
            self.assertEqual(self.taken(browser, DIGITS, DIGIT_VALUES), [], browser.name)

    def test_ordinary_fields_leave(self):
        for browser in (self.chromium, self.firefox):
            self.assertEqual(self.taken(browser, ORDINARY, ORDINARY_VALUES), list(ORDINARY), browser.name)
