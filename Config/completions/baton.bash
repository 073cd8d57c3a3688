# Completion of baton(1) for bash. What other machines call themselves is taken only where it is letters, digits, ".", "_",
# "-" and ":", as bash would expand anything else.

# _baton_values MEMBER VERB...: what `baton VERB... --json` says in that member, once each.
_baton_values() {
  local member=$1
  shift
  timeout 2 "${COMP_WORDS[0]}" "$@" --json 2>/dev/null </dev/null |
    grep -oE "\"$member\":\"[A-Za-z0-9._:-]+\"" | cut -d'"' -f4 | sort -u
}

_baton_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_baton() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=() index
  COMPREPLY=()
  # `=` is a word of its own for bash; of a word with colons, which is several, the last is completed.
  [ "$word" != = ] || word=
  [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}
  for ((index = 1; index < COMP_CWORD; index++)); do
    case ${COMP_WORDS[index]} in
      --team | --from | --type | --socket | --log-level | --title | --info | --info-json | --url | --expires | --wait | --address | --passphrase-file)
        [ "${COMP_WORDS[index + 1]}" != = ] || ((index++))
        ((index++))
        ;;
      -*) ;;
      *) words+=("${COMP_WORDS[index]}") ;;
    esac
  done

  local verb=${words[0]} options=
  case $verb in peer | team) verb+=" ${words[1]}" ;; esac

  case $before in
    --team) COMPREPLY=($(compgen -W "$(_baton_values id team list)" -- "$word")) ; return ;;
    --from) COMPREPLY=($(compgen -W "$(_baton_values device list)" -- "$word")) ; return ;;
    --type) COMPREPLY=($(compgen -W "$(_baton_values activityType list)" -- "$word")) ; return ;;
    --socket | --passphrase-file) _baton_files "$word" ; return ;;
    --log-level) COMPREPLY=($(compgen -W "error warning notice info debug" -- "$word")) ; return ;;
    --title | --info | --info-json | --url | --expires | --wait | --address) return ;;
  esac

  case $verb in
    "") options="status list watch advertise continue open peers peer doctor team agent metrics version help" ;;
    help) options="status list watch advertise continue open peers peer doctor team agent metrics version" ;;
    "peer ") options="list add remove" ;;
    "team ") options="list create invite join request approve import devices revoke promote renew passphrase unlock backup restore leave" ;;
    continue | open) [ ${#words[@]} -gt 1 ] || options=$(_baton_values id list) ;;
    doctor) [ ${#words[@]} -gt 1 ] || options=$(_baton_values device peers) ;;
    "peer remove") options=$(_baton_values address peer list) ;;
    "team revoke" | "team promote") options="$(_baton_values name team devices) $(_baton_values deviceID team devices)" ;;
    "team leave") options=$(_baton_values id team list) ;;
    "team approve" | "team import" | "team backup" | "team restore") [[ $word == -* ]] || _baton_files "$word" ;;
  esac

  if [[ $word == -* ]]; then
    options="--json --socket --help"
    case $verb in
      "") options="--help --version" ;;
      list | watch) options+=" --type --team --from" ;;
      advertise) options+=" --type --title --info --info-json --url --expires --team --stream" ;;
      continue) options+=" --type --team --from --latest --stream --wait" ;;
      open) options+=" --type --team --from --latest --wait" ;;
      "peer add" | "peer remove" | "team invite" | "team approve" | "team devices" | "team backup" | "team revoke" | "team unlock") options+=" --team" ;;
      "team promote") options+=" --team --yes" ;;
      "team renew") options+=" --accept --team --address --yes --passphrase" ;;
      "team passphrase") options+=" --team --remove" ;;
      "team create") options+=" --passphrase" ;;
      "team restore") options+=" --check" ;;
      "team join") options+=" --address" ;;
      agent) options+=" --no-notifications --log-level" ;;
    esac
    case $verb in
      "team create" | "team invite" | "team approve" | "team revoke" | "team promote" | "team renew" | "team passphrase" | \
        "team unlock" | "team backup" | "team restore") options+=" --passphrase-file" ;;
    esac
  fi
  [ -z "$options" ] || COMPREPLY=($(compgen -W "$options" -- "$word"))
}

complete -F _baton baton
