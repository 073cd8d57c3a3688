# SPDX-License-Identifier: Apache-2.0
# Where everything goes.

# Of the installed version, its unit shows the prefix.
installed_prefix() {
  for folder in /usr/local/lib /usr/lib; do
    unit=$folder/systemd/system/batond.service
    [ -e "$unit" ] || continue
    found=$(sed -n 's|^ExecStart=\(/.*\)/sbin/batond.*|\1|p' "$unit")
    if [ -n "$found" ] && is_installed "$found"; then printf '%s\n' "$found"; return; fi
  done
}
is_installed() { [ -e "$1/lib/baton/manifest" ] || [ -e "$1/lib/baton/manifest.all" ]; }

old=$(installed_prefix)
if [ -z "$prefix" ]; then
  prefix=${old:-/opt/baton}
  [ -d "$here/tree" ] || prefix=${here%/lib/baton}
fi
while [ "$prefix" != / ] && [ "${prefix%/}" != "$prefix" ]; do prefix=${prefix%/}; done
case $prefix in
  / | [!/]* | *[!A-Za-z0-9/._+-]* | */../* | */.. | */./* | */. | *//*)
    wrong "The prefix '$prefix' must be an absolute path of letters, digits and . _ + - only." ;;
esac
# The service sees none of these, or cannot run anything there.
case $prefix/ in
  /dev/* | /etc/* | /home/* | /proc/* | /root/* | /run/* | /sys/* | /tmp/* | /var/tmp/*)
    wrong "The service can't run programs in '$prefix'. Use a directory such as /opt/baton." ;;
esac
if [ -n "$old" ] && [ "$old" != "$prefix" ]; then
  die "Baton is already installed in $old. Leave out --prefix, or first run $old/lib/baton/install.sh uninstall."
fi

# systemd, D-Bus and desktops look in /usr and /usr/local, and nowhere else.
case $prefix in /usr | /usr/local) shared=$prefix ;; *) shared=/usr/local ;; esac
# What this script has installed: `f FILE`, `d DIRECTORY`, `v VERSION`. While it works, manifest.all has the old and the new
# files, and manifest.new has the new ones.
manifest=$prefix/lib/baton/manifest

# place_of FILE: where a file of the archive goes. tree/ is for the prefix, and system/ for /.
place_of() {
  case $1 in
    tree/bin/* | tree/sbin/* | tree/lib/baton/* | tree/share/locale/* | tree/share/licenses/*) place=$prefix/${1#tree/} ;;
    tree/*) place=$shared/${1#tree/} ;;
    system/*) place=/${1#system/} ;;
  esac
}
