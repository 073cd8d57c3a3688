// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Glibc

/// A note of a browser's host in the user's runtime directory, for `baton doctor`. It says why the page in front is not
/// offered, and is gone when there is nothing to say.
package enum WithheldNote {
  private static let length = 64

  private static func path(_ process: Int32, _ environment: ProcessEnvironment) -> String? {
    environment.runtimeDirectory.map { "\($0)/baton-browser-\(process)" }
  }

  static func write(_ page: WithheldPage?, _ environment: ProcessEnvironment = .current) {
    guard let path = path(getpid(), environment) else { return }
    unlink(path)
    guard let page else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    try? Descriptor.write(Array(page.rawValue.utf8)[...], to: descriptor)
    close(descriptor)
  }

  /// Returns what the host with this number has noted.
  package static func read(_ process: Int32, _ environment: ProcessEnvironment) -> WithheldPage? {
    guard let path = path(process, environment), let file = RegularFile(path, length: length), file.owner == geteuid()
    else { return nil }
    return WithheldPage(rawValue: String(decoding: file.bytes, as: UTF8.self))
  }
}
