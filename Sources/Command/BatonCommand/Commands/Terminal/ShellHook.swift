// SPDX-License-Identifier: Apache-2.0

/// The scripts that `baton shell-init` prints.
///
/// At each prompt, the shell writes its directory to a file (`ShellFolder`), which takes no other process and never
/// waits. Nothing changes that other hooks, the prompt or the user can see: status, options, traps, jobs, `$!`. If
/// there is no host, the hook starts one, at most five times in a row.
struct ShellHook {
  let hasFocus: Bool
  let hasLastCommand: Bool

  /// Returns the parts that are not nil, one after the other.
  static func script(_ parts: String?...) -> String { parts.compactMap { $0 }.joined(separator: "\n") }
}
