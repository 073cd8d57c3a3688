// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// Where programs are that this one runs.
enum ProgramPath {
  /// Where programs are that a shell with an unusual PATH does not find.
  private static let usual = ["/usr/local/bin", "/usr/bin", "/bin"]

  /// Returns the path of a program in PATH, or else where programs usually are. Nil if it is not installed.
  static func find(_ name: String, _ environment: ProcessEnvironment) -> String? {
    let folders = (environment["PATH"] ?? "").split(atScalar: ":").map(String.init)
    return (folders.filter { $0.starts(withBytesOf: "/") } + usual).lazy.map { "\($0)/\(name)" }.first {
      access($0, X_OK) == 0
    }
  }
}
