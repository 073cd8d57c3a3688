// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import Localization

enum ShellInitCommand: Command {
  static let words = ["shell-init"]
  static let group = HelpGroup.terminals
  static let summary = localized("Print the shell hook that offers your working directory.")
  static let details = localized(
    """
    SHELL is bash, zsh, fish or tmux. Add one of these lines to the end of the
    shell's startup file:

        eval "$(baton shell-init bash)"       ~/.bashrc
        eval "$(baton shell-init zsh)"        ~/.zshrc
        baton shell-init fish | source        ~/.config/fish/config.fish
        run-shell 'baton shell-init tmux | tmux source-file -'    ~/.tmux.conf

    From then on, Baton offers the working directory of the terminal you last typed
    in, and `baton continue` in a terminal changes directory. The hook doesn't start
    a process at each prompt.

    The variable BATON_EXCLUDE lists directories that never leave this machine,
    separated by colons.
    """
  )
  private static let shells = ["bash", "zsh", "fish", "tmux"]
  private static let focus = Option.flag(
    "focus",
    localized("Also follow the focus, if the terminal reports it. This prints escape sequences at each prompt.")
  )
  private static let lastCommand = Option.flag(
    "last-command",
    localized("Also offer the last command. Commands that begin with a space are never offered.")
  )
  static let options: [any AnyOption] = [focus, lastCommand]
  static let operand: Operand? = .required("SHELL", .choice(shells))
  static let commonOptions: [any AnyOption] = [CommonOptions.help]
  static let examples: [CommandExample] = [
    ("baton shell-init bash", localized("Print the hook for Bash.")),
    ("baton shell-init zsh --last-command", localized("Print a hook for zsh that also offers your last command.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let hook = ShellHook(hasFocus: arguments[focus], hasLastCommand: arguments[lastCommand])
    switch arguments.requiredOperand {
    case "bash": try output.line(hook.bash)
    case "zsh": try output.line(hook.zsh)
    case "fish": try output.line(hook.fish)
    case "tmux": try output.line(ShellHook.tmux)
    case let name:
      throw UsageError(localized("There's no hook for '\(name)'. SHELL is bash, zsh, fish or tmux."), hint: syntax.hint)
    }
  }
}
