import Activity

/// When all secrets of a state directory are sealed for their places, the file `sealed` says so, and nothing else is taken from
/// then on. The file is sealed, too, and is there before the first secret is sealed for its place: where it is gone or cannot
/// be opened, a secret that is sealed so tells the same.
extension SecretFiles {
  /// What the file holds.
  private static let contents: [Stage: [UInt8]] = [.sealing: Array("sealing\n".utf8), .sealed: Array("sealed\n".utf8)]

  static func marker(in directory: String) -> String { "\(directory)/sealed" }

  /// The same for a state directory.
  ///
  /// - Parameter paths: Secrets, of which one is there where any is.
  func begun(in directory: String, beside paths: [String]) -> SecretFiles {
    var files = of(directory)
    guard sealer != nil else { return files }
    let marker = Self.marker(in: directory)
    if let content = files.boundContent(marker) {
      files.stage = content == Self.contents[.sealed] ? .sealed : .sealing
    } else if paths.contains(where: { files.boundContent($0) != nil }) {
      files.stage = .sealed
    } else if (try? Files.isThere(marker)) == false {
      // One that cannot be opened stays, while there may be secrets of the same key.
      try? files.enter(.sealing, in: directory)
    }
    return files
  }

  /// Goes on when the secrets have been written anew.
  ///
  /// - Parameter isComplete: All that are there.
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

  /// Nil where the file is not sealed for its place, or cannot be opened.
  private func boundContent(_ path: String) -> [UInt8]? {
    guard let file = try? open(path, limit: Limits.enrolmentFileLength), file.form == .bound else { return nil }
    return file.content
  }
}
