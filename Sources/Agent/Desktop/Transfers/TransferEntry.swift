// SPDX-License-Identifier: Apache-2.0

import Activity

/// A file, a folder or a link that is sent, as the origin found it.
package struct TransferEntry: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// - Parameters:
    ///   - size: In bytes.
    ///   - isExecutable: Whether its owner may run it.
    case file(size: UInt64, isExecutable: Bool)
    case folder
    /// - Parameter target: Where the link leads, relative to its folder.
    case link(target: [UInt8])
    /// Another name of a file.
    ///
    /// - Parameter file: The number of the file's entry, which is an earlier one.
    case hardLink(file: UInt32)
  }

  package let path: TransferPath
  package let kind: Kind
  package let modified: FileTime
  /// Of a file or a folder: whether not everybody on the origin can read it, so that only its owner can read it here.
  package let isPrivate: Bool

  package init(_ path: TransferPath, _ kind: Kind, modified: FileTime, isPrivate: Bool = false) {
    (self.path, self.kind, self.modified, self.isPrivate) = (path, kind, modified, isPrivate)
  }

  /// The number of bytes of a file; otherwise 0.
  package var size: UInt64 { if case .file(let size, _) = kind { size } else { 0 } }

  package var isFolder: Bool { kind == .folder }

  /// Whether it is a name of a file.
  package var isFile: Bool {
    switch kind {
    case .file, .hardLink: true
    case .folder, .link: false
    }
  }
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
