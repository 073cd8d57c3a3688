import Activity
import JSONCoding

/// The `userInfo` of an `io.baton.files` activity: what is sent, for people.
package struct FilesInfo: Structure {
  package struct File: Structure {
    package let name: String
    /// In bytes. Of a folder, that of everything in it.
    @Coded<Count> package var size: Int

    package init(name: String, size: Int) {
      self.name = name
      self.size = size
    }
  }

  /// Files and folders, at most ``fileLimit``.
  @Coded<SomeFiles> package var files: [File]
  /// The number of all files, those in folders included.
  @Coded<Count?> package var count: Int?
  /// The size of all files in bytes.
  @Coded<Count?> package var size: Int?
  /// How many files and folders are sent beside ``files``.
  @Coded<Count?> package var more: Int?

  package static let fileLimit = 20
  /// Leaves room in `userInfo` for the daemon's own form of numbers.
  private static let length = Limits.userInfoLength - 128

  /// - Parameter files: As many are named as fit.
  package init(_ files: [File], count: Int, size: Int) {
    self.files = Array(files.prefix(Self.fileLimit))
    self.count = count
    self.size = size
    more = files.count > self.files.count ? files.count - self.files.count : nil
    while self.files.count > 1, json.bytes.count > Self.length {
      self.files.removeLast()
      more = files.count - self.files.count
    }
  }

  /// One line for people, such as `notes.txt, photos and 3 more (12 files, 1.2 MB)`. Both machines make it in the same
  /// way, so that the receiver can tell whether an offer's title says what really comes.
  package var title: String {
    let shown = files.prefix(2).map { Printable.text(VisibleText.line($0.name) ?? "a file", limit: 60) }
    let (more, isOver) = (files.count - shown.count).addingReportingOverflow(self.more ?? 0)
    var text = shown.joined(separator: ", ")
    if more > 0, !isOver { text += " and \(more) more" }
    let number = count.flatMap { $0 == 1 ? nil : "\($0) files, " } ?? ""
    return "\(text) (\(number)\(ByteCount.text(size ?? 0)))"
  }
}

extension FilesInfo {
  /// Whether somebody who accepted this accepted as much as really comes. Files can change until they are sent.
  ///
  /// - Parameter names: Of the files and folders at the top, for people.
  package func covers(names: [String], size: UInt64, count: Int) -> Bool {
    let known = Set(files.map(\.name))
    guard names.count(where: { !known.contains($0) }) <= more ?? 0 else { return false }
    guard let own = self.size.flatMap(UInt64.init(exactly:)), let ownCount = self.count else { return false }
    let (most, isOver) = (own + own / 10).addingReportingOverflow(Self.sizeTolerance)
    return isOver || size <= most && count - ownCount <= ownCount / 10 + Self.countTolerance
  }

  private static let sizeTolerance: UInt64 = 16 << 20
  private static let countTolerance = 100
}

/// One file at least.
package enum SomeFiles: MemberCoding {
  package static func decode(_ json: JSON?) -> [FilesInfo.File]? {
    EmptyByDefault<FilesInfo.File>.decode(json).flatMap { $0.isEmpty || $0.count > FilesInfo.fileLimit ? nil : $0 }
  }

  package static func encode(_ files: [FilesInfo.File]) -> JSON? { .array(files.map(\.json)) }
}
