# SPDX-License-Identifier: Apache-2.0
"""Pages in which a place is hard to find again. In each, the element with `data-here` is one to go to."""

SENTENCE = "The whale swims on, and nobody on board knows where to. "


def paragraphs(count, here, start=0):
    """Paragraphs of different lengths, so that a window of another width has other lines."""
    return "".join(
        f"<p{' data-here' if n == here else ''}>Paragraph {n}. {SENTENCE * (n % 5 + 1)}</p>" for n in range(start, start + count)
    )


# Scripts that make a paragraph, and many.
MAKE = """
const sentence = "%s";
const make = (n, here) => {
  const p = document.createElement("p");
  p.textContent = `Paragraph ${n}. ${sentence.repeat(n %% 5 + 1)}`;
  if (n === here) p.dataset.here = "";
  return p;
};
const many = (from, to, here) => { const all = document.createDocumentFragment(); for (let n = from; n < to; n++) all.append(make(n, here)); return all; };
""" % SENTENCE

# Images without a size move everything below them when they arrive.
LAZY = "".join(
    f"<p{' data-here' if n == 40 else ''}>Paragraph {n}. {SENTENCE * (n % 5 + 1)}</p><img loading={'eager' if n % 2 else 'lazy'} src='image.svg?{n}'>"
    for n in range(60)
)
APPLICATION = f"""<main id=app>Loading</main><script>{MAKE}
const show = () => setTimeout(() => app.replaceChildren(many(0, 200, 120)), 1500);
show();
globalThis.go = () => {{ history.pushState({{}}, "", `${{location.search}}&item=7`); document.title = "application 7"; app.textContent = "Loading"; show(); }};
</script>"""
INNER = f"""<style>body {{ margin: 0; height: 100vh; display: flex; overflow: hidden }} nav, main {{ overflow: auto; height: 100% }}
nav {{ width: 260px; flex: none }}</style><nav>{"<a href=#>Chapter</a><br>" * 200}</nav><main>{paragraphs(200, 90)}</main>"""
MAIL = f"""<style>body {{ margin: 0; height: 100vh; display: grid; grid-template-columns: 15% 45% 40%; overflow: hidden }}
body > * {{ overflow: auto; height: 100vh }}</style><nav>{"<div>Folder</div>" * 100}</nav>
<section>{"<div>Subject of a letter</div>" * 300}</section><article>{paragraphs(100, 60)}</article>"""
SMOOTH = f"<style>html {{ scroll-behavior: smooth }}</style>{paragraphs(400, 333)}"
STICKY = f"""<style>header {{ position: sticky; top: 0; height: 90px; background: #ccc }} h2 {{ position: sticky; top: 90px; background: #eee }}</style>
<header>Name of the site</header>{"".join(f"<section><h2>Part {n}</h2>{paragraphs(20, 150, n * 20)}</section>" for n in range(20))}"""
ENDLESS = f"""<main id=list></main><div id=end>Loading more</div><script>{MAKE}
let count = 0;
const observer = new IntersectionObserver((entries) => {{
  if (entries.at(-1).isIntersecting) setTimeout(more, 200);
}});
// Observing again tells whether the end is in the window now, also if it left the window and came back between two frames.
const more = () => {{
  list.append(many(count, count += 30, 140));
  observer.unobserve(end);
  observer.observe(end);
}};
observer.observe(end);
</script>"""
SHADOW = f"""<book-view></book-view><script>{MAKE}
customElements.define("book-view", class extends HTMLElement {{
  constructor() {{
    super();
    const part = this.attachShadow({{mode: "open"}}).appendChild(document.createElement("div"));
    part.append(many(0, 300, 200));
  }}
}});
</script>"""
SHADOW_SCROLLS = f"""<style>body {{ margin: 0 }} book-frame {{ display: block; height: 100vh }}</style><book-frame></book-frame><script>{MAKE}
customElements.define("book-frame", class extends HTMLElement {{
  constructor() {{
    super();
    const part = this.attachShadow({{mode: "open"}}).appendChild(document.createElement("div"));
    part.style.cssText = "height: 100vh; overflow: auto";
    part.append(many(0, 300, 200));
  }}
}});
</script>"""
FRAGMENT = f"{paragraphs(100, 70)}<h2 id=part>Part</h2>{paragraphs(100, -1, 100)}"
TABLE = "<table>" + "".join(
    f"<tr{' data-here' if n == 700 else ''}><td>{n % 10}<td>{'yes no '[n % 2 * 4:][:3]}<td>{SENTENCE if n % 3 else ''}</tr>" for n in range(1500)
) + "</table>"
CODE = "<style>td { white-space: pre; font: 12px monospace }</style><table>" + "".join(
    f"<tr{' data-here' if n == 900 else ''}><td data-line-number={n}><td>{'    ' * (n % 4)}{'}' if n % 3 else 'return value;'}</tr>" for n in range(2000)
) + "</table>"
PRE = "<pre>" + "\n".join(f"line {n}" for n in range(2999)) + "\n<b data-here>here</b>\n" + "\n".join(f"line {n}" for n in range(3000, 6000)) + "</pre>"
SAME = "".join(f"<div class=card{' data-here' if n == 333 else ''}><p>Read more</p><p>Share</p></div>" for n in range(600))
# The same text in many elements, and in front of them a notice that only some people see.
NOTICE = f"""<main id=all></main><script>
if (innerWidth < 900) all.append("This page is made for large windows.", document.createElement("hr"));
for (let n = 0; n < 600; n++) {{
  const p = all.appendChild(document.createElement(n % 2 ? "p" : "div"));
  p.textContent = n % 20 ? "Read more" : `Story ${{n}}`;
  if (n === 341) p.dataset.here = "";
}}
</script>"""
# At the top of the window is no element of HTML, and another one has a name like a component.
DRAWING = "<svg style='display: block; width: 100%; height: 600px'><rect width='100%' height='100%' fill='teal' /></svg>"
FORMULA = "<math><semantics><mi>x</mi><annotation-xml encoding='MathML-Content'><ci>x</ci></annotation-xml></semantics></math>"
DRAWINGS = "<style>body, figure { margin: 0 }</style>" + "".join(f"<figure{' data-here' if n == 20 else ''}>{DRAWING}</figure>{paragraphs(3, -1, n)}<p>{FORMULA}</p>" for n in range(40))
# Where the page is continued, an image is never complete.
SLOW = f"""{paragraphs(300, 200)}<script>
if (location.search.includes("chromium") === innerWidth < 900) document.body.append(Object.assign(new Image(), {{src: "never"}}));
</script>"""

