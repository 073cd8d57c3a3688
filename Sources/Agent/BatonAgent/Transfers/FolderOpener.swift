// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Systemd

/// Shows folders in the user's file manager.
@Loop
final class FolderOpener {
  private let environment: ProcessEnvironment
  private let log: Log
  /// The one that was started last.
  private var program: ChildProgram?

  init(_ environment: ProcessEnvironment, log: Log) { (self.environment, self.log) = (environment, log) }

  /// - Parameter folder: Its absolute path.
  func open(_ folder: String) {
    let command = ApplicationCommand(id: "xdg-open", name: "File manager", arguments: ["xdg-open", folder])
    let start = ApplicationStart(command, environment) { [weak self, log] result in
      switch result {
      case .success(let program): self?.program = program
      case .failure(let failure): log.warning("Can't open a folder: \(failure.description)")
      }
    }
    start.begin()
  }
}
