// SPDX-License-Identifier: Apache-2.0

import Localization

extension Verdict {
  /// An installed editor, and what is there for it to hand over positions.
  package struct Editor: Equatable, Sendable {
    /// A line that turns the plugin on, and the file to put it into.
    package struct Line: Equatable, Sendable {
      package let text: String
      /// For people: `~/.emacs`.
      package let file: String

      package init(_ text: String, file: String) {
        self.text = text
        self.file = file
      }
    }

    package let name: String
    package let hasPlugin: Bool
    /// What the user has to add to a file, because the plugin does nothing by itself.
    package let missing: Line?
    package let isRunning: Bool
    package let isConnected: Bool

    package init(
      name: String,
      hasPlugin: Bool,
      missing: Line? = nil,
      isRunning: Bool = false,
      isConnected: Bool = false
    ) {
      self.name = name
      self.hasPlugin = hasPlugin
      self.missing = missing
      self.isRunning = isRunning
      self.isConnected = isConnected
    }
  }

  /// - Parameter packages: What installs packages on this machine. Nil if nothing does that is known here.
  package static func editor(_ editor: Editor, _ packages: PackageManager?) -> Finding {
    let name = editor.name
    if editor.isConnected { return Finding(.editor, .passed, localized("\(name) is connected to Baton.")) }
    guard editor.hasPlugin else {
      return Finding(
        .editor,
        .skipped,
        localized("\(name) doesn't have Baton's plugin."),
        advice: packages.map {
          localized("To hand off files you're editing, run `\($0.install("baton-editors"))`, and restart the editor.")
        } ?? localized("To hand off files you're editing, install the package baton-editors, and restart the editor.")
      )
    }
    if let line = editor.missing {
      return Finding(
        .editor,
        .skipped,
        localized("\(name) has Baton's plugin, but it isn't enabled."),
        advice: localized("To hand off files you're editing, add this line to \(line.file): \(line.text)")
      )
    }
    guard !editor.isRunning else {
      return Finding(
        .editor,
        .note,
        localized("\(name) is running, but isn't connected to Baton."),
        advice: localized("Restart the editor and open a file. If that doesn't help, check its messages.")
      )
    }
    return Finding(.editor, .passed, localized("\(name) has Baton's plugin. It isn't running."))
  }
}
