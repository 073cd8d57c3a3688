import ControlInterface

extension Verdict {
  /// An installed editor, and what is there for it to hand over positions.
  package struct Editor: Equatable, Sendable {
    package let name: String
    package let hasPlugin: Bool
    package let isRunning: Bool
    package let isConnected: Bool

    package init(name: String, hasPlugin: Bool, isRunning: Bool = false, isConnected: Bool = false) {
      self.name = name
      self.hasPlugin = hasPlugin
      self.isRunning = isRunning
      self.isConnected = isConnected
    }
  }

  package static func editor(_ editor: Editor) -> Finding {
    let name = editor.name
    if editor.isConnected { return Finding(.editor, .passed, "\(name) is connected to Baton.") }
    guard editor.hasPlugin else {
      return Finding(
        .editor,
        .skipped,
        "\(name) does not have Baton's plugin.",
        advice: "To hand over what you edit, run `sudo apt install baton-editors`, and restart the editor."
      )
    }
    guard !editor.isRunning else {
      return Finding(
        .editor,
        .note,
        "\(name) is running, but is not connected to Baton.",
        advice: "Restart the editor and open a file. If that does not help, look at its messages."
      )
    }
    return Finding(.editor, .passed, "\(name) has Baton's plugin. It is not running.")
  }
}
