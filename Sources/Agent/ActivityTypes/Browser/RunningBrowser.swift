// SPDX-License-Identifier: Apache-2.0

import Activity

/// A browser that runs, and how its program is started again: it hands over what it is given to the one that runs, and
/// ends. With an activation token, that brings a window of the browser to the front.
package struct RunningBrowser: Equatable, Sendable {
  /// The scheme of the extension's own pages.
  private let scheme: String
  /// The program, and what chooses the profile.
  private let arguments: [String]

  /// Nil if nobody knows the browser or its profile, or if another start would not hand over to it.
  ///
  /// - Parameters:
  ///   - program: The path of its program.
  ///   - line: The command line with which it was started, perhaps for another profile.
  ///   - files: The paths of the files that it has open. They tell the profiles that it has open.
  ///   - hasBus: Whether it has the user's bus. Without, Firefox does not find the one that runs, and offers to end it.
  package init?(program: String, line: [String], files: [String], hasBus: Bool) {
    guard program.starts(withBytesOf: "/"), !program.ends(withBytesOf: " (deleted)") else { return nil }
    if let profile = Self.folder(of: ".parentlock", files) {
      guard hasBus, !line.contains(where: { $0.ends(withBytesOf: "-no-remote") }) else { return nil }
      scheme = "moz-extension"
      arguments = [program, "--profile", profile]
    } else if let profile = Self.folder(of: "Web Data", files), let name = profile.split(atScalar: "/").last {
      let folder = profile.start(beforeBytesOf: "/\(name)") ?? ""
      let sandbox = line.filter { $0.hasBytes(of: "--no-sandbox") }.prefix(1)
      scheme = "chrome-extension"
      arguments = [program, "--user-data-dir=\(folder)", "--profile-directory=\(name)"] + sandbox
    } else {
      return nil
    }
  }

  /// The command that opens a page of the extension's own. Other pages are not opened this way, because all users of
  /// the machine can read command lines.
  package func command(opening page: String) -> [String]? {
    guard page.starts(withBytesOf: "\(scheme)://"), page.utf8.count <= BrowserLimits.ownPageLength,
      page.utf8.dropFirst(scheme.utf8.count + 1).allSatisfy(Self.isPartOfPath)
    else { return nil }
    return arguments + [page]
  }

  private static func isPartOfPath(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-./".utf8.contains(byte)
    }
  }

  /// The folder in which files of this name are. Nil if there are several, or none.
  private static func folder(of name: String, _ files: [String]) -> String? {
    let folders = Set(files.compactMap { $0.start(beforeBytesOf: "/\(name)").map { Array($0.utf8) } })
    return folders.count == 1 ? folders.first.map { String(decoding: $0, as: UTF8.self) } : nil
  }
}
