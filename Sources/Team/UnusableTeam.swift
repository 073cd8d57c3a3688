import Activity

/// A team whose files are here and cannot be used. Nothing of it is changed or forgotten.
package struct UnusableTeam: Sendable {
  /// Of its directory.
  package let path: String
  /// Nil where the directory's name is none.
  package let id: TeamID?
  /// Nil where that cannot be read either.
  package let name: String?
  /// The users of this machine that may use it; nil where that cannot be read.
  private let owners: [UInt32]?
  /// The file that is at fault, and why.
  package let fault: String

  init(_ directory: TeamDirectory, _ error: StorageError) {
    let description = try? directory.loadDescription()
    path = directory.path
    id = path.split(separator: "/").last.flatMap { Hexadecimal.decode(String($0)) }.flatMap { TeamID(bytes: $0) }
    name = description?.name
    owners = description?.owners
    fault = error.description
  }

  /// Whether a user is told of it: everybody where it is not known whose it is.
  package func concerns(_ uid: UInt32) -> Bool { uid == 0 || owners?.contains(uid) ?? true }

  /// Whether it can be the one that a user names.
  package func isMeant(by text: String) -> Bool {
    name.map { $0 == text } ?? true || id?.description == text.uppercased()
  }
}
