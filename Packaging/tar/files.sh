# SPDX-License-Identifier: Apache-2.0
# Files. Each is written down before it's there, and gets its name when it's complete. So an installation can stop anywhere,
# and the next one goes on, or removes everything.

act() { if [ -n "$dry" ]; then say "$*"; else "$@"; fi; }
# try COMMAND: it isn't a failure if this one has nothing to do.
try() { if [ -n "$dry" ]; then say "$*"; else "$@" >/dev/null 2>&1 || true; fi; }

note() { say "$1" >>"$manifest.all"; say "$1" >>"$manifest.new"; }

# make_directory DIRECTORY: with its parents. Those that weren't there are ours.
make_directory() {
  [ ! -d "$1" ] || return 0
  make_directory "$(dirname "$1")"
  note "d $1"
  mkdir "$1"
}

part=''
# put FILE PLACE
put() {
  if [ -n "$dry" ]; then say "install $2"; return; fi
  make_directory "$(dirname "$2")"
  note "f $2"
  part=$(dirname "$2")/.baton.part
  rm -f "$part"
  if [ -L "$1" ]; then
    cp -P "$1" "$part"
  else
    if [ "$prefix" != "$BUILT" ] && grep -Fqx "$1" "$here/relocatable"; then
      sed "s|$BUILT|$prefix|g" "$1" >"$part"
    else
      cp "$1" "$part"
    fi
    # Who has unpacked the archive may have kept others out.
    if [ -x "$1" ]; then chmod 755 "$part"; else chmod 644 "$part"; fi
  fi
  mv -f "$part" "$2"
  part=''
}

# link TARGET PLACE
link() {
  if [ -n "$dry" ]; then say "link $2 -> $1"; return; fi
  make_directory "$(dirname "$2")"
  note "f $2"
  ln -sfn "$1" "$2"
}

# remove_listed LIST [KEPT]: removes the files of a list that aren't in the other one, and the folders that are empty then.
remove_listed() {
  sed -n 's/^f //p' "$1" | sort -u >"$manifest.files"
  while IFS= read -r file; do
    if [ -n "${2:-}" ] && grep -Fqx "f $file" "$2"; then continue; fi
    act rm -f "$file"
    [ -n "$dry" ] || rm -f "$(dirname "$file")/.baton.part"
  done <"$manifest.files"
  rm -f "$manifest.files"
}
remove_directories() {
  sort -ru "$1" | sed -n 's/^d //p' | while IFS= read -r directory; do
    [ -n "$dry" ] || rmdir "$directory" 2>/dev/null || true
  done
}
