// SPDX-License-Identifier: Apache-2.0

import Activity

/// Which editor a command line runs that begins with another program, such as `env LC_ALL=C vim`, or that a script
/// runs. What is added at the end of the command line reaches the editor.
package enum WrappedEditor {
  /// Programs that run what their arguments name, with the arguments that follow.
  private static let wrappers: Set = [
    "env", "nice", "ionice", "chrt", "taskset", "setsid", "nohup", "stdbuf", "timeout", "systemd-run",
    "systemd-inhibit", "dbus-run-session", "sudo", "doas", "run0", "firejail", "torsocks", "proxychains",
    "proxychains4", "flatpak", "flatpak-spawn", "snap", "toolbox", "distrobox-enter", "distrobox-host-exec",
    "host-spawn", "xterm", "uxterm", "urxvt", "rxvt", "st", "foot", "footclient", "kitty", "alacritty", "konsole",
    "gnome-terminal", "kgx", "xfce4-terminal", "mate-terminal", "lxterminal", "terminator", "wezterm",
    "x-terminal-emulator",
  ]
  private static let shells: Set = ["sh", "ash", "bash", "dash", "ksh", "mksh", "zsh"]

  /// The maximum length in bytes of a script that is read.
  package static let scriptLength = 16 * 1024

  /// The assignments at the beginning of a command line, which only shells and `env` understand.
  package static func assignments(in words: [String]) -> ArraySlice<String> { words.prefix(while: isAssignment) }

  /// - Parameters:
  ///   - words: A command line.
  ///   - style: What is known about a program's name, or about an application's.
  package static func style(in words: [String], _ style: (String) -> EditorCommand?) -> EditorCommand? {
    guard let program = words.first.flatMap(PathComponents.last) else { return nil }
    if shells.contains(program) {
      guard let option = words.firstIndex(where: { $0.hasBytes(of: "-c") }), words.indices.contains(option + 1) else {
        return nil
      }
      return self.style(inScript: words[option + 1], style)
    }
    guard wrappers.contains(program) else { return nil }
    for word in words.dropFirst() where !isAssignment(word) && !word.starts(withBytesOf: "-") {
      if let style = style(word) ?? style(applicationName(word)) { return style }
    }
    return nil
  }

  /// - Parameter text: What a shell runs. Only a program that gets all arguments of the script counts: `vim "$@"`.
  package static func style(inScript text: String, _ style: (String) -> EditorCommand?) -> EditorCommand? {
    var found: EditorCommand?
    for line in text.split(atScalar: "\n") {
      guard let words = ShellWords.split(String(line)), words.first?.starts(withBytesOf: "#") == false,
        let end = words.firstIndex(where: { $0.starts(withBytesOf: "$@") || $0.starts(withBytesOf: "${@}") }),
        let editor = words[..<end].compactMap(style).last
      else { continue }
      // Which of two it runs is not known.
      guard found == nil || found == editor else { return nil }
      found = editor
    }
    return found
  }

  /// Whether the text is that of a shell's script.
  package static func isScript(_ text: String) -> Bool {
    guard let line = text.split(atScalar: "\n").first?.rest(afterBytesOf: "#!") else { return false }
    return line.splitScalars(where: { $0 == " " || $0 == "/" || $0 == "\t" }).contains { shells.contains(String($0)) }
  }

  /// `org.vim.Vim` is `vim`.
  private static func applicationName(_ word: String) -> String {
    let parts = word.split(atScalar: ".")
    return parts.count > 2 ? parts.last.map { $0.lowercased() } ?? "" : ""
  }

  private static func isAssignment(_ word: String) -> Bool {
    guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")), sign != word.startIndex else { return false }
    return word[..<sign].utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
