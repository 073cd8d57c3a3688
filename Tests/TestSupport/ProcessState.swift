// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// What belongs to the whole process, and every test could change.
enum ProcessState {
  /// The environment, the working directory, the umask, the signals that are handled, and the resource limits, by name.
  static var now: [String: String] {
    var state = ["working directory": FileManager.default.currentDirectoryPath]
    for (name, value) in ProcessInfo.processInfo.environment { state["$\(name)"] = value }
    for line in lines("status") where ["Umask:", "SigIgn:", "SigCgt:"].contains(where: line.hasPrefix) {
      let parts = line.split(separator: "\t")
      if let name = parts.first?.dropLast() { state[String(name)] = parts.dropFirst().joined() }
    }
    for line in lines("limits") { state[String(line.prefix(26))] = String(line.dropFirst(26)) }
    return state
  }

  /// Whether a program that this process has started still runs or was not waited for.
  static var hasChildren: Bool {
    var information = siginfo_t()
    return waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0
  }

  private static func lines(_ name: String) -> [Substring] {
    let text = (try? Data(contentsOf: URL(filePath: "/proc/self/\(name)"))) ?? Data()
    return String(decoding: text, as: UTF8.self).split(separator: "\n")
  }
}
