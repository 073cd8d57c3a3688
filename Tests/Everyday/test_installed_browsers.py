# SPDX-License-Identifier: Apache-2.0
"""Debian's browsers find the extension and its program where the package installs them, in a new or an old profile."""
# Labs: lo
import json
import os
import re
import subprocess
import zipfile

from lab import BUILD, ROOT, LabTest, on

USER = 61001
# What is installed is seen by this script and its children only.
SCRIPT = """
set -euo pipefail
[ -z "$6" ] || setpriv --reuid "$4" --regid "$4" --clear-groups bash -c "$6"
for name in usr etc; do
  mkdir "$1/$name" "$1/$name.work"
  mount -t overlay overlay -o "lowerdir=/$name,upperdir=$1/$name,workdir=$1/$name.work" "/$name"
done
# What a make around this one has set makes it talk.
env -u MAKEFLAGS make -s -C "$2" install-webextension PREFIX=/usr >&2
cp "$3/baton" /usr/bin/baton
exec setpriv --reuid "$4" --regid "$4" --clear-groups bash -c "$5"
"""
# Makes a profile in which Firefox knows what extensions there are.
PREPARE = """
cd
firefox-esr --headless about:blank >firefox.log 2>&1 &
until find . -name addonStartup.json.lz4 | grep -q . || [ $SECONDS -gt 60 ]; do sleep 0.5; done
kill %1
wait || true
"""
# Shows the doctor's lines as soon as both browsers are connected, or after 90 s.
USE = """
cd
firefox-esr --headless about:blank >firefox.log 2>&1 &
chromium --headless=new --no-sandbox --disable-gpu --no-first-run about:blank >chromium.log 2>&1 &
end=$((SECONDS + 90))
until
  lines=$(baton doctor | grep -w browser)
  [ "$(grep -c 'is connected to Baton' <<<"$lines")" = 2 ] || [ $SECONDS -gt $end ]
do
  sleep 0.5
done
echo "$lines"
kill $(jobs -p)
wait
"""


class InstalledTests(LabTest):
    labs = ("lo",)

    def test_the_extension_is_loaded_and_connected(self):
        self.check("")

    def test_firefox_loads_it_at_the_first_start_after_the_installation(self):
        self.check(PREPARE)

    def test_firefox_knows_what_data_the_extension_declares(self):
        """Firefox ignores what its schema doesn't know, and so would the person who is asked."""
        schema = zipfile.ZipFile("/usr/lib/firefox-esr/omni.ja").read("chrome/toolkit/content/extensions/schemas/manifest.json")
        lines = "".join(line for line in schema.decode().splitlines(True) if not line.lstrip().startswith("//"))
        types = {each["id"]: each for part in json.loads(lines) for each in part.get("types", []) if "id" in each}
        known = types["CommonDataCollectionPermission"]["choices"][0]["enum"]
        packs = (ROOT / "Scripts/pack-extension").read_text()
        self.assertEqual(sorted(re.findall(r'"(\w+)"', re.search(r"^DATA = \{(.*?)^\}", packs, re.M | re.S)[1])), sorted(known))
        manifest = json.loads((ROOT / "WebExtension/manifest.firefox.json").read_bytes())
        declared = manifest["browser_specific_settings"]["gecko"]["data_collection_permissions"]["required"]
        self.assertLessEqual(set(declared), set(known))

    def check(self, prepare):
        self.directory.chmod(0o755)
        laptop = self.batond("laptop").start()
        home = self.directory / "home"
        home.mkdir(mode=0o700)
        os.chown(home, USER, USER)
        environment = {
            **os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8",
            "BATON_SOCKET": str(laptop.socket), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        }
        arguments = [self.directory, ROOT, BUILD, str(USER), USE, prepare]
        command = ["unshare", "--mount", "bash", "-c", SCRIPT, "install", *arguments]
        result = subprocess.run(
            on(laptop.host, *command), env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180
        )
        lines = [line.split(None, 2)[2] for line in result.stdout.splitlines()]
        self.assertEqual(lines, ["Chromium is connected to Baton.", "Firefox is connected to Baton."], result.stderr)
