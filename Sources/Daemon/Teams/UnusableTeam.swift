// SPDX-License-Identifier: Apache-2.0

import Activity

/// A team whose files exist and cannot be used. The files are kept.
package struct UnusableTeam: Sendable {
  /// The path of its directory.
  package let path: String
  /// Nil if the directory's name is not a Team ID.
  package let id: TeamID?
  /// Nil if the name cannot be read either.
  package let name: String?
  /// The users of this machine who may use it; nil if this cannot be read.
  private let owners: [UInt32]?
  /// The faulty file, and what is wrong with it.
  package let fault: String

  init(_ directory: TeamDirectory, _ error: StorageError) {
    let description = try? directory.loadDescription()
    path = directory.path
    id = path.split(atScalar: "/").last.flatMap { Hexadecimal.decode(String($0)) }.flatMap { TeamID(bytes: $0) }
    name = description?.name
    owners = description?.owners
    fault = error.description
  }

  /// Whether a user is told about it. If its owners are unknown, everybody is told.
  package func concerns(_ uid: UInt32) -> Bool { uid == 0 || owners?.contains(uid) ?? true }

  /// Whether it can be the team that a user means.
  package func isMeant(by text: String) -> Bool {
    name.map { $0 == text } ?? true || id?.description == text.uppercased()
  }
}
