# each_user COMMANDS: runs the commands for each user whose systemd is running, because debhelper handles system units only.
# The user can trace, stop and change whatever runs as that user. So it is not root's child, but a unit of its own, in the
# user's slice and with the user's limits, and systemd ends it in time. Root waits for all users at the same time. Whatever
# does not answer changes at the next login. policy-rc.d returns 101 if nothing may be started or stopped.
each_user() {
  if [ ! -d /run/systemd/system ]; then return; fi
  status=0
  if command -v policy-rc.d >/dev/null; then policy-rc.d baton-agent restart || status=$?; fi
  if [ $status = 101 ]; then return; fi
  for user in $(systemctl list-units --plain --no-legend --state=active 'user@*.service' |
    sed -n 's/^user@\([0-9]*\)\.service .*/\1/p'); do
    timeout -k 1 30 systemd-run --quiet --collect --description="Units of Baton for user $user" --slice="user-$user.slice" \
      --uid="$user" --setenv=XDG_RUNTIME_DIR="/run/user/$user" --property=PAMName=systemd-user --property=Type=oneshot \
      --property=TimeoutStartSec=10s --property=TimeoutStopSec=1s --property=StandardOutput=null \
      --property=StandardError=null sh -c "$1" </dev/null >/dev/null 2>&1 3>&- &
  done
  wait
}
