#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the browser extension is packed, and how its package changes the policies of Firefox."""
import hashlib
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
KEY = ROOT / "Packaging/extension/development-key.pem"
URL = "file:///usr/share/baton/browser/updates.xml"
LOADER = importlib.machinery.SourceFileLoader("pack_extension", str(ROOT / "Scripts/pack-extension"))
PACK = importlib.util.module_from_spec(importlib.util.spec_from_loader("pack_extension", LOADER))
LOADER.exec_module(PACK)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class PackTests(Folder):
    def pack(self, kind, *arguments, root=ROOT, status=0):
        """What is packed (bytes) or, with another status, the error."""
        path = self.folder / "packed"
        result = subprocess.run([root / "Scripts/pack-extension", kind, path, *arguments], capture_output=True, text=True)
        self.assertEqual(result.returncode, status, result.stderr)
        return path.read_bytes() if status == 0 else result.stderr

    def copy(self):
        """The sources in another folder, with other times."""
        copy = self.folder / "copy"
        for name in ("WebExtension", "Scripts"):
            shutil.copytree(ROOT / name, copy / name)
        for path in copy.rglob("*"):
            os.utime(path, (1_000_000_000, 1_000_000_000))
            path.chmod(0o700)
        return copy

    def manifest(self, packed):
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            self.assertIsNone(archive.testzip())
            return json.loads(archive.read("manifest.json"))

    def test_the_same_sources_and_key_give_the_same_bytes(self):
        copy = self.copy()
        for kind, *arguments in (("xpi",), ("zip",), ("crx", "--key", KEY, "--update-url", URL)):
            self.assertEqual(self.pack(kind, *arguments), self.pack(kind, *arguments, root=copy), kind)

    def test_each_kind_has_its_own_manifest(self):
        packed = {"xpi": self.pack("xpi", "--update-url", "https://example.org/u.json"), "zip": self.pack("zip")}
        firefox, store = (self.manifest(packed[kind]) for kind in ("xpi", "zip"))
        self.assertEqual(firefox["browser_specific_settings"]["gecko"]["update_url"], "https://example.org/u.json")
        self.assertNotIn("update_url", self.manifest(self.pack("xpi"))["browser_specific_settings"]["gecko"])
        # A store refuses both.
        self.assertFalse({"key", "update_url"} & store.keys())
        self.assertEqual(firefox["version"], store["version"])
        names = zipfile.ZipFile(io.BytesIO(packed["zip"])).namelist()
        self.assertEqual(names, sorted(names))
        self.assertEqual([name for name in names if "native-messaging" in name or "manifest." in name], ["manifest.json"])

    def test_a_crx_is_signed_with_the_key_that_gives_its_id(self):
        packed = self.pack("crx", "--key", KEY, "--update-url", URL)
        magic, version, length = struct.unpack_from("<4sII", packed)
        self.assertEqual((magic, version), (b"Cr24", 3))
        header, archive = packed[12:12 + length], packed[12 + length:]
        self.assertEqual(self.manifest(archive)["update_url"], URL)
        fields = dict(fields_of(header))
        proof, signed = dict(fields_of(fields[2])), fields[10000]
        self.assertEqual(dict(fields_of(signed))[1], hashlib.sha256(proof[1]).digest()[:16])
        told = subprocess.run([ROOT / "Scripts/pack-extension", "id", "--key", KEY], capture_output=True, text=True, check=True)
        letters = hashlib.sha256(proof[1]).hexdigest()[:32].translate(str.maketrans("0123456789abcdef", "abcdefghijklmnop"))
        self.assertEqual(told.stdout.strip(), letters)
        for name, data in (("key", proof[1]), ("signature", proof[2])):
            (self.folder / name).write_bytes(data)
        text = b"CRX3 SignedData\0" + struct.pack("<I", len(signed)) + signed + archive
        verify = ["openssl", "dgst", "-sha256", "-keyform", "DER", "-verify", self.folder / "key", "-signature", self.folder / "signature"]
        self.assertEqual(subprocess.run(verify, input=text, capture_output=True).returncode, 0)
        self.assertNotEqual(subprocess.run(verify, input=text + b"x", capture_output=True).returncode, 0)

    def test_keys_that_cannot_sign_are_named(self):
        curve, other, locked = (self.folder / name for name in ("curve", "other", "locked"))
        subprocess.run(["openssl", "ecparam", "-genkey", "-noout", "-name", "prime256v1", "-out", curve], check=True)
        subprocess.run(["openssl", "rsa", "-aes128", "-passout", "pass:x", "-in", KEY, "-out", locked], check=True, capture_output=True)
        other.write_text("no key")
        for key, words in ((curve, "isn't an RSA key"), (other, "openssl pkey"), (locked, "openssl pkey"), (self.folder / "none", "no key")):
            self.assertIn(words, self.pack("crx", "--key", key, status=1))

    def test_what_a_store_refuses_is_not_packed(self):
        copy = self.copy()
        for name, text, words in (
            ("page.js", "eval('1')", "runs text as code"), ("popup.html", "<script>1</script>", "contains code"),
            ("popup.html", '<img src="https://example.org/x.png">', "from elsewhere"), ("_locales/de/messages.json", "{", "Expecting"),
        ):
            path = copy / "WebExtension" / name
            before = path.read_text()
            path.write_text(text)
            self.assertIn(words, self.pack("xpi", root=copy, status=1))
            path.write_text(before)
        for change, words in (
            ({"version": "1.0-beta"}, "isn't one to four numbers"), ({"icons": {"128": "icons/none.png"}}, "icons/none.png"),
            ({"description": "__MSG_nothing__"}, "nothing"),
        ):
            path = copy / "WebExtension/manifest.chromium.json"
            before = path.read_text()
            path.write_text(json.dumps({**json.loads(before), **change}))
            self.assertIn(words, self.pack("zip", root=copy, status=1))
            path.write_text(before)


    def test_what_mozilla_does_not_sign_is_not_packed(self):
        """Since November 2025, it refuses new extensions that don't declare which data they pass on. No tool of ours would say so."""
        before = json.loads((ROOT / "WebExtension/manifest.firefox.json").read_bytes())
        PACK.check_firefox(before)
        cases = [(key, None, key) for key in ("id", "strict_min_version", "data_collection_permissions")]
        cases += [("data_collection_permissions", data, "data_collection_permissions.required") for data in (
            None, [], {}, {"required": []}, {"required": ["none", "websiteContent"]}, {"required": ["everything"]}, {"required": "none"},
            {"required": ["technicalAndInteraction"]}, {"required": ["websiteContent", "websiteContent"]}, {"required": [["none"]]},
            {"optional": ["websiteContent"]},
        )]
        for key, value, words in cases:
            changed = json.loads(json.dumps(before))
            changed["browser_specific_settings"]["gecko"][key] = value
            with self.assertRaisesRegex(PACK.Refused, re.escape(words), msg=(key, value)):
                PACK.check_firefox(changed)
        for key in ("name", "description", "icons", "default_locale", "manifest_version", "version"):
            with self.assertRaisesRegex(PACK.Refused, f"no {key}"):
                PACK.check({name: value for name, value in before.items() if name != key}, {})
        for url in ("http://example.org/u.json", "file:///u.json", "https://", "https://example.org/a b"):
            with self.assertRaisesRegex(PACK.Refused, "https"):
                PACK.pack("xpi", None, url)
        path = (copy := self.copy()) / "WebExtension/manifest.firefox.json"
        del before["browser_specific_settings"]["gecko"]["data_collection_permissions"]
        path.write_text(json.dumps(before))
        self.assertIn("data_collection_permissions", self.pack("xpi", root=copy, status=1))
        self.pack("zip", root=copy)


    def signed(self, *arguments, leave_out=(), **changes):
        """A file that looks as if Mozilla had signed it. Nobody here can."""
        path = self.folder / "signed.xpi"
        packed = zipfile.ZipFile(io.BytesIO(self.pack("xpi", *arguments)))
        files = {name: packed.read(name) for name in packed.namelist()} | {name: b"x" for name in (*PACK.SIGNATURE, "META-INF/cose.sig")}
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in {**files, **changes}.items():
                archive.writestr(name, data) if name not in leave_out else None
        return path

    def test_what_mozilla_sent_back_is_checked(self):
        """A release had no extension for Mozilla's builds, or an old one, and nobody noticed before it was published."""
        PACK.check_signed(self.signed())
        PACK.check_signed(self.signed("--update-url", "https://example.org/u.json"))
        manifest = json.loads((ROOT / "WebExtension/manifest.firefox.json").read_bytes())
        def changed(**values): return json.dumps({**manifest, **values})
        other = {"gecko": {**manifest["browser_specific_settings"]["gecko"], "id": "other@example.org"}}
        for words, options in (
            *((name, {"leave_out": (name,)}) for name in PACK.SIGNATURE), ("background.js differs", {"leave_out": ("background.js",)}),
            ("version '0.0.9'", {"manifest.json": changed(version="0.0.9")}), ("more.js differs", {"more.js": "1"}),
            ("id 'other@example.org'", {"manifest.json": changed(browser_specific_settings=other)}), ("page.js differs", {"page.js": "1"}),
            ("manifest.json differs", {"manifest.json": changed(permissions=["history"])}), ("version None", {"manifest.json": "[]"}),
            ("version None", {"leave_out": ("manifest.json",)}), ("too large", {"page.js": b"0" * (PACK.LENGTH + 1)}),
        ):
            with self.assertRaisesRegex(PACK.Refused, re.escape(words)):
                PACK.check_signed(self.signed(**options))
        path = self.folder / "none.xpi"
        path.write_text("no archive")
        with self.assertRaisesRegex(PACK.Refused, "ZIP"):
            PACK.check_signed(path)
        for arguments in ((path,), (self.folder / "nothing",), ()):
            self.assertNotEqual(subprocess.run([ROOT / "Scripts/pack-extension", "check", *arguments], capture_output=True).returncode, 0)


