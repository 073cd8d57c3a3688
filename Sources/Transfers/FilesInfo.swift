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

  package static let fileLimit = 20
  /// Leaves room in `userInfo` for the daemon's own form of numbers.
  private static let length = Limits.userInfoLength - 128

  /// - Parameter files: As many are named as fit.
  package init(_ files: [File], count: Int, size: Int) {
    self.files = Array(files.prefix(Self.fileLimit))
    self.count = count
    self.size = size
    while self.files.count > 1, json.bytes.count > Self.length { self.files.removeLast() }
  }

  /// One line for people, such as `notes.txt, photos and 3 more (12 files, 1.2 MB)`. Both machines make it in the same
  /// way, so that the receiver can tell whether an offer's title says what really comes.
  package func title(tops: Int) -> String {
    let shown = files.prefix(2).map { Printable.text(VisibleText.line($0.name) ?? "a file", limit: 60) }
    let more = max(0, tops - shown.count)
    var text = shown.joined(separator: ", ")
    if more > 0 { text += " and \(more) more" }
    let number = count.flatMap { $0 == 1 ? nil : "\($0) files, " } ?? ""
    return "\(text) (\(number)\(ByteCount.text(size ?? 0)))"
  }
}

/// One file at least.
package enum SomeFiles: MemberCoding {
  package static func decode(_ json: JSON?) -> [FilesInfo.File]? {
    EmptyByDefault<FilesInfo.File>.decode(json).flatMap { $0.isEmpty || $0.count > FilesInfo.fileLimit ? nil : $0 }
  }

  package static func encode(_ files: [FilesInfo.File]) -> JSON? { .array(files.map(\.json)) }
}

/// Sizes for people.
package enum ByteCount {
  private static let units = ["kB", "MB", "GB", "TB", "PB", "EB"]

  /// Returns the number with one digit after the point, in units of 10³ bytes: `1.2 MB`.
  package static func text(_ count: Int) -> String {
    guard count >= 1000 else { return count == 1 ? "1 byte" : "\(max(0, count)) bytes" }
    var tenths = count / 100
    var unit = 0
    // Checked: 2^63 bytes are 9.2 EB.
    while tenths >= 10_000, unit < units.count - 1 {
      tenths /= 1000
      unit += 1
    }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
