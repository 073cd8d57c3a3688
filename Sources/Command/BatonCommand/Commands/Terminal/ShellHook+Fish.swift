// SPDX-License-Identifier: Apache-2.0

import ActivityTypes

extension ShellHook {
  /// fish keeps the status for event handlers, and its builtins write to files without another process.
  var fish: String {
    Self.script(
      #"""
      # Baton's hook for fish. In ~/.config/fish/config.fish: baton shell-init fish | source
      if status is-interactive
          functions --erase _baton_preexec _baton_leave
          set -g _baton_starts 0
          set -g _baton_command ''
          set -g _baton_folder ''
          set -g _baton_runtime "$XDG_RUNTIME_DIR"
          # The directory of another user, as after su, stays one. One that is away may come back.
          if test -e "$_baton_runtime"; and not test -O "$_baton_runtime"
              set -g _baton_runtime ''
          end

          function _baton_prompt --on-event fish_prompt
              if test -z "$_baton_folder"; or not test -d $_baton_folder
                  set -g _baton_starts 0
                  test -n "$_baton_runtime"; and test -O "$_baton_runtime"; or return 0
                  set -g _baton_folder $_baton_runtime/baton-shells
                  test -d $_baton_folder; or command mkdir -m 700 -- $_baton_folder 2>/dev/null; or return 0
              end
              # In quotes, the elements of a path variable are joined by colons.
              set -l --path excluded $BATON_EXCLUDE
              set -l own
              for name in \#(ShellReport.variables.joined(separator: " "))
                  set -q $name; and set -a own "$name=$$name"
              end
              builtin printf '%s\0%s\0%s\0%s\0' "$PWD" "$excluded" (string join \x01 -- $own | string collect) "$_baton_command" \
                  >$_baton_folder/$fish_pid
              if test -d $_baton_folder/host
                  set -g _baton_starts 0
              else if test $_baton_starts -lt 5
                  set -g _baton_starts (math $_baton_starts + 1)
                  command sh -c 'baton shell-host </dev/null >/dev/null 2>&1 &'
              end
      """#,
      hasFocus ? #"        test "$TERM" = dumb; or builtin printf '\e[?1004h'"# : nil,
      #"""
          end

          function baton --description 'Hand off what you are doing'
              if not contains -- "$argv[1]" continue setup; or not test -d "$_baton_folder"
                  command baton $argv
                  return
              end
              set -l file $_baton_folder/cd-$fish_pid
              builtin printf '' >$file
              BATON_CD=$file command baton $argv
              set -l result $status
              if test -s $file
                  set -l target (string split0 <$file)
                  cd -- $target[1]; or set result $status
              end
              # If the command is stopped, it prints the directory when it goes on.
              command rm -f -- $file
              return $result
          end
      """#,
      hasLastCommand
        ? #"""

            function _baton_preexec --on-event fish_preexec
                set -g _baton_command ''
                # Each is a way to keep a command out of the history.
                if test -z "$fish_private_mode"; and not string match -qr '^\s' -- "$argv[1]"
                    if set -q fish_history; and test -z "$fish_history"
                        return
                    end
                    if functions -q fish_should_add_to_history; and not fish_should_add_to_history "$argv[1]"
                        return
                    end
                    set -g _baton_command "$argv[1]"
                end
            end
        """# : nil,
      hasFocus
        ? #"""

            function _baton_focus
                test -d $_baton_folder/host; and builtin printf '' >$_baton_folder/focus-$fish_pid
            end
            function _baton_leave --on-event fish_preexec --on-event fish_exit
                test "$TERM" = dumb; or builtin printf '\e[?1004l'
            end
            bind \e\[I _baton_focus
            bind \e\[O true
            bind -M insert \e\[I _baton_focus 2>/dev/null
            bind -M insert \e\[O true 2>/dev/null
        """# : nil,
      "end"
    )
  }
}