class ReleaseTests(Folder):
    def release(self, *arguments, **variables):
        """The error of Scripts/release in a clone of the checkout, which ends before it builds anything."""
        environment = {**os.environ, "CRX_KEY": "", "FIREFOX_XPI": "", **variables}
        command = [ROOT / "Scripts/release", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True).stderr

    def test_a_release_needs_the_extensions_key_and_file(self):
        """They were documented, but without them a release was made all the same, with a key that everybody has."""
        (self.folder / "signer").touch()
        options = ("--key", "x", "--uri", "x", "--signer", self.folder / "signer")
        other = self.folder / "other.pem"
        subprocess.run(["openssl", "genrsa", "-out", other, "2048"], check=True, capture_output=True)
        for words, variables in (
            ("CRX_KEY isn't set", {}), ("absolute", {"CRX_KEY": "Packaging/extension/development-key.pem"}), ("absolute", {"CRX_KEY": "/none"}),
            ("FIREFOX_XPI isn't set", {"CRX_KEY": str(other)}), ("absolute", {"CRX_KEY": str(other), "FIREFOX_XPI": "a.xpi"}),
            ("everybody has", {"CRX_KEY": str(KEY), "FIREFOX_XPI": str(other)}), ("can't be published", {"CRX_KEY": str(other), "FIREFOX_XPI": str(other)}),
            ("can't sign", {"CRX_KEY": str(self.folder / "signer"), "FIREFOX_XPI": str(other)}),
        ):
            self.assertIn(words, self.release(*options, **variables))