PLACES = {
    "lazy": LAZY, "application": APPLICATION, "inner": INNER, "mail": MAIL, "smooth": SMOOTH, "sticky": STICKY,
    "endless": ENDLESS, "shadow": SHADOW, "shadow-scrolls": SHADOW_SCROLLS, "fragment": FRAGMENT, "table": TABLE, "code": CODE,
    "pre": PRE, "same": SAME, "notice": NOTICE, "slow": SLOW, "drawings": DRAWINGS,
    "rtl": f"<script>document.documentElement.dir = 'rtl'</script>{paragraphs(300, 222)}",
}
# Where the element is that a page is about, also in a shadow tree.
HERE = """(() => {
  const find = (root) => root.querySelector("[data-here]") ?? [...root.querySelectorAll("*")].map((e) => e.shadowRoot && find(e.shadowRoot)).find(Boolean);
  return find(document);
})()"""
ADDRESSES = {"fragment": "fragment#part"}
TITLES = {"application": "application 7"}
# What the person does first.
BEFORE = {"application": "go()"}
# How far from the top of the window the element may be, in pixels. Neighbours that say the same are mixed up. What is below
# the bars is at the same place, and between that and the element are more lines in a narrow window.
TOLERANCES = {"notice": 150, "sticky": 60}

# What a person has written, at the top of the window. Each has WRITTEN in it.
EDITORS = {
    "written-default": "<textarea data-here rows=4 cols=40>WRITTEN before</textarea>",
    "written-controlled": "<textarea data-here rows=4 cols=40></textarea><script>const t = document.querySelector('textarea'); t.value = t.defaultValue = 'WRITTEN now'</script>",
    "written-drawn": "<div class=editor><div style='overflow: hidden; width: 3px; height: 0'><textarea></textarea></div><div><div><pre data-here>WRITTEN in an editor</pre></div></div></div>",
    "written-role": "<div role=textbox aria-multiline=true><div><p data-here>WRITTEN in an editor</p></div></div>",
    "written-preview": "<textarea>The first part is here.\n\nA **bold** word, WRITTEN by [me](https://example.org) today</textarea><p data-here>A <b>bold</b> word, WRITTEN by <a href=/>me</a> today</p>",
    "written-shadow": "<text-box></text-box><p data-here>WRITTEN in a shadow</p><script>document.querySelector('text-box').attachShadow({mode: 'closed'}).innerHTML = '<textarea>WRITTEN in a shadow</textarea>'</script>",
    "written-frame": "<iframe srcdoc='<body contenteditable>WRITTEN in a frame</body>'></iframe><p data-here>WRITTEN in a frame</p>",
    "written-foreign-frame": "<iframe src='http://10.77.0.1:8081/frame'></iframe><p data-here>WRITTEN in another frame</p>",
    "written-plain-shadow": "<div id=host></div><p data-here>WRITTEN in a shadow</p><script>host.attachShadow({mode: 'closed'}).innerHTML = '<input value=\"WRITTEN in a shadow\">'</script>",
    "written-sent": "<input><p data-here id=WRITTEN-before>WRITTEN, and sent</p>",
}
SPACE = "<div style='height: 300vh'></div>"
WRITTEN = {name: f"{SPACE}<main><section><article>{body}</article></section></main>{SPACE}" for name, body in EDITORS.items()}

