# SPDX-License-Identifier: Apache-2.0
"""Browsers that aren't Debian's, or aren't where Debian puts them: copies of the real ones in unusual places. They get the
extension by policy, without a network."""
# Labs: lo
import json
import os
import shutil
import subprocess

from lab import BUILD, ROOT, LabTest, on

USER = 61001
# What is installed is seen by this script and its children only, which see no other browsers of this person. `as_user` runs a program as the person, `doctor` waits until
# a line of the doctor about browsers is there.
SCRIPT = """
set -euo pipefail
directory=$1 root=$2 build=$3 user=$4
for name in usr etc opt; do
  mkdir "$directory/$name" "$directory/$name.work"
  mount -t overlay overlay -o "lowerdir=/$name,upperdir=$directory/$name,workdir=$directory/$name.work" "/$name"
done
# install TARGET...: what a make around this one has set makes it talk.
install() { env -u MAKEFLAGS make -s -C "$root" PREFIX=/usr "$@" >&2; }
as_user() { setpriv --reuid "$user" --regid "$user" --clear-groups "$@"; }
# begin LOG COMMAND...: starts a program as the person; $! is that program itself.
begin() { setpriv --reuid "$user" --regid "$user" --clear-groups "${@:2}" >"$1.log" 2>&1 & }
# The doctor fails, because there is no team.
lines() { { as_user baton doctor 2>/dev/null || true; } | sed -n 's/^[^ ]* *browser  *//p'; }
doctor() {
  local end=$((SECONDS + 90))
  until grep -Fxq -- "$1" <<<"$(lines)"; do
    [ $SECONDS -lt $end ] || { echo "The doctor doesn't find: $1" >&2; lines >&2; tail -n 20 "$HOME"/*.log >&2; exit 1; }
    sleep 0.5
  done
}
# wait_for COMMAND...: until it succeeds.
wait_for() {
  local end=$((SECONDS + 90))
  until "$@"; do [ $SECONDS -lt $end ] || { echo "Nothing came of: $*" >&2; tail -n 20 "$HOME"/*.log >&2; exit 1; }; sleep 0.5; done
}
end() { kill "$1"; wait "$1" || true; }
chromium_options=(--headless=new --no-sandbox --disable-gpu --no-first-run --disable-component-update about:blank)
cp "$build/baton" /usr/bin/baton
cd "$HOME"
install install-webextension
"""
# A copy of a browser's folder, which shares its memory with the browser's own.
COPY = """
copy() { mkdir -p "$2" && mount --bind "$1" "$2"; }
"""


