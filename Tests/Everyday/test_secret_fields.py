# SPDX-License-Identifier: Apache-2.0
"""Fields of pages whose text must stay, and such whose text leaves, in the real browsers: those of Tests/Plugins/extension."""
# Labs: pair
import json

from extension_tables import cases
from test_browsers import BrowserTest, setUpModule, tearDownModule, BASE

# Many on one page take long to look at.
MOST = 80
CONTROL = {"html": "<label>Comment <input name=NAME></label>", "text": ""}


class FieldTests(BrowserTest):
    def taken(self, browser, cases):
        """Those of the cases whose text leaves."""
        title = f"fields-{id(cases)}-{browser.name}"
        tab = browser.open(f"{BASE}/book?{title}")
        names = [f"q{number}" for number in range(len(cases))]
        html = "".join(
            f"<section style='margin: 9px'><form>{case['html'].replace('TEXT', case['text']).replace('NAME', name)}</form></section>"
            for case, name in zip(cases, names)
        )
        texts = [case.get("value", f"mark{number}x") for number, case in enumerate(cases)]
        browser.evaluate(tab, f"""void (document.title = {json.dumps(title)}, document.body.innerHTML = {json.dumps(html)},
          [...document.querySelectorAll("section")].forEach((section, index) => {{
            const named = section.querySelector(`[name=q${{index}}], #q${{index}}`);
            (named ?? [...section.querySelectorAll("input, textarea, [contenteditable]")].pop()).focus();
            document.execCommand("selectAll");
            document.execCommand("insertText", false, {json.dumps(texts)}[index]);
          }}))""")
        _, state = self.take(self.desktop if browser is self.chromium else self.laptop, title)
        browser.close(tab)
        form = state.get("form", [])
        left = {field["text"] for field in form if field["text"].startswith("mark")} | {field.get("name") for field in form}
        return [case["html"].replace("TEXT", case["text"]) for case, name, text in zip(cases, names, texts) if name in left or text in left]

    def check(self, decisions, leaves):
        chosen = [case for case in cases("fields") if case["expect"] in decisions]
        self.assertGreater(len(chosen), 90)
        for begin in range(0, len(chosen), MOST):
            some = [*chosen[begin:begin + MOST], CONTROL]
            expected = [case["html"].replace("TEXT", case["text"]) for case in (some if leaves else [CONTROL])]
            for browser in (self.chromium, self.firefox):
                self.assertEqual(self.taken(browser, some), expected, browser.name)

    def test_fields_for_secrets_stay(self):
        self.check(("secret", "card"), False)

    def test_ordinary_fields_leave(self):
        self.check(("leaves",), True)