# A page that leads to another one of its site, as long as nobody has logged in there.
EDIT = """<form><input></form><script>if (!sessionStorage.isIn) location.replace("/log-in" + location.search)</script>"""
LOG_IN = "<form><input></form>"
# A page of settings that are saved when they change.
SETTINGS = """<form><input name=prefilled value='of the site'><input name=empty><textarea name=signature></textarea>
<div contenteditable id=profile></div></form><div style='height: 300vh'></div><script>
const events = [];
for (const type of ["input", "change", "submit"]) addEventListener(type, () => events.push(type), true);
// Some pages save what a person has left.
for (const type of ["blur", "focusout"]) document.addEventListener(type, (event) => event.target !== document && events.push(type), true);
const values = () => [...document.querySelectorAll("input, textarea")].map((field) => field.value).concat(document.getElementById("profile").textContent);
</script>"""
# Ways to show a password. `shown()` is the field that shows it.
SWAPS = {
    "type": "password().type = 'text', globalThis.shown = () => one",
    "replaced": "one.replaceWith(Object.assign(document.createElement('input'), {id: 'two', value: one.value})), globalThis.shown = () => two",
    "rewritten": "box.innerHTML = `<b><input id=two value='${one.value}'></b>`, globalThis.shown = () => two",
    "empty-first": "box.innerHTML = '<input id=two>', two.value = one.value, globalThis.shown = () => two",
    "twin": "twin.value = one.value, one.value = '', one.style.display = 'none', twin.style.display = '', globalThis.shown = () => twin",
    "area": "((area) => (one.after(area), area.value = one.value, one.remove(), globalThis.shown = () => area))(document.createElement('textarea'))",
}
SWAP = """<form><input name=fine><div id=box><input type=password id=one></div><div><input id=twin style='display: none'></div></form>
<script>const one = document.getElementById("one"), password = () => one;</script>"""
# Pages that show a password in yet other ways: the page, the field into which it is typed, how the page shows it, and where.
# It is typed like everything else with `execCommand`, and keys of which nothing comes are pressed, too.
TWIN = "<section><p>x</p><p>y</p><input id=twin></section>"
SHOWN = {
    "editable": ("<div id=box><input type=password id=one></div><div><div id=twin contenteditable></div></div>", "one", "twin.textContent = one.value, one.value = ''"),
    "bullets": ("<p><input id=twin autocomplete=off></p><script>let real = ''; twin.addEventListener('beforeinput', (e) => { if (e.data) { real += e.data; e.preventDefault(); twin.value = '\\u2022'.repeat(real.length) } })</script>",
                "twin", "twin.value = real"),
    "spaced": ("<div><input type=password id=one></div>" + TWIN, "one", "twin.value = one.value.split('').join(' '), one.value = ''"),
    "capitals": ("<div><input type=password id=one></div>" + TWIN, "one", "twin.value = one.value.toUpperCase(), one.value = ''"),
    # What the page made up itself, of which no event tells.
    "grouped": ("<div><input type=password id=one></div>" + TWIN, "one", "one.value = 'KEEPscript', twin.value = 'KEEP scri pt'"),
    "cut": ("<div><input type=password id=one></div>" + TWIN, "one", "twin.value = one.value.slice(0, 7), one.value = ''"),
    "style": ("<p><input id=twin style='-webkit-text-security: disc'></p>", "twin", "twin.style.webkitTextSecurity = 'none'"),
    "signs": ("<p><input id=twin></p><script>twin.addEventListener('input', () => { if (twin.value === 'KEEP-shown') twin.value = '\\u26ab'.repeat(9) + 'n' })</script>",
              "twin", "twin.value = 'KEEP-shown'"),
    "nested": ("<iframe id=f srcdoc=\"<iframe srcdoc='<input type=password id=one>'></iframe>\"></iframe>" + TWIN,
               "f.contentDocument.querySelector('iframe')?.contentDocument?.getElementById('one')",
               "twin.value = f.contentDocument.querySelector('iframe').contentDocument.getElementById('one').value"),
    "anew": (f"<script>onload = () => setTimeout(() => {{ document.open(); document.write(`<title>shown-anew</title><form><input name=fine></form><div><input type=password id=one></div>{TWIN}`); document.close() }}, 500)</script>",
             "document.getElementById('one')", "twin.value = one.value, one.value = ''"),
    "frame": ("<iframe id=f srcdoc='<input type=password id=one>'></iframe>" + TWIN, "f.contentDocument.getElementById('one')",
              "twin.value = f.contentDocument.getElementById('one').value"),
    "shadow": ("<div id=host></div>" + TWIN + "<script>const root = host.attachShadow({mode: 'closed'}); root.innerHTML = '<input type=password>'; const one = root.querySelector('input')</script>",
               "one", "twin.value = one.value, one.value = ''"),
}
# Words for passwords and codes in the labels of ordinary fields.
LABELS = ["รหัสผ่าน", "كلمة المرور", "סיסמה", "Κωδικός", "Mật khẩu", "Kata sandi", "Slaptažodis", "Lozinka", "Kodeord", "पासवर्ड", "رمز عبور", "Пароль", "暗証番号", "口令", "認證碼", "비번"]
# What a person typed, and the page shows in other letters or beside a frame. With the person's consent for the page.
ECHOES = {
    "echo-object": "<object type='text/html' data='/echo-inner'></object><p data-here>WRITTEN in an object today</p>",
    "echo-embed": "<embed type='text/html' src='/echo-inner' width=300 height=100><p data-here>WRITTEN in an object today</p>",
    "echo-nested": "<iframe src='/echo-outer'></iframe><p data-here>WRITTEN in an object today</p>",
    "echo-password": "<input type=password id=typed><p data-here></p><script>typed.value = 'WRITTEN-secret'; document.querySelector('[data-here]').textContent = `Welcome, your password is ${typed.value}`; typed.remove()</script>",
    "echo-code-alone": "<h2>Your verification code</h2><p data-here style='margin: 0'>482 913</p>",
    "echo-code-letters": "<p data-here>Your recovery code is WRITQ-WRTZP</p>",
    "echo-foreign": "<iframe src='http://10.77.0.1:8081/echo-inner'></iframe><p data-here>WRITTEN in an object today</p>",
    **{f"echo-{name}": f"<textarea id=typed></textarea><p data-here></p><script>typed.value = 'WRITTEN Äpfel über ﬁnd straße größer Übung'; document.querySelector('[data-here]').textContent = {script}</script>" for name, script in {
        "marks": "typed.value.normalize('NFD')", "capitals": "typed.value.normalize('NFKC').toUpperCase()",
        "unseen": "typed.value.replace(/(...)/g, '$1\\u00ad')",
    }.items()},
}
ECHOES = {name: f"{SPACE}{body}{SPACE}" for name, body in ECHOES.items()}
INNER_ECHOES = {"echo-inner": "<body contenteditable>WRITTEN in an object today</body>", "echo-outer": "<object type='text/html' data='/echo-inner'></object>"}
OWN_NAME = f"""{SPACE}<x-written data-here style='display: block; height: 200px'>text</x-written>{SPACE}"""
# Fields of usual sites in which nothing is secret.
ORDINARY = """<div class="card card-body"><h5 class="card-title">Our cards</h5><div class="input-group">
<input name=f1 type=search class="form-control card-search" placeholder="Search"><button type=button>Discard</button></div></div>
<div class="passage login-pass"><p><label>Hotels in Passau <input name=f2></label></p></div> <label>Compass course <input name=f3></label>
<input name=f4 placeholder="Wildcard, such as *.txt"> <label>Postcode <input name=f5></label> <label>Country code <input name=f6></label>
<label>Passenger <input name=passengerName></label> <label>Shipping address <input name=shipping-address></label>
<label>Card title <input name=cardTitle></label> <label>Secretary <input name=secretary></label>
<input name=f7 placeholder="DD/MM/YYYY"> <input name=opinion placeholder="Your opinion"> <label>Code promo <input name=f8></label>
<label>Caribbean cruise <input name=f9></label> <label>CC <input name=cc></label> <label>电话号码 <input name=f10></label>
<label>Palabras clave <input name=f11></label> <label>Код города <input name=f12></label> <label>Подпись к картинке <input name=f13></label>
<div><span>Discard card draft</span><button type=button aria-label="Discard"></button><textarea name=code placeholder="Code"></textarea></div>
<label>PLZ <input name=plz maxlength=5></label> <input name=zip inputmode=numeric autocomplete=postal-code>
<textarea name=f14 aria-label="Message"></textarea> <div class="password-manager-news"><label>Comment <input name=className></label></div>
<label>Describe the passport office's facade <textarea name=f15></textarea></label>"""
# Fields whose IDs, and of one the name, are others each time.
RENEWED = """<form><div id=box></div></form><script>
const id = () => `f${Math.random().toString(36).slice(2)}9`;
box.innerHTML = `<input id="${id()}"><input id="${id()}"><textarea id=":r${Date.now() % 1000}:"></textarea>
<input id="${id()}" name=same><input id="${id()}" name=same><textarea name="body-${Date.now()}"></textarea><div id="${id()}" contenteditable></div>`;
globalThis.all = () => [...document.querySelectorAll("input, textarea")].map(({value}) => value).concat(document.querySelector("[contenteditable]").textContent);
</script>"""
PREFILLED = "<form><input name=prefilled value='of the site'><input name=empty></form>"

FORMS = """
<input id=controlled name=controlled>
<textarea name=mirrored></textarea><div id=mirror></div>
<input name=late disabled> <input name=early>
<div id=rich contenteditable></div><div id=model></div>
<script>
// As React does it: the element's own property notes what the framework set, and the state is put back at each event.
const field = document.getElementById("controlled");
const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
let tracked = "", state = "";
Object.defineProperty(field, "value", {configurable: true, get() { return own.get.call(this) }, set(text) { tracked = text; own.set.call(this, text) }});
field.addEventListener("input", () => {
  const now = own.get.call(field);
  if (now !== tracked) { tracked = now; state = now; }
  field.value = state;
  field.defaultValue = state;
});
// A page of a server comes to life: one field cannot be used before, another one is emptied.
setTimeout(() => document.querySelector("[name=late]").disabled = false, 1500);
setTimeout(() => document.querySelector("[name=early]").value = "", 1000);
setInterval(() => { if (own.get.call(field) !== state) field.value = state }, 50);
const area = document.querySelector("textarea");
area.addEventListener("input", () => { mirror.textContent = area.value });
// As editors do it: the model changes with the person's input.
rich.addEventListener("input", () => { model.textContent = rich.textContent });
</script>
"""
