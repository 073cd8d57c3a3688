extension ShellHook {
  /// PROMPT_COMMAND becomes an array, whose elements Bash runs with the status, `PIPESTATUS` and `$_` of the last
  /// command each. A later assignment sets the first element only. An exported one stays text, because Bash does not
  /// export arrays, and so does that of Bash before 5.1, which runs the first element only. A readonly one is left
  /// alone. bash-preexec takes a command after its own for one that the user has typed, so it gets a function.
  /// DEBUG traps of others do the same, so then the hook comes before their commands.
  var bash: String {
    Self.script(
      #"""
      # Baton's hook for Bash. In ~/.bashrc: eval "$(baton shell-init bash)"
      # shellcheck shell=bash
      if [[ $- == *i* && $- != *r* ]]; then
        _baton_starts=0
        _baton_folder=${XDG_RUNTIME_DIR:-/run/user/$EUID}
        if [[ -O $_baton_folder ]]; then
          _baton_folder+=/baton-shells
          [[ -d $_baton_folder ]] || \command mkdir -m 700 -- "$_baton_folder" 2>/dev/null || \builtin :
        else
          _baton_folder=''
        fi

        function _baton_prompt {
          [[ $_baton_folder && $- != *r* ]] || \return 0
          {
            # Joins the elements of an array.
            \builtin local IFS=:
            \builtin printf '%s\0%s\0' "${PWD-}" "${BATON_EXCLUDE[*]-}"
      """#,
      // Other shells' commands can enter the history, too. This shell's own is the newest entry if there was exactly
      // one more when it was read (PS0) than at the end of the last prompt, and there are as many now. An empty line
      // leaves it there. In POSIX mode, `fc` prints a command with a space before it as it prints the others.
      hasLastCommand
        ? #"""
              if [[ $_baton_typed && $_baton_typed == "${HISTCMD-}" ]] && ((_baton_typed == _baton_ended + 1)) &&
                [[ ${PROMPT_COMMAND[*]-} == *_baton_@(prompt|hook-\}) ]]; then
                _baton_own=$_baton_typed
              fi
              _baton_typed='' _baton_ended=${HISTCMD-}
              if [[ ! -o posix && $_baton_own && $_baton_own == "$_baton_ended" ]]; then \builtin fc -ln -1; fi
        """# : nil,
      #"""
            \builtin printf '\0'
          } 2>/dev/null >|"$_baton_folder/$$" || \builtin :
      """#,
      #"""
          if [[ -d $_baton_folder/host ]]; then
            _baton_starts=0
          elif ((_baton_starts < 5)); then
            ((_baton_starts += 1))
            (
              \builtin trap - DEBUG ERR EXIT
              \command baton shell-host </dev/null >/dev/null 2>&1 &
            )
          fi
      """#,
      hasFocus ? #"    [[ ${TERM-dumb} == dumb ]] || \builtin printf '\e[?1004h' >&2"# : nil,
      #"""
          \return 0
        }

        function baton {
          if [[ ${1-} != continue || ! -d $_baton_folder ]]; then
            \command baton "$@"
            \return
          fi
          \builtin local _baton_target='' _baton_status=0
          { : >|"$_baton_folder/cd-$$"; } 2>/dev/null
          BATON_CD=$_baton_folder/cd-$$ \command baton "$@" || _baton_status=$?
          if [[ -s $_baton_folder/cd-$$ ]]; then
            IFS= \builtin read -r -d '' _baton_target <"$_baton_folder/cd-$$" || \builtin :
            \builtin cd -- "$_baton_target" || _baton_status=$?
          fi
          # If the command is stopped, it prints the directory when it goes on.
          \command rm -f -- "$_baton_folder/cd-$$"
          \return "$_baton_status"
        }

      """#,
      hasFocus
        ? #"""
          function _baton_focus { { : >|"$_baton_folder/focus-$$"; } 2>/dev/null; }
          for _baton_map in emacs-standard vi-insert vi-command; do
            # With the argument, $_ stays as it is.
            # shellcheck disable=SC2016
            \builtin bind -m "$_baton_map" -x '"\e[I": _baton_focus "$_"' 2>/dev/null
            \builtin bind -m "$_baton_map" '"\e[O": ""' 2>/dev/null
          done
          \builtin unset -v _baton_map
          if [[ ${TERM-dumb} != dumb ]]; then
            [[ ${PS0-} == *$'\e[?1004l'* ]] || PS0=$'\e[?1004l'${PS0-}
            # Bash has one trap for its end. It belongs to the user.
            if [[ -z $(\builtin trap -p EXIT) ]]; then \builtin trap '\builtin printf "\e[?1004l" >&2 2>/dev/null' EXIT; fi
          fi
        """# : nil,
      hasLastCommand
        ? #"""
          _baton_typed='' _baton_ended='' _baton_own=''
          # shellcheck disable=SC2016
          if \builtin shopt -q promptvars && [[ ${PS0-} != *_baton_typed* ]]; then
            PS0=${PS0-}'${_baton_folder:0:$((_baton_typed=${HISTCMD-0},0))}'
          fi
        """# : nil,
      #"""
        _baton_hook=_baton_prompt
        # A startup file that is read again may have removed the hook.
        if [[ "${PROMPT_COMMAND[*]-} ${precmd_functions[*]-} ${__vsc_original_prompt_command-}" != *_baton_@(prompt|hook)* ]]; then
          _baton_flags=$(\builtin declare -p PROMPT_COMMAND 2>/dev/null) || \builtin :
          _baton_flags=${_baton_flags#declare }
          # VS Code wraps the first element, and takes a later one for a command that was typed.
          [[ ${TERM_PROGRAM-} != vscode ]] || _baton_flags=-x${_baton_flags#-}
          # What runs before the prompt commands of others does not start the timers in their DEBUG traps again.
          [[ -z $(\builtin trap -p DEBUG) ]] || _baton_flags=${_baton_flags%% *}d
          # As text it is nothing in a shell without the hook that inherits it.
          # shellcheck disable=SC2128,SC2178
          case ${bash_preexec_imported-${__bp_imported-}}${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}${_baton_flags%% *} in
          defined*) precmd_functions+=(_baton_prompt) ;;
          *-*r*) ;;
          *-x* | 4.* | 5.0*) PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}'${_baton_hook-}' ;;
          # A later assignment sets the first element only.
          *d) PROMPT_COMMAND=('' _baton_prompt "${PROMPT_COMMAND[@]}") ;;
          *) PROMPT_COMMAND[1004]=_baton_prompt ;;
          esac
          \builtin unset -v _baton_flags
        fi
      fi
      """#
    )
  }
}
