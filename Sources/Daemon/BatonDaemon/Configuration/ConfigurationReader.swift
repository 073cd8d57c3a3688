// SPDX-License-Identifier: Apache-2.0

import Activity

/// Reads configuration files one after the other, and remembers which value came from where. Later files override
/// earlier ones.
///
/// It continues after a fault, so that all faults are reported at the same time.
package struct ConfigurationReader: Sendable {
  package private(set) var configuration = Configuration()
  package private(set) var faults: [ConfigurationFault] = []
  /// The files that were read, in order.
  package private(set) var files: [String] = []
  /// Where the value in effect was set, by `Section.Key`.
  private var places: [String: String] = [:]
  private var isFull = false

  package init() {}

  /// The faults that make the configuration unusable.
  package var errors: [ConfigurationFault] { faults.filter { $0.kind == .wrong } }

  /// Reads the keys of a file; see ``ConfigurationLine``.
  ///
  /// - Parameter path: For the texts of faults.
  package mutating func read(_ text: String, path: String) {
    files.append(path)
    /// The names of folders in this file. A repeated name is a mistake here, while another file can change its path.
    var folders: Set<String> = []
    for line in ConfigurationLine.lines(of: text) where !isFull {
      let place = "\(path):\(line.number)"
      if let fault = line.fault { add(.wrong, place, fault) }
      guard let section = line.section.map(String.init) else { continue }
      guard case .setting(let key, let value) = line.content else {
        if line.content == .section { check(section, line.text, place) }
        continue
      }
      // An unknown section was reported where it begins.
      guard ConfigurationKey.sections.contains(section) else { continue }
      if section == ConfigurationKey.folderSection {
        share(String(key), String(value), place, isRepeated: !folders.insert(String(key)).inserted)
      } else if let known = ConfigurationKey(rawValue: "\(section).\(key)") {
        set(known, String(value), place)
      } else if ConfigurationKey.removed.contains(where: { $0.hasBytes(of: "\(section).\(key)") }) {
        add(.unknown, place, ConfigurationLine.removed(key))
      } else {
        let keys = ConfigurationKey.allCases.filter { $0.section == section }.map(\.key)
        add(.unknown, place, ConfigurationLine.unknown(key, in: section, known: keys))
      }
    }
  }

  /// Sets one value, such as that of a flag.
  package mutating func set(_ key: ConfigurationKey, _ value: String, _ place: String) {
    do throws(UnusableSetting) {
      try key.set(value, in: &configuration)
      places[key.rawValue] = place
    } catch {
      add(.wrong, place, error.message)
    }
  }

  /// Sets values that files cannot set.
  package mutating func set<Value>(_ path: WritableKeyPath<Configuration, Value>, to value: Value) {
    configuration[keyPath: path] = value
  }

  package mutating func add(_ fault: ConfigurationFault) { add(fault.kind, fault.place, fault.message) }

  /// Where the value of a key was set; nil if it has its default.
  func place(of key: ConfigurationKey) -> String? { places[key.rawValue] }

  func place(ofFolder name: String) -> String? { places["\(ConfigurationKey.folderSection).\(name)"] }

  /// Shares a folder. Each key of the section is a folder's name; an empty path cancels what an earlier file has
  /// shared.
  private mutating func share(_ name: String, _ path: String, _ place: String, isRepeated: Bool) {
    guard !isRepeated else { return add(.wrong, place, "the folder \(name.quoted) is listed twice in this file") }
    var folders = configuration.sharedFolders
    folders.remove(name)
    do throws(SharedFolders.Fault) {
      if !path.isEmpty { try folders.add(name, at: path) }
      configuration.sharedFolders = folders
      places["\(ConfigurationKey.folderSection).\(name)"] = place
    } catch {
      add(.wrong, place, error.description)
    }
  }

  private mutating func check(_ name: String, _ line: Substring, _ place: String) {
    guard !ConfigurationKey.sections.contains(name) else { return }
    let alike = ConfigurationKey.sections.first { $0.lowercased() == name.lowercased() }
    let known = alike.map { "; did you mean [\($0)]?" } ?? ""
    add(.unknown, place, "unknown section \(line.quoted)\(known)")
  }

  private mutating func add(_ kind: ConfigurationFault.Kind, _ place: String, _ message: String) {
    guard !isFull else { return }
    faults.append(ConfigurationFault(kind, place: place, message: message))
    guard faults.count == Limits.configurationFaults else { return }
    isFull = true
    faults.append(ConfigurationFault(.wrong, place: place, message: "too many errors; the rest is ignored"))
  }
}
