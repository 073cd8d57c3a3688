# SPDX-License-Identifier: Apache-2.0
# What must be there, and what must not. Everything is looked at before anything changes, and all problems are shown.

problems=''
problem() {
  problems=1
  printf '%s\n' "- $*" >&2
}

# at_least VERSION MINIMUM
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | sed -n 1p)" = "$2" ]; }

check_system() {
  if [ "$(id -u)" != 0 ] && [ -z "$dry" ]; then problem "You aren't root. Run this with sudo, or as root."; fi
  for name in awk cp cut df grep mkdir mv rmdir sed sort systemctl systemd-sysusers; do
    command -v "$name" >/dev/null || problem "The command $name is missing."
  done
  check_machine
  check_systemd
  check_packages
  check_installed
  [ -n "$problems" ] || check_places
  [ -z "$problems" ] || { say "install.sh: Nothing was changed." >&2; exit 69; }
}

check_machine() {
  machine=$(uname -m)
  if [ "$machine" != $ARCHITECTURE ]; then
    problem "This archive is for $ARCHITECTURE, but this machine is $machine. Use the archive for $machine, if any."
    return
  fi
  libc=$(getconf GNU_LIBC_VERSION 2>/dev/null || ldd --version 2>&1 | sed -n 1p) || true
  libc=$(printf '%s\n' "$libc" | sed -n '/glibc\|GLIBC\|GNU libc/s/.* \([0-9][0-9.]*\)$/\1/p')
  if [ -z "$libc" ]; then
    problem "This system has no glibc, the C library of most distributions. Baton doesn't run with others, such as musl."
    return
  elif ! at_least "$libc" $GLIBC; then
    problem "This system's glibc $libc is too old. Baton needs $GLIBC or newer."
    return
  fi
  for program in bin/baton sbin/batond; do check_program "$here/tree/$program"; done
}

# The dynamic linker knows best what a program needs.
check_program() {
  status=0
  output=$("$1" --version 2>&1) || status=$?
  [ $status != 0 ] || return 0
  missing=$(printf '%s\n' "$output" | sed -n 's/.*loading shared libraries: \([^:]*\): .*/\1/p')
  symbol=$(printf '%s\n' "$output" | sed -n "s/.*: version .\([A-Za-z0-9_.]*\)' not found.*/\1/p" | sed -n 1p)
  case $missing$symbol in
    libssl.so.3* | libcrypto.so.3* | OPENSSL_*)
      problem "OpenSSL 3 is missing. Install it: the package is libssl3 or libssl3t64 (Debian), openssl-libs (Fedora) or libopenssl3 (openSUSE)." ;;
    '')
      if [ $status = 126 ]; then
        problem "Programs can't run in $here. Unpack the archive on a file system that isn't mounted with noexec."
      else
        problem "${1##*/} doesn't run here (status $status): $output"
      fi ;;
    *) problem "${1##*/} doesn't run here: ${missing:-$symbol} is missing or too old." ;;
  esac
}

check_systemd() {
  command -v systemctl >/dev/null || return 0
  found=$(systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9][0-9]*\).*/\1/p')
  if [ -z "$found" ]; then
    problem "This system doesn't use systemd, which runs Baton's service."
  elif [ "$found" -lt $SYSTEMD ]; then
    problem "This system's systemd $found is too old. Baton needs $SYSTEMD or newer."
  fi
  for unit in batond.service batond.socket; do
    if [ "$(readlink "/etc/systemd/system/$unit" 2>/dev/null)" = /dev/null ]; then
      problem "$unit is masked. Perhaps a package that was removed did that. Run: systemctl unmask $unit"
    fi
  done
}

# The file of a package of the distribution, and how to remove the package.
check_packages() {
  for file in /usr/bin/baton /usr/sbin/batond /lib/systemd/system/batond.service /usr/lib/systemd/system/batond.service; do
    # Where /lib is /usr/lib, it has the same file under both names.
    if [ ! -e "$file" ] || is_ours "$file" || is_ours "/usr$file"; then continue; fi
    if command -v dpkg-query >/dev/null && dpkg-query -S "$file" >/dev/null 2>&1; then
      problem "The Debian package baton is installed ($file). Upgrade that instead, or first run: apt remove baton"
    elif command -v rpm >/dev/null && rpm -qf "$file" >/dev/null 2>&1; then
      problem "The RPM baton is installed ($file). Upgrade that instead, or first run: dnf remove baton"
    elif command -v pacman >/dev/null && pacman -Qo "$file" >/dev/null 2>&1; then
      problem "The package baton is installed ($file). Upgrade that instead, or first run: pacman -R baton"
    else
      problem "Another installation of Baton is here ($file). Remove it first, for example with 'make uninstall'."
    fi
    return
  done
}

# is_ours FILE: whether this script has installed it, also if it was interrupted.
is_ours() { cat "$manifest" "$manifest.all" 2>/dev/null | grep -Fqx "f $1"; }

check_installed() {
  [ -e "$manifest" ] || return 0
  installed=$(sed -n 's/^v //p' "$manifest")
  if [ -z "$downgrade" ] && [ -n "$installed" ] && ! at_least $VERSION "$installed"; then
    problem "Baton $installed is installed, which is newer than $VERSION. An older version may be unable to read the teams and keys of a newer one. To replace it anyway, add --downgrade."
  fi
  # With a wrong configuration, batond wouldn't start again.
  if [ "$(id -u)" = 0 ] && [ -e /etc/baton/batond.conf ]; then
    answer=$("$here/tree/sbin/batond" --check-config 2>&1) || problem "The configuration must be corrected first: $answer"
  fi
}

# nearest DIRECTORY: the directory, or the closest one above it that exists.
nearest() {
  near=$1
  while [ ! -d "$near" ]; do near=$(dirname "$near"); done
}

skipped='' unwritable='' foreign=0
check_places() {
  nearest "$prefix"
  needed=$(du -sk "$here/tree" | cut -f1)
  free=$(df -Pk "$near" | awk 'NR == 2 { print $4 }')
  if [ "$free" -lt $((needed * 2)) ]; then
    problem "$near has only $((free / 1024)) MiB left. Baton needs $((needed * 2 / 1024)) MiB, because old files are only replaced by complete new ones."
  fi
  while IFS= read -r file; do
    place_of "$file"
    check_place
  done <"$here/files"
  if [ "$shared" != "$prefix" ]; then
    for place in /usr/local/bin/baton /usr/local/sbin/batond; do file='link'; check_place; done
  fi
  [ $foreign -le 5 ] || problem "... and $((foreign - 5)) more such files."
}

# Looks at $place, where $file of the archive goes.
check_place() {
  nearest "$(dirname "$place")"
  if [ ! -w "$near" ] && [ -z "$dry" ]; then
    case $file in
      system/usr/*) skipped=1 ;;
      *)
        [ -n "$unwritable" ] || problem "$near can't be written to, so $place can't be installed. Try another --prefix."
        unwritable=1 ;;
    esac
  elif [ -e "$place" ] || [ -L "$place" ]; then
    # Existing configuration stays as it is.
    case $place in /etc/*) return ;; esac
    if is_ours "$place"; then return; fi
    foreign=$((foreign + 1))
    [ $foreign -gt 5 ] || problem "$place is already there, and isn't from this script. Remove it, or use another --prefix."
  fi
}
