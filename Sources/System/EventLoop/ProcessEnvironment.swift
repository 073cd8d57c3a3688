// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Environment variables of this process, and what is derived from them.
package struct ProcessEnvironment: Sendable {
  package private(set) var values: [String: String]

  package init(_ values: [String: String]) { self.values = values }

  /// The variables of this process.
  package static var current: ProcessEnvironment {
    var environment = ProcessEnvironment([:])
    var next = environ
    while let text = next.pointee {
      environment.add(String(cString: text))
      next += 1
    }
    return environment
  }

  /// Nil also if the variable is empty, as the XDG Base Directory Specification demands.
  package subscript(_ name: String) -> String? {
    get { values[name].flatMap { $0.isEmpty ? nil : $0 } }
    set { values[name] = newValue }
  }

  /// - Parameter variable: `NAME=value`; anything else is ignored.
  package mutating func add(_ variable: String) {
    // By bytes, because a combining scalar forms another `Character` with the sign before it.
    guard let sign = variable.utf8.firstIndex(of: UInt8(ascii: "=")), sign != variable.startIndex else { return }
    values[String(variable[..<sign])] = String(Substring(variable.utf8[sign...].dropFirst()))
  }

  /// Returns the environment without these variables.
  package func without(_ names: String...) -> ProcessEnvironment {
    ProcessEnvironment(values.filter { !names.contains($0.key) })
  }

  /// The variable as an absolute path. Other values are invalid and give nil.
  package func directory(_ name: String) -> String? {
    self[name].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
  }

  /// The user's runtime directory. Nil if it belongs to another user: after su, the environment may be that of the
  /// other one, and root's sockets and locks must not lie there.
  package var runtimeDirectory: String? {
    var status = stat()
    guard let path = directory("XDG_RUNTIME_DIR"), lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid()
    else { return nil }
    return path
  }

  /// Whether this is recognisably the environment of another user, as after su. Root's directories count as anyone's.
  package var isForeign: Bool {
    var status = stat()
    guard let path = directory("XDG_RUNTIME_DIR"), lstat(path, &status) == 0 else { return false }
    return status.st_uid != geteuid() && status.st_uid != 0
  }

  /// `NAME=value`, sorted.
  package var list: [String] { values.map { "\($0.key)=\($0.value)" }.sorted() }

  /// The path of a program: the name itself if it is absolute, otherwise the first executable in `PATH`.
  package func program(_ name: String) -> String? {
    guard name.utf8.first != UInt8(ascii: "/") else { return Self.mayRun(name) ? name : nil }
    guard !name.isEmpty, !name.unicodeScalars.contains("/") else { return nil }
    return (self["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").utf8.split(separator: UInt8(ascii: ":")).lazy
      .filter { $0.first == UInt8(ascii: "/") }.map { "\(Substring($0))/\(name)" }.first(where: Self.mayRun)
  }

  private static func mayRun(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
