// SPDX-License-Identifier: Apache-2.0

import Activity

/// How far the secrets of a state directory are sealed for their places. When all of them are, the file `sealed` says
/// so, and nothing else is accepted from then on. This file is sealed, too, and exists before the first secret is
/// sealed for its place. If it is gone or cannot be opened, a secret that is sealed for its place proves the same.
extension SecretFiles {
  /// The content of the file for each stage.
  private static let contents: [Stage: [UInt8]] = [.sealing: Array("sealing\n".utf8), .sealed: Array("sealed\n".utf8)]

  static func marker(in directory: String) -> String { "\(directory)/sealed" }

  /// Returns the same files for a state directory, at its stage.
  ///
  /// - Parameter paths: Paths of secrets. If there are any secrets, one of these exists.
  func begun(in directory: String, beside paths: [String]) -> SecretFiles {
    var files = of(directory)
    guard sealer != nil else { return files }
    let marker = Self.marker(in: directory)
    if let content = files.boundContent(marker) {
      files.stage = content == Self.contents[.sealed] ? .sealed : .sealing
    } else if paths.contains(where: { files.boundContent($0) != nil }) {
      files.stage = .sealed
    } else if (try? Files.isThere(marker)) == false {
      // A marker that cannot be opened stays, because there may be secrets with the same key.
      try? files.enter(.sealing, in: directory)
    }
    return files
  }

  /// Enters the next stage, after the secrets have been rewritten.
  ///
  /// - Parameter isComplete: Whether all secrets were rewritten.
  mutating func end(in directory: String, isComplete: Bool) throws(StorageError) {
    let marker = Self.marker(in: directory)
    if sealer == nil {
      if boundContent(marker) != nil { Files.remove(marker) }
    } else if isComplete || stage == .sealed {
      try enter(stage == .unmarked ? .sealing : .sealed, in: directory)
    }
  }

  private mutating func enter(_ stage: Stage, in directory: String) throws(StorageError) {
    let marker = Self.marker(in: directory)
    var files = self
    files.stage = stage
    let content = Self.contents[stage] ?? []
    let file = try? files.open(marker, limit: content.count)
    if file?.content != content || file.map(files.isAsWritten) != true {
      try files.write(content, to: marker, in: directory)
    }
    self = files
  }

  /// Returns the content; nil if the file is not sealed for its place, or cannot be opened.
  private func boundContent(_ path: String) -> [UInt8]? {
    guard let file = try? open(path, limit: Limits.enrolmentFileLength), file.form == .bound else { return nil }
    return file.content
  }
}
