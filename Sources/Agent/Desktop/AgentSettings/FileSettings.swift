// SPDX-License-Identifier: Apache-2.0

import Activity

/// The settings of what other machines send: the section `[Files]` of agent.conf(5).
package struct FileSettings: SettingsSection {
  /// The maximum length of a folder's path in bytes.
  private static let folderPathLength = 4095

  /// What happens to what a machine sends.
  package enum Acceptance: String, CaseIterable, Sendable {
    case ask
    case always
    case never
  }

  /// `Accept`: for the machines that no other rule names.
  package var acceptance = Acceptance.ask
  /// `AcceptFrom`: the machines that nobody is asked about.
  package var accepted: Set<DeviceID> = []
  /// `RefuseFrom`: the machines from which nothing is accepted. They count more than `AcceptFrom`.
  package var refused: Set<DeviceID> = []
  /// `Folder`: where files arrive. It begins with `/`, or with `~/` for the user's home directory. Nothing arrives in
  /// an ``ObeyedFolder``.
  package var folder = "~/Handoff"
  /// `MaximumSize`: of one transfer, in bytes.
  package var maximumSize: Int?
  /// `KeepFree`: how much of the disk stays free, in bytes.
  package var reserve = 1 << 30
  /// `Quota`: how many bytes all machines can send in 24 hours.
  package var quota: Int? = 512 << 30

  package init() {}

  package static let keys = ["Accept", "AcceptFrom", "RefuseFrom", "Folder", "MaximumSize", "KeepFree", "Quota"]
  package static let removed = ["MachineQuota"]

  /// What happens to what this machine sends.
  package func acceptance(of device: DeviceID) -> Acceptance {
    if refused.contains(device) { return .never }
    return accepted.contains(device) ? .always : acceptance
  }

  /// The path of the folder for the files.
  package func folder(home: String) -> String {
    folder == "~" ? home : folder.rest(afterBytesOf: "~/").map { "\(home)/\($0)" } ?? folder
  }

  package mutating func set(_ key: String, to value: Substring) throws(UnusableSetting) {
    let usual = FileSettings()
    switch key {
    case "Accept":
      let acceptance = value.isEmpty ? usual.acceptance : Acceptance(rawValue: value.lowercased())
      guard let acceptance else { throw UnusableSetting("expected ask, always or never, not \(value.quoted)") }
      self.acceptance = acceptance
    case "AcceptFrom": accepted = try SettingValue.devices(value)
    case "RefuseFrom": refused = try SettingValue.devices(value)
    case "Folder":
      guard value.isEmpty || value.starts(withBytesOf: "/") || value.starts(withBytesOf: "~/") || value == "~",
        value.utf8.count <= Self.folderPathLength
      else { throw UnusableSetting("a folder must start with / or ~/, not \(value.quoted)") }
      folder = value.isEmpty ? usual.folder : String(value)
    case "MaximumSize": maximumSize = try SettingValue.size(value, default: usual.maximumSize)
    case "KeepFree": reserve = try SettingValue.size(value, default: usual.reserve) ?? 0
    case "Quota": quota = try SettingValue.size(value, default: usual.quota)
    default: break
    }
  }
}
