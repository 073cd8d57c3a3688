# SPDX-License-Identifier: Apache-2.0
# For the scripts in Packaging: what all formats have in common. The version and the time come from debian/changelog, so two
# builds of one commit are the same, whenever and wherever they run.
set -euo pipefail
umask 022
export LC_ALL=C.UTF-8 TZ=UTC
unset XZ_OPT ZSTD_CLEVEL ZSTD_NBTHREADS GZIP TAR_OPTIONS
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=$(dirname "$here")

version=$(sed -nE '1s/^baton \(([^)]*)\).*/\1/p' "$root/debian/changelog")
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -d "$(sed -nE 's/^ -- .*>  (.*)$/\1/p;/^ -- /q' "$root/debian/changelog")" +%s)}
export SOURCE_DATE_EPOCH

die() { echo "${0##*/}: $*" >&2; exit 1; }

# need PROGRAM...: names all that are missing, and stops.
need() {
  local program missing=()
  for program in "$@"; do command -v "$program" >/dev/null || missing+=("$program"); done
  [ ${#missing[@]} = 0 ] || die "missing: ${missing[*]}. Scripts/install-packages package dist installs them."
}

# others_in DIRECTORY: the files there that aren't of a release, which SHA256SUMS names. "apt" may be published, so it counts as
# neither. Where replace_release was stopped, there are also files of the new release.
others_in() {
  [ -e "$1" ] || return 0
  [ -d "$1" ] || die "$1 isn't a folder."
  local sums own=()
  for sums in "$1/SHA256SUMS" "$1/.new-release/SHA256SUMS"; do
    if grep -qE '^[0-9a-f]{64}  baton-[^/]*\.tar\.zst$' "$sums" 2>/dev/null; then own+=("$sums"); fi
  done
  # The sums themselves are on no list.
  (cd "$1" && find . \( -path ./apt -o -path ./.new-release \) -prune -o ! -type d -printf '%P\n') |
    grep -Fxv -f <([ ${#own[@]} = 0 ] || { cut -c67- "${own[@]}"; printf '%s\n' SHA256SUMS SHA256SUMS.sig; }) || true
}

# replace_release NEW DIRECTORY: moves the release NEW to DIRECTORY, in the place of an earlier one. The earlier one is whole until
# the new one is there, and the sums of both are there until everything has been moved.
replace_release() {
  keep_others "$2"
  mkdir -p "$2"
  rm -rf "$2/.new-release"
  cp -a "$1" "$2/.new-release"
  find "$2" -mindepth 1 -maxdepth 1 ! -name apt ! -name SHA256SUMS ! -name .new-release -exec rm -rf {} +
  find "$2/.new-release" -mindepth 1 -maxdepth 1 ! -name SHA256SUMS -exec mv -t "$2" {} +
  mv -f "$2/.new-release/SHA256SUMS" "$2"
  rmdir "$2/.new-release"
}

# keep_others DIRECTORY: stops if a release there would replace what isn't one.
keep_others() {
  local others
  others=$(others_in "$1")
  [ -z "$others" ] || die "$1 has files that aren't of a release: $(head -3 <<<"$others" | paste -sd, | sed 's/,/, /g'). Name another folder, or empty it."
}

# The commit of the checkout, which everything is made of: empty if it isn't one, and with "-dirty" if files have changed.
commit=
if [ "$(git -C "$root" rev-parse --show-toplevel 2>/dev/null)" = "$root" ]; then
  commit=$(git -C "$root" rev-parse HEAD)
  [ -z "$(git -C "$root" status --porcelain)" ] || commit+=-dirty
fi
export BATON_COMMIT=$commit

# architecture_of PROGRAM: the machine it was built for, as uname(1) calls it.
architecture_of() {
  case $(readelf -h "$1" | sed -n 's/^ *Machine: *//p') in
    *X86-64) echo x86_64 ;;
    AArch64) echo aarch64 ;;
    *) die "$1 is for a machine that no format has a name for." ;;
  esac
}

# archive DIRECTORY NAME: the folder as a tar archive on standard output, always with the same bytes.
archive() {
  tar c --directory "$1" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=posix \
    --pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime "$2"
}

# The oldest systemd on which the programs and units work.
# shellcheck disable=SC2034
oldest_systemd=$(sed -n 's/^version LIBSYSTEMD //p' "$root/Linking/floor.txt")

# The level is for releases. Tests make everything more than once, and nobody downloads it.
export level=${PACKAGING_LEVEL:-19}

# The namespace of signatures (ssh-keygen -Y). One of a release can't be taken for one of something else.
export signatures=baton-release
