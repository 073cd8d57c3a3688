# SPDX-License-Identifier: Apache-2.0
"""A Firefox that takes itself for a flatpak starts Baton through the real xdg-native-messaging-proxy, which is outside of it."""
# Labs: lo
import os
import subprocess

from lab import BUILD, ROOT, LabTest, on

USER = 61001
# Scripts/run-integration makes it, because labs have no network.
DEBIAN = ROOT / ".build/debian-firefox"
# Debian's Firefox asks the proxy only with this preference: 2 is "in a sandbox".
PREFERENCE = 'user_pref("widget.use-xdg-desktop-portal.native-messaging-proxy", 2);'
# The machine has Baton and the proxy, and the sandbox Firefox and the extension. Both have the home folder.
SCRIPT = r"""
set -euo pipefail
directory=$1 debian=$2 root=$3 build=$4 user=$5
for name in machine sandbox; do
  mkdir "$directory/$name" "$directory/$name.new" "$directory/$name.work"
  mount -t overlay overlay -o "lowerdir=$debian,upperdir=$directory/$name.new,workdir=$directory/$name.work" "$directory/$name"
done
# install PLACE: what a make around this one has set makes it talk.
install() { env -u MAKEFLAGS make -s -C "$root" install-webextension PREFIX=/usr DESTDIR="$1" >&2; }
install "$directory/machine"
rm -r "$directory"/machine/usr/share/mozilla/extensions
cp "$build/baton" "$directory/machine/usr/bin"
# The machine's Firefox is the flatpak.
rm -r "$directory"/machine/usr/lib/firefox "$directory"/machine/usr/bin/firefox
install "$directory/sandbox"
rm -r "$directory"/sandbox/usr/lib/baton "$directory"/sandbox/usr/lib/mozilla/native-messaging-hosts
printf '[Application]\nname=org.mozilla.firefox\nruntime=runtime/org.example.Platform/x86_64/1\n\n[Instance]\ninstance-id=1\n' >"$directory/sandbox/.flatpak-info"
for name in machine sandbox; do
  echo "person:x:$user:$user::$HOME:/bin/sh" >>"$directory/$name/etc/passwd"
  for shared in /proc /dev "$HOME" "$(dirname "$BATON_SOCKET")"; do
    mkdir -p "$directory/$name$shared"
    mount --rbind "$shared" "$directory/$name$shared"
  done
done
# inside PLACE COMMAND...: as the person.
inside() { chroot "$directory/$1" setpriv --reuid "$user" --regid "$user" --clear-groups "${@:2}"; }
inside machine dbus-daemon --session --nofork --address="$DBUS_SESSION_BUS_ADDRESS" >"$HOME/bus.log" 2>&1 &
lines() { { inside machine baton doctor 2>/dev/null || true; } | sed -n 's/^[^ ]* *browser  *//p'; }
until [ -S "$HOME/bus" ] || [ $SECONDS -gt 30 ]; do sleep 0.2; done
inside sandbox firefox --headless --profile "$HOME/profile" about:blank >"$HOME/firefox.log" 2>&1 &
until grep -Fxq "$6" <<<"$(lines)" || [ $SECONDS -gt 120 ]; do sleep 0.5; done
lines
tail -n 20 "$HOME"/*.log >&2
"""


class FlatpakTests(LabTest):
    labs = ("lo",)

    def test_the_proxy_starts_baton_outside_of_the_sandbox(self):
        self.assertTrue((DEBIAN / "usr/lib/firefox/firefox").exists(), "Debian sid's Firefox could not be fetched")
        self.directory.chmod(0o755)
        laptop = self.batond("laptop").start()
        home = self.directory / "home"
        for path in (home, home / "profile"):
            path.mkdir(mode=0o700)
            os.chown(path, USER, USER)
        (home / "profile/user.js").write_text(PREFERENCE)
        environment = {
            "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8", "MOZ_HEADLESS": "1",
            "BATON_SOCKET": str(laptop.socket), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={home}/bus", "LAB_ON": os.environ["LAB_ON"], "LAB_HOSTS": os.environ["LAB_HOSTS"],
        }
        expected = "Firefox is connected to Baton."
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c", SCRIPT, "script"]
        result = subprocess.run(
            on(laptop.host, *command, self.directory, DEBIAN, ROOT, BUILD, USER, expected), env={**os.environ, **environment},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
        )
        self.assertEqual(result.stdout.splitlines(), [expected], result.stderr)
