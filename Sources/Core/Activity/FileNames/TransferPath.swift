// SPDX-License-Identifier: Apache-2.0

/// The path of an entry below the folder that everything arrives in, as the origin's file system has it: bytes, which
/// need not be text.
package struct TransferPath: Hashable, Sendable {
  /// The components, separated by slashes.
  package let bytes: [UInt8]

  /// The maximum length in bytes. Linux allows 4,096 for a whole path; the rest is for the folder's own.
  package static let length = 3072
  /// The maximum number of components.
  package static let depth = 128
  /// The maximum length of a component in bytes, which is that of Linux.
  package static let nameLength = 255

  /// - Returns: Nil unless the path leads down from where it starts: it has no component that is empty, `.` or `..`, no
  ///   NUL, and does not exceed the limits.
  package init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, bytes.count <= Self.length, !bytes.contains(0) else { return nil }
    let names = bytes.split(separator: slash, omittingEmptySubsequences: false)
    guard names.count <= Self.depth, names.allSatisfy(Self.isName) else { return nil }
    self.bytes = bytes
  }

  private init(trusted bytes: [UInt8]) { self.bytes = bytes }

  private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
    !name.isEmpty && name.count <= nameLength && !name.elementsEqual([dot]) && !name.elementsEqual([dot, dot])
  }

  /// The number of components, from 1.
  ///
  /// Checked: at most ``length``.
  package var depth: Int { bytes.count { $0 == slash } + 1 }

  package var lastName: [UInt8] {
    bytes.lastIndex(of: slash).map { Array(bytes[bytes.index(after: $0)...]) } ?? bytes
  }

  /// The path of the folder that contains it. Nil if that is the folder that everything arrives in.
  package var parent: TransferPath? { bytes.lastIndex(of: slash).map { TransferPath(trusted: Array(bytes[..<$0])) } }

  /// Nil if `name` is no name, or the path would be too long.
  package func appending(_ name: [UInt8]) -> TransferPath? { TransferPath(bytes + [slash] + name) }

  /// Whether a symbolic link with this path may lead to `target`: down from the link's folder, or up first, but not
  /// beyond the top folder that is sent. A `..` after another component could lead anywhere, because that component may
  /// be a link.
  package func mayLink(to target: [UInt8]) -> Bool {
    guard !target.isEmpty, target.count <= Self.length, !target.contains(0), target.first != slash else { return false }
    let names = target.split(separator: slash)
    let ups = names.prefix { $0.elementsEqual([dot, dot]) || $0.elementsEqual([dot]) }
    let rest = names.dropFirst(ups.count)
    guard rest.allSatisfy({ Self.isName($0) || $0.elementsEqual([dot]) }) else { return false }
    // Of a link in the top folder itself, which has the depth 2, no `..` is left.
    return ups.count { $0.count == 2 } <= depth - 2
  }

  /// The target of a symbolic link with this path that leads to a place in the same top folder.
  ///
  /// - Parameter place: The names that lead there from the top folder.
  package func target(for place: [ArraySlice<UInt8>]) -> [UInt8] {
    let folder = bytes.split(separator: slash).dropFirst().dropLast()
    let common = zip(folder, place).prefix { $0.elementsEqual($1) }.count
    // Checked: a part of it.
    let ups = [ArraySlice<UInt8>](repeating: [dot, dot], count: folder.count - common)
    let names = ups + place.dropFirst(common)
    return names.isEmpty ? [dot] : Array(names.joined(separator: [slash]))
  }

  /// For people. Bytes that are no text are shown as replacement characters.
  package var text: String { String(decoding: bytes, as: UTF8.self) }
}

private let slash = UInt8(ascii: "/")
private let dot = UInt8(ascii: ".")
