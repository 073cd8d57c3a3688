import Activity
import Discovery
import Systemd

/// What the configuration file and the flags of `batond` decide, and how both are read.
package struct Configuration: Equatable, Sendable {
  package static let defaultPort: UInt16 = 22866

  /// Name of this machine, for people; nil for the host name.
  package var name: String?
  /// 0 for any free one.
  package var port = defaultPort
  package var usesDiscovery = true
  package var interfaces = InterfacePolicy()
  /// Whether what a user holds is offered no more while all of the user's screens are locked.
  package var withholdsWhenLocked = true
  package var logLevel = Log.Level.info
  /// Nil for the place that the directories of the system or the user give.
  package var socket: String?
  package var stateDirectory: String?
  /// None by default.
  package var sharedFolders = SharedFolders()

  package init() {}

  /// What is wrong with a configuration, and where.
  package struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    package let place: String
    package let message: String

    package var description: String { "\(place): \(message)" }
  }

  /// Takes the keys of a file over (systemd's syntax: sections, `Key=Value`, comments after `#` or `;`).
  ///
  /// - Parameter path: For the faults' text.
  /// - Throws: `Fault` with file and line at the first line that is not understood.
  package mutating func read(_ text: String, path: String) throws(Fault) {
    var section = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let place = "\(path):\(index + 1)"
      let line = line.trimmed
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if line.hasPrefix("["), line.hasSuffix("]") {
        section = String(line.dropFirst().dropLast())
        continue
      }
      guard let equals = line.firstIndex(of: "=") else {
        throw Fault(place: place, message: "a line is [Section] or Key=Value, not \"\(line)\"")
      }
      let value = String(line[line.index(after: equals)...].trimmed)
      let key = line[..<equals].trimmed
      if section == "shared-folders" {
        try share(String(key), value, place)
      } else {
        try set("\(section).\(key)", value, place)
      }
    }
  }

  private mutating func set(_ key: String, _ value: String, _ place: String) throws(Fault) {
    switch key {
    case "Device.Name": try setName(value, place)
    case "Network.Port": try setPort(value, place)
    case "Network.Discovery": usesDiscovery = try Self.bool(value, place)
    case "Network.Interfaces": interfaces.interfaces = try Self.patterns(value, place)
    case "Network.ExcludeInterfaces": interfaces.excluded = try Self.patterns(value, place)
    case "Privacy.WithholdWhenLocked": withholdsWhenLocked = try Self.bool(value, place)
    case "Log.Level": try setLogLevel(value, place)
    default:
      let parts = key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      throw Fault(place: place, message: "there is no key \(parts[1]) in section [\(parts[0])]")
    }
  }

  /// An empty value is the default, as in systemd's files.
  package mutating func setName(_ value: String, _ place: String) throws(Fault) {
    guard value.utf8.count <= Limits.deviceNameLength else {
      throw Fault(place: place, message: "a name is at most \(Limits.deviceNameLength) bytes long")
    }
    name = value.isEmpty ? nil : value
  }

  package mutating func setPort(_ value: String, _ place: String) throws(Fault) {
    guard let number = value.isEmpty ? Self.defaultPort : UInt16(value) else {
      throw Fault(place: place, message: "a port is a number from 0 to 65535, not \"\(value)\"")
    }
    port = number
  }

  package mutating func setLogLevel(_ value: String, _ place: String) throws(Fault) {
    guard let level = value.isEmpty ? .info : Log.Level(name: value) else {
      let names = Log.Level.allCases.map(\.name).joined(separator: ", ")
      throw Fault(place: place, message: "a log level is one of \(names), not \"\(value)\"")
    }
    logLevel = level
  }

  /// Each key of the section is a folder's name; an empty path is a fault, as there is no default.
  private mutating func share(_ name: String, _ path: String, _ place: String) throws(Fault) {
    do throws(SharedFolders.Fault) {
      try sharedFolders.add(name, at: path)
    } catch {
      throw Fault(place: place, message: error.description)
    }
  }

  /// Separated by blanks.
  private static func patterns(_ value: String, _ place: String) throws(Fault) -> [String] {
    let patterns = value.split(whereSeparator: \.isWhitespace).map(String.init)
    guard patterns.count <= Limits.interfacePatterns else {
      throw Fault(place: place, message: "at most \(Limits.interfacePatterns) patterns of interfaces are named")
    }
    return patterns
  }

  private static func bool(_ value: String, _ place: String) throws(Fault) -> Bool {
    switch value.lowercased() {
    case "yes", "true", "on", "1", "": true
    case "no", "false", "off", "0": false
    default: throw Fault(place: place, message: "expected yes or no, not \"\(value)\"")
    }
  }
}

extension StringProtocol {
  fileprivate var trimmed: Substring {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
