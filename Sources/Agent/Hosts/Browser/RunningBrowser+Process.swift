// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Glibc

extension RunningBrowser {
  /// The browser that started this program. Nil if another program did, such as one that stands between the two.
  static var parent: RunningBrowser? {
    let process = "/proc/\(getppid())"
    guard ProcessEnvironment.current["MOZ_NO_REMOTE"] == nil, let program = SymbolicLink.target(of: "\(process)/exe"),
      // Chromium puts spaces in the place of zeros.
      let line = RegularFile("\(process)/cmdline", length: lineLength)?.bytes.split(whereSeparator: {
        [0, 0x20].contains($0)
      })
    else { return nil }
    let files = Folder.names(in: "\(process)/fd", limit: filesLimit).compactMap {
      SymbolicLink.target(of: "\(process)/fd/\($0)")
    }
    let environment = ProcessEnvironment.current
    let hasBus =
      environment["DBUS_SESSION_BUS_ADDRESS"] != nil
      || environment.runtimeDirectory.map { access("\($0)/bus", F_OK) == 0 } ?? false
    return RunningBrowser(
      program: program,
      line: line.map { String(decoding: $0, as: UTF8.self) },
      files: files,
      hasBus: hasBus
    )
  }

  /// Starts the browser's program again, which hands over to the browser.
  ///
  /// - Parameter token: See `OpenOffer`.
  @Loop
  func bringToFront(opening page: String, token: String) {
    guard let command = command(opening: page) else { return }
    var environment = ProcessEnvironment.current
    environment["XDG_ACTIVATION_TOKEN"] = token
    environment["DESKTOP_STARTUP_ID"] = token
    var options = ChildProgram.Options(environment: environment.list)
    // Our standard output is for the extension.
    options.standardOutput = STDERR_FILENO
    // Without it, the extension opens the page behind other windows.
    _ = try? ChildProgram(command, options)
  }

  private static let lineLength = 64 * 1024
  private static let filesLimit = 8192
}
