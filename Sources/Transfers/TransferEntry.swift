/// A file, a folder or a symbolic link that is sent, as the origin found it.
package struct TransferEntry: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// - Parameters:
    ///   - size: In bytes.
    ///   - isExecutable: Whether its owner may run it.
    case file(size: UInt64, isExecutable: Bool)
    case folder
    /// - Parameter target: Where the link leads, relative to its folder.
    case link(target: [UInt8])
  }

  package let path: TransferPath
  package let kind: Kind
  package let modified: FileTime

  package init(_ path: TransferPath, _ kind: Kind, modified: FileTime) {
    (self.path, self.kind, self.modified) = (path, kind, modified)
  }

  /// The number of bytes of a file; otherwise 0.
  package var size: UInt64 { if case .file(let size, _) = kind { size } else { 0 } }

  package var isFolder: Bool { kind == .folder }
}

/// When a file was last written.
package struct FileTime: Hashable, Sendable {
  /// Since 1970-01-01 00:00:00 UTC.
  package let seconds: Int64
  /// 0 to 999,999,999.
  package let nanoseconds: UInt32

  package init(seconds: Int64, nanoseconds: UInt32) {
    self.seconds = seconds
    self.nanoseconds = min(nanoseconds, 999_999_999)
  }
}
