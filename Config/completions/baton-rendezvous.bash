# bash completion for baton-rendezvous(8).
_baton_rendezvous() {
  local word=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  case ${COMP_WORDS[1]}/$COMP_CWORD in
    */1) mapfile -t COMPREPLY < <(compgen -W "start stop status remove --help" -- "$word") ;;
    start/2) compopt -o filenames && mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    status/2) mapfile -t COMPREPLY < <(compgen -W "--json" -- "$word") ;;
    remove/2) mapfile -t COMPREPLY < <(compgen -W "--yes" -- "$word") ;;
  esac
}
complete -F _baton_rendezvous baton-rendezvous
