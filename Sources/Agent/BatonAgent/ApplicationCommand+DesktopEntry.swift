// SPDX-License-Identifier: Apache-2.0

import Desktop

extension ApplicationCommand {
  /// The command of a desktop entry.
  ///
  /// - Parameter targets: URLs for the app.
  init(_ application: DesktopEntry, targets: [String]) {
    self.init(
      id: application.id,
      name: application.name,
      busName: application.busName,
      targets: targets,
      arguments: application.commandLine(targets: targets) ?? [],
      directory: application.workingDirectory,
      requiredProgram: application.tryExec,
      needsTerminal: application.needsTerminal
    )
  }
}