def fields_of(data):
    """The fields of bytes of a protocol buffer."""
    at = 0

    def number():
        nonlocal at
        value, shift = 0, 0
        while True:
            value |= (data[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 0x80:
                return value

    while at < len(data):
        tag = number()
        length = number()
        yield tag >> 3, data[at:at + length]
        at += length


class ManifestTests(unittest.TestCase):
    """The two manifests say the same, and nothing that the other kind of browsers has another name for."""
    both = {"manifest_version", "name", "default_locale", "version", "description", "icons", "action", "options_ui", "background",
            "incognito", "permissions", "host_permissions"}

    def test_the_keys_are_those_of_the_schemas(self):
        chromium, firefox = (json.loads((ROOT / f"WebExtension/manifest.{name}.json").read_bytes()) for name in ("chromium", "firefox"))
        self.assertLessEqual(chromium.keys(), self.both | {"key", "minimum_chrome_version"})
        self.assertLessEqual(firefox.keys(), self.both | {"browser_specific_settings"})
        for key in ("version", "permissions", "host_permissions", "incognito", "options_ui", "default_locale", "name", "description"):
            self.assertEqual(chromium[key], firefox[key], key)
        gecko = firefox["browser_specific_settings"]["gecko"]
        self.assertRegex(gecko["id"], r"^[a-zA-Z0-9-._]*@[a-zA-Z0-9-._]+$")
        self.assertRegex(gecko["strict_min_version"], r"^\d+\.\d+$")
        self.assertLessEqual(len(firefox["name"]), 45)
        # The page's address and title; the place in it, and what was typed; the words at the top of the window (see Browser.md).
        self.assertEqual(gecko["data_collection_permissions"], {"required": ["browsingActivity", "websiteActivity", "websiteContent"]})
        for path in (ROOT / "WebExtension/_locales").glob("*/messages.json"):
            self.assertLessEqual(len(json.loads(path.read_bytes())["appDescription"]["message"]), 132, path)


class FlagsTests(Folder):
    id = "abcdefghijklmnop" * 2

    def flags(self, flags, **policies):
        """What Chromium starts with if the policies' folder has files of these names, besides Baton's own."""
        folder = self.folder / "policies"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        own = (ROOT / "Packaging/extension/policy.json").read_text().replace("@id@", self.id)
        for name, text in {"!baton.json": own, **policies}.items():
            (folder / name).write_text(text) if text is not None else None
        text = (ROOT / "Packaging/extension/chromium-flags").read_text().replace("/etc/chromium/policies/managed", str(folder))
        script = f'set -eu\n{text}\nprintf "%s" "$CHROMIUM_FLAGS"\n'
        environment = {**os.environ, "CHROMIUM_FLAGS": flags, "LC_ALL": "C.UTF-8"}
        result = subprocess.run(["sh", "-c", script], env=environment, capture_output=True, text=True, check=True)
        self.assertEqual(result.stderr, "")
        return result.stdout.strip()

    def test_debians_chromium_loads_no_second_copy(self):
        """Other extensions and options stay."""
        folder = "/usr/share/chromium/extensions"
        for before, after in (
            (f" --load-extension={folder}/baton", ""), (f" --a --load-extension={folder}/baton --b", "--a  --b"),
            (f" --load-extension={folder}/baton, {folder}/z", f"--load-extension={folder}/z"),
            (f" --load-extension=/a, {folder}/baton --b", "--load-extension=/a --b"),
            (f" --load-extension=/a,{folder}/baton,/z", "--load-extension=/a,/z"),
            (f" --load-extension={folder}/baton2", f"--load-extension={folder}/baton2"), ("", ""),
        ):
            self.assertEqual(self.flags(before), after)

    def test_without_the_policy_it_loads_it(self):
        flags = "--load-extension=/usr/share/chromium/extensions/baton"
        self.assertEqual(self.flags(flags, **{"!baton.json": None}), flags)

    def test_where_an_administrators_policy_counts_it_loads_it(self):
        """An extension was gone if the policies of an administrator replaced Baton's, and the doctor said that all was well."""
        flags = "--load-extension=/usr/share/chromium/extensions/baton"
        settings, same = '{"ExtensionSettings": {"*": {}}}', f'{{"ExtensionSettings": {{"{self.id}": {{}}}}}}'
        for name in ("all.json", "~last", "#first.json", ".hidden", "with space.json", "ä.json"):
            self.assertEqual(self.flags(flags, **{name: settings}), flags, name)
            self.assertEqual(self.flags(flags, **{name: same}), "", name)
        self.assertEqual(self.flags(flags, **{"a.json": same, "b.json": settings}), flags)
        self.assertEqual(self.flags(flags, **{"a.json": settings, "b.json": same}), "")
        # Other policies, and what sorts before Baton's, replace nothing.
        for policies in ({"a.json": '{"ExtensionInstallForcelist": []}'}, {" a.json": settings}, {"b.json": ""}):
            self.assertEqual(self.flags(flags, **policies), "", policies)


class FirefoxPolicyTests(Folder):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "etc/firefox/policies/policies.json"
        self.script = self.folder / "firefox-policy"
        text = (ROOT / "Packaging/extension/firefox-policy").read_text().replace("@folder@", "/usr/share/baton/browser")
        self.script.write_text(text)
        self.entry = {"handoff@baton.io": {
            "installation_mode": "normal_installed", "install_url": "file:///usr/share/baton/browser/handoff@baton.io.xpi",
        }}

    def run_script(self, verb, status=0):
        command = [sys.executable, self.script, verb]
        result = subprocess.run(command, env={**os.environ, "BATON_ROOT": str(self.folder)}, capture_output=True, text=True)
        self.assertEqual(result.returncode, status, result.stderr)
        return result.stderr

    def write(self, text):
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(text)

    def test_without_a_file_there_is_one_until_the_package_is_removed(self):
        for _ in range(2):
            self.run_script("add")
            self.assertEqual(json.loads(self.file.read_text()), {"policies": {"ExtensionSettings": self.entry}})
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o644)
        self.run_script("remove")
        self.assertFalse((self.folder / "etc/firefox").exists())
        self.run_script("remove")

    def test_policies_of_others_stay(self):
        for before in (
            {"policies": {"DisableTelemetry": True}}, {"policies": {}, "other": 1}, {},
            {"policies": {"ExtensionSettings": {"*": {"installation_mode": "blocked"}}, "ä": "ö"}},
        ):
            self.write(json.dumps(before, indent="\t"))
            self.file.chmod(0o640)
            self.run_script("add")
            added = json.loads(self.file.read_text())
            self.assertEqual(added["policies"]["ExtensionSettings"]["handoff@baton.io"], self.entry["handoff@baton.io"])
            self.assertIn('\n\t"', self.file.read_text() if before else '\n\t"')
            self.assertEqual(self.file.stat().st_mode & 0o777, 0o640)
            self.run_script("remove")
            if before:
                self.assertEqual(json.loads(self.file.read_text()), before)
            self.assertEqual([path.name for path in self.file.parent.glob("*")] if before else [], ["policies.json"] if before else [])

    def test_an_entry_that_somebody_else_made_stays(self):
        for mode in ("blocked", "force_installed"):
            text = json.dumps({"policies": {"ExtensionSettings": {"handoff@baton.io": {"installation_mode": mode}}}})
            self.write(text)
            for verb in ("add", "remove"):
                self.run_script(verb)
                self.assertEqual(self.file.read_text(), text)

    def test_what_is_not_clear_stays_and_is_named(self):
        for text in ("", "{", "[]", '{"policies": []}', '{"policies": {"ExtensionSettings": "{}"}}', "[" * 100_000, "\xff" * 10):
            self.write(text)
            for verb in ("add", "remove"):
                self.assertRegex(self.run_script(verb, 1), r"stay as they are\. .*yourself")
                self.assertEqual(self.file.read_text(), text)
        target = self.folder / "elsewhere.json"
        target.write_text("{}")
        self.file.unlink()
        self.file.symlink_to(target)
        self.assertIn("isn't an ordinary file", self.run_script("add", 1))
        self.assertEqual(target.read_text(), "{}")
        self.file.unlink()
        self.file.mkdir()
        self.run_script("add", 1)

    def other(self, place, name):
        """The policies in the folder of a browser that calls itself so, or doesn't say how."""
        own = self.folder / place / "distribution/policies.json"
        own.parent.mkdir(parents=True)
        own.write_text('{"policies": {}}')
        if name is not None:
            (self.folder / place / "application.ini").write_text(f"[App]\nVendor=Mozilla\nName={name}\nRemotingName=Firefox\n")
        return own

    def test_policies_that_firefox_would_no_longer_read_stay(self):
        """It reads the file in its own folder only as long as the system has none."""
        for place in ("usr/lib/firefox", "usr/lib64/firefox-esr", "opt/firefox", "opt/some/firefox"):
            own = self.other(place, "Firefox")
            self.assertIn(str(own), self.run_script("add", 1))
            self.assertFalse(self.file.exists())
            own.unlink()

    def test_policies_of_other_programs_are_in_nobodys_way(self):
        """Thunderbird and LibreWolf have such files, too, and never read those of Firefox. A package of one kept the extension away."""
        for place, name in (("usr/lib/thunderbird", "Thunderbird"), ("usr/share/librewolf", "LibreWolf"), ("opt/firefox", "FirefoxLike"), ("opt/x", None)):
            self.other(place, name)
        self.run_script("add")
        self.assertTrue(self.file.exists())

    def test_what_failed_is_tried_again_and_what_somebody_deleted_is_not(self):
        """After an upgrade, nobody who had made room for the extension got it."""
        own = self.other("opt/firefox", "Firefox")
        self.run_script("add", 1)
        self.run_script("retry", 1)
        own.unlink()
        self.run_script("retry")
        self.assertTrue(self.file.exists())
        self.file.unlink()
        self.run_script("retry")
        self.assertFalse(self.file.exists())
        self.other("opt/more/firefox", "Firefox")
        self.run_script("add", 1)
        self.run_script("remove")
        self.assertFalse((self.folder / "var/lib/baton-browser-firefox").exists())
        self.run_script("again", 1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