class OtherBrowserTests(LabTest):
    labs = ("lo",)

    def run_script(self, script, **variables):
        """What the script prints."""
        self.directory.chmod(0o755)
        laptop = self.batond("laptop").start()
        home = self.directory / "home"
        home.mkdir(mode=0o700)
        os.chown(home, USER, USER)
        environment = {
            **os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8",
            "BATON_SOCKET": str(laptop.socket), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **variables,
        }
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c", SCRIPT + COPY + script, "script", self.directory, ROOT, BUILD, str(USER)]
        result = subprocess.run(
            on(laptop.host, *command), env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=400
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def sources(self, version):
        """The sources of the extension in a newer version."""
        copy = self.directory / f"sources-{version}"
        for name in ("WebExtension", "Scripts", "Packaging", "Config"):
            shutil.copytree(ROOT / name, copy / name)
        shutil.copy(ROOT / "Makefile", copy)
        (copy / "po").mkdir()
        (copy / "po/LINGUAS").touch()
        (copy / "Editors/emacs").mkdir(parents=True)
        (copy / "Editors/emacs/baton.el").touch()
        for path in copy.glob("WebExtension/manifest.*.json"):
            manifest = json.loads(path.read_text())
            path.write_text(json.dumps({**manifest, "version": version}, indent=2))
        return copy

    def test_several_at_once_in_unusual_places(self):
        """One of them has policies and hosts in a folder of its own, as Brave does."""
        self.run_script("""
            install install-webextension-chrome
            copy /usr/lib/chromium /opt/brave.com/brave
            copy /usr/lib/chromium "$HOME/My Browsers/chromium [156]"
            copy /usr/lib/firefox-esr "$HOME/firefox"
            doctor "Brave has Baton's extension. It isn't running."
            unshare --mount bash -c 'mount --bind /etc/brave /etc/chromium && exec setpriv --reuid "$0" --regid "$0" --clear-groups "$@"' \\
              "$user" /opt/brave.com/brave/chromium --user-data-dir="$HOME/.config/BraveSoftware/Brave-Browser" \\
              "${chromium_options[@]}" >brave.log 2>&1 &
            begin chromium "$HOME/My Browsers/chromium [156]/chromium" --user-data-dir="$HOME/.config/chromium" "${chromium_options[@]}"
            begin firefox "$HOME/firefox/firefox-esr" --headless about:blank
            doctor "Brave is connected to Baton."
            doctor "Chromium (~/My Browsers/chromium [156]) is connected to Baton."
            doctor "Firefox (~/firefox) is connected to Baton."
            kill $(jobs -p)
            wait
        """)

    def test_debians_chromium_has_the_extension_once(self):
        """The policy gives it the extension, and so does baton-browser."""
        self.run_script("""
            install install-webextension-chrome
            begin chromium chromium --user-data-dir="$HOME/.config/chromium" "${chromium_options[@]}"
            doctor "Chromium is connected to Baton."
            ! tr '\\0' '\\n' <"/proc/$!/cmdline" | grep extensions/baton
            ls "$HOME"/.config/chromium/Default/Extensions | grep -Fxq "$("$root/Scripts/pack-extension" id --key "$root/Packaging/extension/development-key.pem")"
            end $!
            # An administrator's policy that doesn't mention it leaves the other copy, and one that blocks everything leaves none.
            policies=/etc/chromium/policies/managed
            echo '{"ExtensionSettings": {"'$(printf 'abcdefgh%.0s' 1 2 3 4)'": {"installation_mode": "blocked"}}}' >$policies/everything.json
            begin chromium chromium --user-data-dir="$HOME/.config/chromium" "${chromium_options[@]}"
            doctor "Chromium is connected to Baton."
            tr '\\0' '\\n' <"/proc/$!/cmdline" | grep -q extensions/baton
            end $!
            echo '{"ExtensionSettings": {"*": {"installation_mode": "blocked"}}}' >$policies/everything.json
            begin chromium chromium --user-data-dir="$HOME/.config/chromium" "${chromium_options[@]}"
            doctor "Chromium doesn't have Baton's extension, because $policies/everything.json blocks it."
            end $!
            rm $policies/everything.json
            # Without the policy, it loads the other again.
            rm $policies/'!baton.json'
            begin chromium chromium --user-data-dir="$HOME/.config/chromium" "${chromium_options[@]}"
            doctor "Chromium is connected to Baton."
            tr '\\0' '\\n' <"/proc/$!/cmdline" | grep -q extensions/baton
            end $!
        """)

    def test_an_upgrade_brings_the_new_version_and_a_removal_takes_it_away(self):
        self.run_script("""
            install install-webextension-chrome
            copy /usr/lib/chromium "$HOME/chromium"
            id=$("$root/Scripts/pack-extension" id --key "$root/Packaging/extension/development-key.pem")
            extensions=$HOME/.config/chromium/Default/Extensions/$id
            start() { begin chromium "$HOME/chromium/chromium" --user-data-dir="$HOME/.config/chromium" "${chromium_options[@]}"; }
            start
            doctor "Chromium (~/chromium) is connected to Baton."
            end $!
            env -u MAKEFLAGS make -s -C "$NEWER" PREFIX=/usr install-webextension-chrome >&2
            start
            wait_for test -d "$extensions/9.9.9_0"
            end $!
            # Of two versions of one policy, that of an administrator counts.
            policies=/etc/chromium/policies/managed
            echo '{"ExtensionSettings": {"*": {"installation_mode": "blocked"}}}' >$policies/everything.json
            start
            wait_for test ! -e "$extensions"
            doctor "Chromium (~/chromium) doesn't have Baton's extension, because $policies/everything.json blocks it."
            end $!
            echo '{"ExtensionSettings": {"*": {"installation_mode": "allowed"}}}' >$policies/everything.json
            start
            doctor "Chromium (~/chromium) doesn't have Baton's extension, because $policies/everything.json replaces the policy that installs it."
            end $!
            rm $policies/everything.json
            start
            doctor "Chromium (~/chromium) is connected to Baton."
            end $!
            # What dpkg does when the package is removed: links are no configuration.
            rm -r /usr/share/baton/browser $policies/'!baton.json'
            start
            wait_for test ! -e "$extensions"
            end $!
        """, NEWER=str(self.sources("9.9.9")))

    def test_firefox_takes_the_signed_file_and_keeps_other_policies(self):
        """Nobody here can sign, so this Firefox is told not to look. It may not load the extension as Debian's does."""
        newer = self.sources("9.9.9")
        printed = self.run_script("""
            rm -r /usr/share/mozilla/extensions
            mkdir -p /etc/firefox/policies "$HOME/profile"
            printf '{\\n\\t"policies": {"DisableTelemetry": true, "ExtensionSettings": {"*": {"installation_mode": "allowed"}}}}' >/etc/firefox/policies/policies.json
            "$root/Scripts/pack-extension" xpi old.xpi
            "$NEWER/Scripts/pack-extension" xpi new.xpi
            copy /usr/lib/firefox-esr "$HOME/firefox"
            echo 'user_pref("xpinstall.signatures.required", false);' >profile/user.js
            chown -R "$user:$user" profile
            start() { begin firefox "$HOME/firefox/firefox-esr" --headless --profile "$HOME/profile" about:blank; }
            has() { grep -q "\\"handoff@baton.io\\".*\\"version\\":\\"$1\\"" profile/extensions.json; }
            install install-webextension-firefox FIREFOX_XPI="$HOME/old.xpi"
            start
            doctor "Firefox (~/firefox) is connected to Baton."
            # It saves later what it has installed.
            wait_for has '[0-9.]*'
            end $!
            install install-webextension-firefox FIREFOX_XPI="$HOME/new.xpi"
            start
            wait_for has 9.9.9
            doctor "Firefox (~/firefox) is connected to Baton."
            end $!
            /usr/share/baton/browser/firefox-policy remove
            cat /etc/firefox/policies/policies.json
        """, NEWER=str(newer))
        settings = {"*": {"installation_mode": "allowed"}}
        self.assertEqual(json.loads(printed), {"policies": {"DisableTelemetry": True, "ExtensionSettings": settings}})
