// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// Lists the folders in which browsers can be. However many there are, it ends, and no root takes the share of another.
struct BrowserFolders {
  /// The maximum number of names that are read in one folder, and of folders below one root. A person's downloads can
  /// be many thousands.
  private static let namesLimit = 16_384
  private static let foldersLimit = 16_384
  private static let mountsLength = 1 << 20
  /// File systems that can keep whoever looks at them waiting: another machine answers, or a program.
  private static let slow = ["9p", "afs", "autofs", "ceph", "cifs", "fuse", "glusterfs", "lustre", "nfs", "smb"]

  /// The mount points of such file systems.
  private let mounts: [String]

  /// - Parameter mounts: The path of the text that lists what is mounted, as `/proc/self/mountinfo` does.
  init(mounts path: String) {
    let text = RegularFile(path, length: Self.mountsLength).map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    mounts = text.split(atScalar: "\n").compactMap { line in
      let words = line.split(atScalar: " ")
      // The fifth word is the place. After optional ones and a dash, the kind follows.
      guard words.count > 4, let kind = words.drop(while: { !$0.hasBytes(of: "-") }).dropFirst().first,
        Self.slow.contains(where: { kind.starts(withBytesOf: $0) })
      else { return nil }
      return Self.plain(words[4])
    }
  }

  /// The kernel writes a space as `\040`.
  private static func plain(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest.removeFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether looking at the path could take long, and looking at the folder couldn't. Who has a home folder on another
  /// machine works there all day.
  func isSlow(_ path: String, from folder: String) -> Bool {
    mounts.contains { Self.isIn($0, path) && !Self.isIn($0, folder) }
  }

  private static func isIn(_ folder: String, _ path: String) -> Bool {
    path.hasBytes(of: folder) || path.starts(withBytesOf: "\(folder)/")
  }

  /// The names in a folder and, with a greater depth, in those below it. They needn't be folders. Hidden ones are left
  /// out.
  func below(_ root: String, depth: Int) -> [String] {
    var found: [String] = []
    var level = [root]
    for _ in 0..<depth {
      var next: [String] = []
      for folder in level {
        guard found.count + next.count < Self.foldersLimit else { break }
        let paths = Folder.names(in: folder, limit: Self.namesLimit).filter { $0.utf8.first != UInt8(ascii: ".") }
          .sorted()
          .map { "\(folder)/\($0)" }
        next += paths.filter { path in
          !isSlow(path, from: root) && !(SymbolicLink.target(of: path).map { isSlow($0, from: root) } ?? false)
        }
      }
      found += next.prefix(Self.foldersLimit - found.count)
      level = next
    }
    return found
  }
}
