# SPDX-License-Identifier: Apache-2.0
# Installing, and upgrading.

running() { [ -z "$dry" ] && [ -d /run/systemd/system ]; }

# Two installations at once would undo each other's work.
begin() {
  cd "$here"
  [ -z "$dry" ] && [ "$(id -u)" = 0 ] || return 0
  if command -v flock >/dev/null; then
    exec 9>/run/baton-install.lock
    flock -n 9 || die "Another install.sh is running. Wait until it has finished."
  fi
  trap 'rm -f ${part:+"$part"}' EXIT
  trap 'say "install.sh: Interrupted. Run the same command again." >&2; exit 1' HUP INT TERM
}

install() {
  [ -d "$here/tree" ] || die "This installed copy can only uninstall. To install or upgrade, run install.sh of an archive."
  check_system
  is_first=1
  if [ -e "$manifest" ]; then is_first=''; fi
  [ -n "$dry" ] || begin_manifest
  while IFS= read -r file; do
    place_of "$file"
    if [ -n "$skipped" ]; then case $file in system/usr/*) continue ;; esac; fi
    case $place in
      /etc/baton/*)
        # Configuration belongs to the administrator.
        [ -e "$place" ] || act install_configuration "$file" "$place"
        continue ;;
      /etc/*) if [ -e "$place" ] && ! is_ours "$place"; then continue; fi ;;
    esac
    put "$file" "$place"
  done <"$here/files"
  put install.sh "$prefix/lib/baton/install.sh"
  if [ "$shared" != "$prefix" ]; then
    link "$prefix/bin/baton" /usr/local/bin/baton
    link "$prefix/sbin/batond" /usr/local/sbin/batond
  fi
  [ -n "$dry" ] || remove_listed "$manifest.all" "$manifest.new"
  if command -v restorecon >/dev/null; then try restorecon -R "$prefix" "$shared/lib/systemd" /etc/baton; fi
  start_units
  [ -n "$dry" ] || end_manifest
  report
}

begin_manifest() {
  needed=$prefix/lib/baton directories=''
  while [ ! -d "$needed" ]; do directories="$needed $directories" needed=$(dirname "$needed"); done
  # Without blanks in the prefix.
  for directory in $directories; do mkdir "$directory"; done
  touch "$manifest.all"
  if [ -e "$manifest" ]; then cat "$manifest" >>"$manifest.all"; fi
  : >"$manifest.new"
  for directory in $directories; do note "d $directory"; done
}

# The directories of older versions stay ours.
end_manifest() {
  sed -n '/^d /p' "$manifest.all" >>"$manifest.new"
  say "v $VERSION" >>"$manifest.new"
  sort -u "$manifest.new" >"$manifest.part"
  mv "$manifest.part" "$manifest"
  rm -f "$manifest.new" "$manifest.all"
}

install_configuration() {
  [ -d "$(dirname "$2")" ] || mkdir -p "$(dirname "$2")"
  cp "$1" "$2.part"
  chmod 644 "$2.part"
  mv "$2.part" "$2"
}

start_units() {
  if [ -n "$dry" ]; then
    say "systemd-sysusers $shared/lib/sysusers.d/batond.conf"
  else
    answer=$(systemd-sysusers "$shared/lib/sysusers.d/batond.conf" 2>&1) || die "The user batond can't be made: $answer"
  fi
  [ -n "$start" ] || return 0
  if [ -n "$is_first" ]; then
    act systemctl --quiet enable batond.service batond.socket
    act systemctl --quiet --global enable baton-agent.service baton-agent.socket
  fi
  if [ -z "$dry" ] && ! running; then return; fi
  act systemctl daemon-reload
  # The bus reads its policy for batond now that the user is there.
  try systemctl reload dbus.service
  if [ -n "$is_first" ]; then
    act systemctl start batond.socket batond.service || started=failed
  else
    act systemctl try-restart batond.service || started=failed
  fi
  each '
    manager="systemctl --user --quiet"
    $manager daemon-reload
    $manager --no-block try-restart batond.service
    if $manager is-enabled baton-agent.service; then restart=restart; else restart=try-restart; fi
    $manager --no-block $restart baton-agent.service'
}

report() {
  [ -z "$dry" ] || { say "Nothing was changed."; return; }
  if [ -n "$skipped" ]; then
    say "Note: /usr is read-only, so the browser extension wasn't installed." >&2
  fi
  if ! command -v avahi-daemon >/dev/null && [ ! -e /usr/sbin/avahi-daemon ]; then
    say "Note: Avahi is missing, so machines don't find each other by themselves. Install the package avahi-daemon (Debian)" \
      "or avahi." >&2
  elif running && ! systemctl --quiet is-active avahi-daemon.service; then
    say "Note: Avahi isn't running, so machines don't find each other by themselves. Run: systemctl enable --now avahi-daemon" >&2
  fi
  if [ "${started:-}" = failed ]; then
    die "Baton $VERSION is installed in $prefix, but doesn't start. To find out why, run: journalctl -u batond"
  elif [ -n "$is_first" ] && ! running; then
    say "Baton $VERSION is installed in $prefix, and starts at the next boot. Then run \`baton setup\` as your normal user, without sudo."
  elif [ -n "$is_first" ] && [ -n "$start" ]; then
    say "Baton $VERSION is running. To set it up, run \`baton setup\` as your normal user, without sudo."
  else
    say "Baton $VERSION is installed in $prefix."
  fi
}
