#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs, upgrades and uninstalls Baton on a Linux with systemd that has no package of it. See --help.
set -eu
umask 022
LC_ALL=C
export LC_ALL
# Packaging/make-tar fills these in.
VERSION=@version@ ARCHITECTURE=@architecture@ GLIBC=@glibc@ SYSTEMD=@systemd@ BUILT=@prefix@

self=$(readlink -f "$0")
here=$(dirname "$self")
usage() {
  cat <<X
Usage: install.sh [install] [OPTION...]
       install.sh uninstall [OPTION...]

Installs Baton $VERSION for all users, or upgrades an older version. Teams, keys and your
configuration are kept. If an installation was interrupted, run it again.

uninstall removes everything but teams, keys and configuration. You don't need the
archive for it: this script is also installed, as PREFIX/lib/baton/install.sh.

Options:
  --prefix DIRECTORY  where the programs go (/opt/baton). An upgrade uses the
                      directory of the installed version.
  --dry-run           only list the files and commands
  --no-start          don't enable or start anything
  --downgrade         replace a newer version
  -h, --help          show this help
  --version           show the version

Exit status: 0 success, 1 failure, 64 wrong usage, 69 something is missing or in the way.
X
}

say() { printf '%s\n' "$*"; }
die() { say "install.sh: $*" >&2; exit 1; }
wrong() { say "install.sh: $* See install.sh --help." >&2; exit 64; }

command=install prefix='' dry='' start=1 downgrade='' given=''
while [ $# -gt 0 ]; do
  case $1 in
    install | upgrade | uninstall)
      [ -z "$given" ] || wrong "There are two commands: $given and $1."
      given=$1 command=$1
      ;;
    --prefix)
      [ -n "${2:-}" ] || wrong "--prefix needs a directory."
      prefix=$2
      shift
      ;;
    --prefix=?*) prefix=${1#--prefix=} ;;
    --prefix=) wrong "--prefix needs a directory." ;;
    --dry-run) dry=1 ;;
    --no-start) start='' ;;
    --downgrade) downgrade=1 ;;
    -h | --help) usage; exit ;;
    --version) say "$VERSION"; exit ;;
    *) wrong "Unknown argument '$1'." ;;
  esac
  shift
done
[ "$command" != upgrade ] || command=install

#INCLUDE places.sh
#INCLUDE user-units.sh
#INCLUDE checks.sh
#INCLUDE files.sh
#INCLUDE install.sh
#INCLUDE uninstall.sh

begin
if [ "$command" = uninstall ]; then uninstall; else install; fi
