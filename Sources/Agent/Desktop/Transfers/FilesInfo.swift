// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The `userInfo` of an `io.baton.files` activity: what is sent, for people.
package struct FilesInfo: Structure {
  package struct File: Structure {
    package let name: String
    /// In bytes. Of a folder, that of everything in it.
    @Coded<Count> package var size: Int
    /// Nobody who agreed to a file agreed to a folder, in which other names can be anything.
    @Coded<FalseByDefault> package var isFolder: Bool

    package init(name: String, size: Int, isFolder: Bool = false) {
      self.name = name
      self.size = size
      self.isFolder = isFolder
    }

    /// With a slash if it is a folder.
    fileprivate var place: [UInt8] { Array(name.utf8) + (isFolder ? [UInt8(ascii: "/")] : []) }
  }

  /// Files and folders, at most ``fileLimit``.
  @Coded<SomeFiles> package var files: [File]
  /// The number of all files, those in folders included.
  @Coded<Count?> package var count: Int?
  /// The size of all files in bytes.
  @Coded<Count?> package var size: Int?
  /// How many files and folders are sent beside ``files``.
  @Coded<MoreFiles?> package var more: Int?

  package static let fileLimit = 20
  /// Leaves room in `userInfo` for the daemon's own form of numbers.
  private static let length = Limits.userInfoLength - 128

  /// How many of ``files`` ``title`` names.
  private static let titleFiles = 2

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

  /// One line for people, such as `notes.txt, photos/ and 3 more (12 files, 1.2 MB)`. Both machines make it in the same
  /// way, so that the receiver can tell whether an offer's title says what really comes.
  package var title: String {
    Self.title(
      of: files.prefix(Self.titleFiles).map { (name: $0.name, isFolder: $0.isFolder) },
      among: files.count + (more ?? 0),
      count: count,
      size: size
    )
  }

  /// - Parameters:
  ///   - names: As many as are shown.
  ///   - number: The number of files and folders at the top.
  private static func title(
    of names: [(name: String, isFolder: Bool)],
    among number: Int,
    count: Int?,
    size: Int?
  ) -> String {
    let shown = names.map { name, isFolder in
      (VisibleText.line(name).map { Printable.name($0, limit: 60) } ?? "a file") + (isFolder ? "/" : "")
    }
    let more = number > names.count ? " and \(number - names.count) more" : ""
    let files = count.flatMap { $0 == 1 ? nil : "\($0) files, " } ?? ""
    return "\(shown.joined(separator: ", "))\(more) (\(files)\(ByteCount.text(size ?? 0)))"
  }

  /// The same line about what has arrived.
  ///
  /// - Parameter urls: Of the files and folders at the top.
  package static func title(ofArrived urls: [String], count: Int?, size: Int?) -> String {
    let names = urls.prefix(titleFiles).map { url in
      let name = String(decoding: FileURL.path(url)?.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
      return (name: name, isFolder: false)
    }
    return title(of: names, among: urls.count, count: count, size: size)
  }

  /// The names that ``title`` shows, so a person who accepted it knows of them.
  package var shownNames: Set<[UInt8]> {
    Set(files.prefix(Self.titleFiles).lazy.filter { VisibleText.isVisible($0.name) }.map { Array($0.name.utf8) })
  }
}

extension FilesInfo {
  /// Whether somebody who accepted this accepted as much as really comes. Files can change until they are sent.
  ///
  /// - Parameter names: Of the files and folders at the top, for people. That of a folder ends with a slash.
  package func covers(names: [String], size: UInt64, count: Int) -> Bool {
    let known = Set(files.map(\.place))
    guard names.count(where: { !known.contains(Array($0.utf8)) }) <= more ?? 0 else { return false }
    // Names that are no text can look the same.
    guard names.count <= files.count + (more ?? 0) else { return false }
    guard let own = self.size.flatMap(UInt64.init(exactly:)), let ownCount = self.count else { return false }
    // Only what is in folders can become more.
    guard count <= ownCount || more != nil || files.contains(where: \.isFolder) else { return false }
    let (most, isOver) = (own + own / 10).addingReportingOverflow(Self.sizeTolerance)
    return isOver || size <= most && count - ownCount <= ownCount / 10 + Self.countTolerance
  }

  private static let sizeTolerance: UInt64 = 1 << 20
  private static let countTolerance = 10
}

/// The number of files and folders that are not named. More than a transfer can have are none.
package enum MoreFiles: MemberCoding {
  package static func decode(_ json: JSON?) -> Int? {
    Count.decode(json).flatMap { $0 < Limits.filesPerTransfer ? $0 : nil }
  }

  package static func encode(_ number: Int) -> JSON? { number.json }
}

/// One file at least.
package enum SomeFiles: MemberCoding {
  package static func decode(_ json: JSON?) -> [FilesInfo.File]? {
    EmptyByDefault<FilesInfo.File>.decode(json).flatMap { $0.isEmpty || $0.count > FilesInfo.fileLimit ? nil : $0 }
  }

  package static func encode(_ files: [FilesInfo.File]) -> JSON? { .array(files.map(\.json)) }
}
