# Completion of baton(1) for bash. `baton __complete` knows what can follow; it leaves out names of other machines with
# characters that a shell could expand. A program that was only typed does not run, so the one in PATH is asked.

_baton() {
  local words=() part word kind
  for part in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    # Bash makes a word of "=".
    if [ ${#words[@]} -gt 0 ] && { [ "$part" = = ] || [[ ${words[-1]} == --*= ]]; }; then
      words[-1]+=$part
    else
      words+=("$part")
    fi
  done
  { read -r kind; mapfile -t COMPREPLY; } < <(
    timeout 2 baton __complete -- "${words[@]}" 2>/dev/null </dev/null | cut -f 1
  )
  word=${words[-1]-}
  [[ $word != --*=* ]] || { word=${word#--*=}; COMPREPLY=("${COMPREPLY[@]#--*=}"); }
  case $kind in
    files)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      ;;
    hosts) mapfile -t COMPREPLY < <(compgen -A hostname -- "$word") ;;
  esac
}

complete -F _baton baton
