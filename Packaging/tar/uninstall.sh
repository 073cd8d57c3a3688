# SPDX-License-Identifier: Apache-2.0
# Uninstalling.

uninstall() {
  is_installed "$prefix" || die "There's no installation in $prefix that this script has made."
  [ -n "$dry" ] || [ "$(id -u)" = 0 ] || die "You aren't root. Run this with sudo, or as root."
  each 'systemctl --user stop batond.socket batond.service baton-agent.socket baton-agent.service'
  try systemctl --quiet --global disable baton-agent.service baton-agent.socket batond.service batond.socket
  if running || [ -n "$dry" ]; then try systemctl --quiet stop batond.socket batond.service batond-retry.timer; fi
  try systemctl --quiet disable batond.service batond.socket batond-retry.timer
  [ -n "$dry" ] || touch "$manifest.all"
  list=$manifest
  if [ -z "$dry" ]; then
    if [ -e "$manifest" ]; then cat "$manifest" >>"$manifest.all"; fi
    list=$manifest.all
  fi
  remove_listed "$list"
  # systemd doesn't remove the sockets of units that it has stopped.
  try rm -rf /run/baton /run/varlink/registry/io.baton.Handoff
  if running; then try systemctl daemon-reload; try systemctl reload dbus.service; fi
  each 'systemctl --user daemon-reload'
  if [ -n "$dry" ]; then say "Nothing was changed."; return; fi
  directories=$(sort -ru "$list" | sed -n 's/^d //p')
  rm -f "$manifest" "$manifest".*
  for directory in $directories; do rmdir "$directory" 2>/dev/null || true; done
  say "Baton is uninstalled. These stay:"
  for path in /var/lib/baton /etc/baton; do
    if [ -e "$path" ]; then case $path in /etc/*) kind="the configuration" ;; *) kind="this machine's teams and keys" ;; esac; say "- $path: $kind"; fi
  done
  say "- the user batond, which the teams and keys belong to"
  say "- in home directories: .config/baton, .local/state/baton, .local/share/baton and Handoff"
  say "A later installation uses them again. To delete the first two, run: rm -rf /var/lib/private/baton /var/lib/baton /etc/baton"
}
