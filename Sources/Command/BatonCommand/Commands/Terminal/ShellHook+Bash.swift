// SPDX-License-Identifier: Apache-2.0

import ActivityTypes

extension ShellHook {
  /// PROMPT_COMMAND becomes an array, whose elements Bash runs with the status, `PIPESTATUS` and `$_` of the last
  /// command each. A later assignment sets the first element only. An exported one stays text, because Bash does not
  /// export arrays, and so does that of Bash before 5.1, which runs the first element only. A readonly one is left
  /// alone.
  var bash: String {
    Self.script(
      #"""
      # Baton's hook for Bash. In ~/.bashrc: eval "$(baton shell-init bash)"
      # shellcheck shell=bash disable=SC2015,SC2034,SC2317
      if [[ $- == *i* && $- != *r* ]]; then
        _baton_starts=0 _baton_told=0 _baton_command='' _baton_none=x _baton_mark=$'\1' _baton_end=$'\2' _baton_folder=''
        _baton_runtime=${XDG_RUNTIME_DIR:-/run/user/$EUID}
        # The directory of another user, as after su, stays one. One that is away may come back.
        [[ ! -e $_baton_runtime || -O $_baton_runtime ]] || _baton_runtime=''

        function _baton_find {
          [[ $_baton_runtime && -O $_baton_runtime ]] || \return 0
          [[ -d $_baton_runtime/baton-shells ]] || \command mkdir -m 700 -- "$_baton_runtime/baton-shells" || \return 0
          \builtin printf %s "$_baton_runtime/baton-shells"
        } 2>/dev/null
        _baton_folder=$(_baton_find)

        # In a subshell. The host needs a shell that has written.
        function _baton_start {
          \builtin trap - DEBUG ERR EXIT
          if [[ $(_baton_find) == "$_baton_folder" ]]; then
      """#,
      Self.report,
      #"""
            \command baton shell-host </dev/null >/dev/null 2>&1 &
          fi
        }

        function baton {
          if [[ ${1-} != continue && ${1-} != setup || ! -d $_baton_folder ]]; then
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

        # What needs commands. DEBUG traps would see them, so there is none then.
      """#,
      hasFocus || hasLastCommand
        ? #"""
          _baton_more=/dev/null
          function _baton_prompt {
        """# : "  _baton_more=''",
      // Other shells' commands can enter the history, too. This shell's own is the newest entry if there was exactly
      // one more when it was read (PS0) than at the end of the last prompt, and there are as many now. An empty line
      // leaves it there. `fc` leaves it out in a subshell.
      hasLastCommand
        ? #"""
            if [[ $_baton_typed && $_baton_typed == "${HISTCMD-}" ]] && ((_baton_typed == _baton_ended + 1)) &&
              [[ ${PROMPT_COMMAND[*]-} == *"$_baton_hook" ]]; then
              _baton_own=$_baton_typed
            fi
            _baton_typed='' _baton_ended=${HISTCMD-}
            if [[ ! -o posix && $_baton_own && $_baton_own == "$_baton_ended" ]]; then
              _baton_command=$(HISTTIMEFORMAT='' \builtin history 1 2>/dev/null) && _baton_told=1 || \builtin :
              _baton_command=${_baton_command#*[0-9][ *] }
            fi
        """# : nil,
      hasFocus ? #"    [[ ${TERM-dumb} == dumb ]] || \builtin printf '\e[?1004h' >&2"# : nil,
      hasFocus || hasLastCommand
        ? #"""
            \return 0
          }
        """# : nil,
      hasFocus
        ? #"""
          for _baton_map in emacs-standard vi-insert vi-command; do
            # shellcheck disable=SC2016
            \builtin bind -m "$_baton_map" -x '"\e[I": if { { _baton_quiet() { :; }; } >|"${_baton_folder:-/dev/null}/focus-$$"; } 2>&-; then _baton_quiet() { :; }; fi' 2>/dev/null
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
        # shellcheck disable=SC2016
        _baton_hook='\#(Self.quietPrompt)'
        # A startup file that is read again may have removed the hook.
        if [[ "${PROMPT_COMMAND[*]-} ${__vsc_original_prompt_command-}" != *_baton_quiet* ]]; then
          _baton_flags=$(\builtin declare -p PROMPT_COMMAND 2>/dev/null) || \builtin :
          _baton_flags=${_baton_flags#declare }
          # As text it is nothing in a shell without the hook that inherits it.
          # shellcheck disable=SC2128,SC2178
          case ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}${_baton_flags%% *} in
          *-*r*) ;;
          *-*x* | 4.* | 5.0*) PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}$_baton_hook ;;
          *) PROMPT_COMMAND[1004]=$_baton_hook ;;
          esac
          \builtin unset -v _baton_flags
        fi
      """#,
      hasFocus
        ? #"""
          # bash-preexec has a DEBUG trap, and sees nothing of its own functions.
          if [[ ${bash_preexec_imported-${__bp_imported-}} == defined && " ${precmd_functions[*]-} " != *" _baton_prompt "* ]]; then
            precmd_functions+=(_baton_prompt)
          fi
        """# : nil,
      "fi"
    )
  }

  /// What runs at each prompt. Bash runs a DEBUG trap before each command, whoever's it is, and timers take the first
  /// one after a prompt for what was typed. Only the definition of a function is no command, and redirections and
  /// expansions are none either. So this tests with `<`, assigns with `$((…))`, and writes an error message.
  private static var quietPrompt: String {
    #"""
    if { { _baton_quiet() { :; }; } <"${_baton_more:-/dev/null/}${-//[!rT]}${_baton_none:1:$((_baton_told=0))}${_baton_more:+$(\builtin trap -p DEBUG)}"; } 2>&-; then
      _baton_prompt
    fi
    if { _baton_quiet() { :; }; } <"${_baton_runtime:-/dev/null}${-//[!r]}/."; then
    \#(report)
      if { _baton_quiet() { :; }; } <"${_baton_folder:-/dev/null}/host/stat"; then
        if { _baton_quiet() { :; }; } <"/dev/null${_baton_none:1:$((_baton_starts=0))}"; then _baton_quiet() { :; }; fi
      elif { _baton_quiet() { :; }; } <"/dev/null${_baton_none:$((_baton_starts<5&&++_baton_starts))}"; then
        if { _baton_quiet() { :; }; } <"/dev/null${_baton_folder:=$(_baton_find)}$(_baton_start)"; then _baton_quiet() { :; }; fi
      fi
    elif { _baton_quiet() { :; }; } <"/dev/null${_baton_runtime:+${_baton_none:1:$((_baton_starts=0))}}"; then
      _baton_quiet() { :; }
    fi 2>&-
    """#
  }

  /// Writes a ``ShellReport`` as an error message: that the file with this name cannot be opened.
  private static var report: String {
    let fields =
      ["${PWD-}", "${IFS- }", "${BATON_EXCLUDE[*]+${BATON_EXCLUDE[*]/%/$_baton_end}}"]
      + ShellReport.variables.map { "${\($0)+\($0)=$\($0)}" } + ["${_baton_command:0:$((_baton_told*1024))}"]
    return #"""
        if { if { _baton_quiet() { :; }; } <"/dev/null/\#(fields.map { "$_baton_mark\($0)" }.joined())$_baton_mark"; then
          _baton_quiet() { :; }
        fi; } 2>|"${_baton_folder:-/dev/null}/$$"; then _baton_quiet() { :; }; fi
      """#
  }
}
