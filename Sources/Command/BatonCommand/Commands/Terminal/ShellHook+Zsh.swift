// SPDX-License-Identifier: Apache-2.0

import ActivityTypes

extension ShellHook {
  /// `emulate -c` reads the script, and runs its functions, with zsh's own options, whatever the user has set. zsh
  /// keeps the status for each function of `precmd_functions`.
  var zsh: String {
    Self.script(
      #"""
      # Baton's hook for zsh. In ~/.zshrc: eval "$(baton shell-init zsh)"
      if [[ -o interactive && ! -o restricted ]]; then
      \builtin emulate zsh -o no_aliases -c '
        typeset -g _baton_starts=0 _baton_command= _baton_folder= _baton_runtime=${XDG_RUNTIME_DIR:-/run/user/$EUID}
        # The directory of another user, as after su, stays one. One that is away may come back.
        [[ ! -e $_baton_runtime || -O $_baton_runtime ]] || _baton_runtime=
        function _baton_prompt {
          if [[ -z $_baton_folder || ! -d $_baton_folder ]]; then
            _baton_starts=0
            [[ -n $_baton_runtime && -O $_baton_runtime ]] || return 0
            _baton_folder=$_baton_runtime/baton-shells
            [[ -d $_baton_folder ]] || command mkdir -m 700 -- "$_baton_folder" 2>/dev/null || return 0
          fi
          local -a own
          own=(\#(ShellReport.variables.map { #"${\#($0)+"\#($0)=$\#($0)"}"# }.joined(separator: " ")))
          {
            builtin print -rN -- "${PWD-}" "${(j.:.)BATON_EXCLUDE-}" "${(pj.\x01.)own}" "$_baton_command" \
              >| "$_baton_folder/$$"
          } 2>/dev/null
          if [[ -d $_baton_folder/host ]]; then
            _baton_starts=0
          elif (( _baton_starts < 5 )); then
            (( _baton_starts += 1 ))
            (
              setopt no_bg_nice no_monitor
              command baton shell-host </dev/null >/dev/null 2>&1 &
            )
          fi
      """#,
      hasFocus ? #"    [[ ${TERM-dumb} == dumb ]] || builtin print -n "\e[?1004h" >&2"# : nil,
      #"""
          return 0
        }
        typeset -ga precmd_functions preexec_functions
        (( ${precmd_functions[(Ie)_baton_prompt]} )) || precmd_functions+=(_baton_prompt)
        preexec_functions=(${preexec_functions:#_baton_*})
      """#,
      hasLastCommand ? #"  preexec_functions+=(_baton_preexec)"# : nil,
      hasFocus
        ? #"""
          function _baton_focus { { : >| "$_baton_folder/focus-$$" } 2>/dev/null }
          function _baton_unfocus { : }
          function _baton_leave {
            [[ ${TERM-dumb} == dumb ]] || builtin print -n "\e[?1004l" >&2 2>/dev/null
          }
          zle -N _baton_focus
          zle -N _baton_unfocus
          for _baton_map in emacs viins vicmd; do
            bindkey -M $_baton_map "\e[I" _baton_focus
            bindkey -M $_baton_map "\e[O" _baton_unfocus
          done
          unset _baton_map
          typeset -ga zshexit_functions
          preexec_functions+=(_baton_leave)
          (( ${zshexit_functions[(Ie)_baton_leave]} )) || zshexit_functions+=(_baton_leave)
        """# : nil,
      "'",
      // With the options of the user, because they decide what a pattern means. Nobody can ask other hooks whether they
      // have kept the command out of the history, or which alias was in it: one that begins with a space keeps it out.
      hasLastCommand
        ? #"""
        function _baton_preexec {
          _baton_command=
          if [[ -o hist_ignore_space && -n ${(M)aliases[@]:#[[:space:]]*}${(M)galiases[@]:#[[:space:]]*} ]]; then \return 0; fi
          {
            if [[ $1 == [[:space:]]* || ( -n ${HISTORY_IGNORE-} && $1 == ${~HISTORY_IGNORE} ) ]]; then \return 0; fi
          } 2>/dev/null
          if [[ -z ${functions[zshaddhistory]-}${zshaddhistory_functions-} ]]; then _baton_command=$1; fi
        }
        """# : nil,
      // zsh goes on with a stopped function in another process, which cannot change the directory of the shell.
      #"""
      function baton {
        if [[ ${1-} != continue && ${1-} != setup || ! -d $_baton_folder ]]; then
          \command baton "$@"
          \return
        fi
        \builtin local _baton_target='' _baton_status=0
        { : >|"$_baton_folder/cd-$$"; } 2>/dev/null
        BATON_CD="$_baton_folder/cd-$$" \command baton "$@" || _baton_status=$?
        if [[ -s $_baton_folder/cd-$$ ]]; then
          IFS= \builtin read -r -d '' _baton_target <"$_baton_folder/cd-$$" || \builtin :
          if (( ZSH_SUBSHELL )); then
            \builtin print -r -- "Can't change this shell's directory. Run: cd -- ${(q+)_baton_target}"
          fi
          \builtin cd -- "$_baton_target" || _baton_status=$?
        fi
        \command rm -f -- "$_baton_folder/cd-$$"
        \return "$_baton_status"
      }
      fi
      """#
    )
  }
}
