# each_user COMMANDS: runs the commands as each user with a running systemd, because debhelper handles system units only.
# They use that systemd's own socket, which exists even without a session bus. One that does not answer changes at the next
# login. policy-rc.d returns 101 if nothing may be started or stopped.
# A user can trace these processes, so they get neither root's environment and terminal nor debconf's descriptor.
each_user() {
  if [ ! -d /run/systemd/system ]; then return; fi
  status=0
  if command -v policy-rc.d >/dev/null; then policy-rc.d baton-agent restart || status=$?; fi
  if [ $status = 101 ]; then return; fi
  for socket in /run/user/*/systemd/private; do
    if [ ! -S "$socket" ]; then continue; fi
    directory=${socket%/systemd/private}
    user=${directory##*/}
    setsid --wait setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups --reset-env \
      env XDG_RUNTIME_DIR="$directory" timeout 20 sh -c "$1" </dev/null >/dev/null 2>&1 3>&- || true
  done
}
