// SPDX-License-Identifier: Apache-2.0

import Localization

/// Commands that `baton help GROUP` lists together.
enum HelpGroup: String, CaseIterable {
  case everyday, files, terminals, teams, servers, search, diagnosis, scripts

  /// What the group is about, for the list of groups.
  var summary: String {
    switch self {
    case .everyday: localized("Everyday commands.")
    case .files: localized("Files and the clipboard.")
    case .terminals: localized("Terminals, shells and editors.")
    case .teams: localized("Your machines and teams.")
    case .servers: localized("Servers for machines that don't share a network.")
    case .search: localized("Search and suggestions.")
    case .diagnosis: localized("Problems, status and versions.")
    case .scripts: localized("Scripts: more commands, JSON and exit statuses.")
    }
  }
}

/// A part of the everyday commands: those that `baton --help` shows.
struct HelpSection {
  let title: String
  let commands: [any Command.Type]

  static var everyday: [HelpSection] {
    [
      HelpSection(title: localized("Get started"), commands: [SetupCommand.self]),
      HelpSection(
        title: localized("Continue on this machine"),
        commands: [ListCommand.self, ContinueCommand.self, OpenCommand.self]
      ),
      HelpSection(
        title: localized("Send files, copy and paste"),
        commands: [SendCommand.self, TransfersCommand.self, CopyCommand.self, PasteCommand.self]
      ),
      HelpSection(
        title: localized("Check your machines"),
        commands: [MachinesCommand.self, DoctorCommand.self]
      ),
    ]
  }
}
