// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc

/// Where symbolic links lead that do not say it as a transfer does: by an absolute path, through `..` behind a name, or
/// out of the top folder and into it again.
enum LinkTarget {
  /// Returns the target of a link to the same place that is relative and stays in the top folder.
  ///
  /// - Parameters:
  ///   - target: The link's own.
  ///   - folder: The descriptor of the folder that contains the link.
  ///   - top: The descriptor of the top folder.
  /// - Returns: Nil if the link leads out of the top folder.
  static func inside(_ target: [UInt8], of link: TransferPath, in folder: Int32, below top: Int32) -> [UInt8]? {
    guard let topPath = path(of: top) else { return nil }
    let names = target.split(separator: UInt8(ascii: "/"))
    // What does not exist leads nowhere yet, but from the last folder that does.
    for count in stride(from: names.count, through: 0, by: -1) {
      let missing = names[count...]
      guard !missing.contains(where: { $0.elementsEqual("..".utf8) }) else { return nil }
      guard let path = place(target.first == UInt8(ascii: "/"), names[..<count], in: folder, isWhole: missing.isEmpty)
      else { continue }
      guard path == topPath || path.starts(with: topPath + [UInt8(ascii: "/")]) else { return nil }
      let below = path.dropFirst(topPath.count).split(separator: UInt8(ascii: "/"))
      let inside = link.target(for: below + missing.filter { !$0.elementsEqual(".".utf8) })
      return link.mayLink(to: inside) ? inside : nil
    }
    return nil
  }

  /// - Parameter isWhole: Whether the last name is where the link leads. If that is a link itself, it stays one.
  /// - Returns: The path without links. Nil if there is no such place.
  private static func place(
    _ isAbsolute: Bool,
    _ names: ArraySlice<ArraySlice<UInt8>>,
    in folder: Int32,
    isWhole: Bool
  ) -> [UInt8]? {
    let start = isAbsolute ? [UInt8(ascii: "/")] : Array("./".utf8)
    let path = start + names.joined(separator: [UInt8(ascii: "/")])
    let descriptor = openat(folder, path.cPath, pathOnly | O_CLOEXEC | (isWhole ? O_NOFOLLOW : O_DIRECTORY))
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return self.path(of: descriptor)
  }

  private static func path(of descriptor: Int32) -> [UInt8]? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &path, path.count)
    return count > 0 ? path.prefix(count).map(UInt8.init(truncatingIfNeeded:)) : nil
  }
}
