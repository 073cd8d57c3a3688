// SPDX-License-Identifier: Apache-2.0

import Activity
import Discovery
import Systemd

/// The keys of batond.conf(5), in the file's order, except for those of `[shared-folders]`, which users name.
package enum ConfigurationKey: String, CaseIterable, Sendable {
  /// What the configuration may say about `Limits.streamMemory`.
  private static let streamMemoryRange = 4 * 1024 * 1024...64 * 1024 * 1024 * 1024
  /// The maximum number of patterns in one list of interfaces in the configuration.
  static let interfacePatterns = 64

  case name = "Device.Name"
  case port = "Network.Port"
  case discovery = "Network.Discovery"
  case interfaces = "Network.Interfaces"
  case excludeInterfaces = "Network.ExcludeInterfaces"
  case rendezvous = "Network.Rendezvous"
  case relays = "Network.Relays"
  case source = "Network.Source"
  case withholdWhenLocked = "Privacy.WithholdWhenLocked"
  case streamMemory = "Memory.Streams"
  case logLevel = "Log.Level"

  /// The section whose keys are the names of folders.
  package static let folderSection = "shared-folders"
  /// All sections, in the file's order.
  package static let sections = ["Device", "Network", "Privacy", folderSection, "Memory", "Log"]
  /// Keys of earlier versions, as `Section.Key`. Nothing depends on them.
  static let removed = ["Memory.Sessions", "Memory.Programs"]

  package var section: String { String(rawValue.scalarPrefix(while: { $0 != "." })) }
  package var key: String { String(rawValue.dropScalars(while: { $0 != "." }).unicodeScalars.dropFirst()) }

  /// Sets a value in a configuration. An empty value stands for the default.
  ///
  /// - Throws: Why the value cannot be used.
  func set(_ value: String, in configuration: inout Configuration) throws(UnusableSetting) {
    switch self {
    case .name:
      guard value.utf8.count <= Limits.deviceNameLength else {
        throw UnusableSetting("a name must be at most \(Limits.deviceNameLength) bytes long")
      }
      guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
        throw UnusableSetting("a name can't contain control characters")
      }
      configuration.name = value.isEmpty ? nil : value
    case .port:
      guard let number = value.isEmpty ? Configuration.defaultPort : UInt16(value) else {
        throw UnusableSetting("a port must be a number from 0 to 65535, not \(value.quoted)")
      }
      configuration.port = number
    case .discovery: configuration.usesDiscovery = try SettingValue.bool(value, default: true)
    case .interfaces: configuration.interfaces.interfaces = try Self.patterns(value)
    case .excludeInterfaces: configuration.interfaces.excluded = try Self.patterns(value)
    case .rendezvous: configuration.usesRendezvous = try SettingValue.bool(value, default: true)
    case .relays: configuration.usesRelays = try SettingValue.bool(value, default: true)
    case .source:
      configuration.source = PeerSource(rawValue: value)
      guard value.isEmpty || configuration.source != nil else {
        throw UnusableSetting("the source must be tailscale or empty, not \(value.quoted)")
      }
    case .withholdWhenLocked: configuration.withholdsWhenLocked = try SettingValue.bool(value, default: true)
    case .streamMemory:
      configuration.streamMemory = try Self.size(value, default: Limits.streamMemory, in: Self.streamMemoryRange)
    case .logLevel:
      guard let level = value.isEmpty ? .info : Log.Level(name: value) else {
        let names = Log.Level.allCases.map(\.name).joined(separator: ", ")
        throw UnusableSetting("a log level must be one of \(names), not \(value.quoted)")
      }
      configuration.logLevel = level
    }
  }

  /// The value as a file has it.
  func text(in configuration: Configuration) -> String {
    switch self {
    case .name: configuration.name ?? ""
    case .port: "\(configuration.port)"
    case .discovery: configuration.usesDiscovery ? "yes" : "no"
    case .interfaces: configuration.interfaces.interfaces.joined(separator: " ")
    case .excludeInterfaces: configuration.interfaces.excluded.joined(separator: " ")
    case .rendezvous: configuration.usesRendezvous ? "yes" : "no"
    case .relays: configuration.usesRelays ? "yes" : "no"
    case .source: configuration.source?.rawValue ?? ""
    case .withholdWhenLocked: configuration.withholdsWhenLocked ? "yes" : "no"
    case .streamMemory: Self.text(configuration.streamMemory)
    case .logLevel: configuration.logLevel.name
    }
  }

  /// Splits patterns, which are separated by white space.
  private static func patterns(_ value: String) throws(UnusableSetting) -> [String] {
    let patterns = value.splitScalars(where: \.properties.isWhitespace).map(String.init)
    guard patterns.count <= Self.interfacePatterns else {
      throw UnusableSetting("there are more than \(Self.interfacePatterns) interface patterns")
    }
    return patterns
  }

  /// The units of sizes, the greatest first.
  private static let units: KeyValuePairs = ["G": 1 << 30, "M": 1 << 20, "K": 1 << 10]

  /// Reads a size in bytes, with K, M or G for powers of 1,024.
  private static func size(
    _ value: String,
    default usual: Int,
    in range: ClosedRange<Int>
  ) throws(UnusableSetting) -> Int {
    guard !value.isEmpty else { return usual }
    let unit = units.first { value.ends(withBytesOf: $0.key) }
    guard let number = Int(unit.flatMap { value.start(beforeBytesOf: $0.key) } ?? value[...]) else {
      throw UnusableSetting("a size must be a number of bytes, optionally followed by K, M or G, not \(value.quoted)")
    }
    let (size, isOver) = number.multipliedReportingOverflow(by: unit?.value ?? 1)
    guard !isOver, range.contains(size) else {
      let (least, most) = (text(range.lowerBound), text(range.upperBound))
      throw UnusableSetting("the size must be between \(least) and \(most), not \(value.quoted)")
    }
    return size
  }

  private static func text(_ size: Int) -> String {
    units.first { size.isMultiple(of: $0.value) }.map { "\(size / $0.value)\($0.key)" } ?? "\(size)"
  }
}
