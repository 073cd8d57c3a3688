# each_user COMMANDS: runs them as each user who has a systemd of their own; debhelper looks after the units of the machine only.
# They ask it over its own socket, which is there without a session bus, too. What does not answer is left to the next login.
# policy-rc.d says 101 where nothing may be started or stopped.
# A user may trace such a process: it gets neither the environment and the terminal of root nor debconf's descriptor.
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
