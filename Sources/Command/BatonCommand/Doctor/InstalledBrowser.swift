// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface

/// A browser on this machine, however it was installed.
struct InstalledBrowser: Equatable {
  let product: BrowserProduct
  var packaging = Verdict.Browser.Packaging.native
  /// The folder with its files, without links. Nil if only its program's name is known.
  var folder: String?
  /// The file that contains all of it, such as an AppImage.
  var file: String?
  /// What Flatpak or Snap call it.
  var app: String?

  /// Whether a running program is this browser, or one of its processes.
  func isMeant(_ program: RunningProgram) -> Bool {
    switch packaging {
    case .flatpak: return app != nil && program.flatpak == app
    case .snap: return app.map { program.executable?.starts(withBytesOf: "/snap/\($0)/") ?? false } ?? false
    case .native:
      guard !program.isSandboxed else { return false }
      guard let folder, let executable = program.executable else { return product.programs.contains(program.name) }
      return executable.starts(withBytesOf: "\(folder)/")
    }
  }

  /// The name by which the kernel knows the program outside of a sandbox that starts hosts for a Firefox in it.
  var starter: String? {
    switch (product.family, packaging) {
    case (.firefox, .flatpak): "xdg-native-mess"
    case (.firefox, .snap): "xdg-desktop-por"
    default: nil
    }
  }
}
