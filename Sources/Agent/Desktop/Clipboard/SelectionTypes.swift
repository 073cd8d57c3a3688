// SPDX-License-Identifier: Apache-2.0

import Activity

/// The types of a selection of the desktop: what local programs call them, and what other machines are told.
package enum SelectionTypes {
  /// A type that the agent adds to what it mirrors, so that it never offers that back.
  package static let mirrored = "application/x-baton-mirrored"

  /// By this, Klipper says that it has filled an empty clipboard. In lowercase letters, as all here.
  private static let refill = "application/x-kde-onlyreplaceempty"

  /// By the first, the helper says that a clipboard manager has taken over what another program had copied.
  private static let putBack: Set = ["application/x-baton-put-back", refill]

  /// By this, the helper says that the program ends when it has been asked once, for `xclip -loops 1`.
  private static let pastedOnce = "application/x-baton-pasted-once"

  /// Whether a clipboard manager has put the selection back.
  package static func isPutBack(_ names: some Sequence<String>) -> Bool {
    names.contains { putBack.contains($0.lowercased()) }
  }

  /// Whether it has done so because there was none.
  static func isRefill(_ names: some Sequence<String>) -> Bool { names.contains { $0.lowercased() == refill } }

  /// Whether it can be read only once.
  static func isPastedOnce(_ names: some Sequence<String>) -> Bool { names.contains { $0.lowercased() == pastedOnce } }

  /// The names of what GNOME Shell itself sets, on Wayland and on X11.
  private static let ofShell: [Set<String>] = [
    ["text/plain;charset=utf-8"], ["text/plain;charset=utf-8", "utf8_string", "targets", "timestamp"],
  ]

  /// Whether the desktop's shell may have set the selection.
  static func isOfShell(_ names: some Sequence<String>) -> Bool {
    ofShell.contains(Set(names.map { $0.lowercased() }))
  }

  /// GNOME's manager keeps this much of a text, in bytes, and drops the rest (meta-clipboard-manager.c in Mutter).
  private static let keptText = 4 << 20

  /// Whether what a clipboard manager has put back may be only the beginning of what was copied.
  ///
  /// - Parameters:
  ///   - size: In bytes.
  ///   - name: Of the type in which it was read.
  package static func mayBeCut(size: Int, of name: String) -> Bool {
    size == keptText && offered([name]).first?.type.essence == MediaType.text.essence
  }

  /// Lists of files name local paths, which mean something else on another machine.
  private static let fileLists: Set = [
    "x-special/gnome-copied-files", "x-special/mate-copied-files", "x-special/nautilus-clipboard",
    "application/x-kde-cutselection", "application/x-openoffice-filelist", "application/vnd.portal.filetransfer",
    "application/vnd.portal.files",
  ]

  /// These are lists of files or of links.
  private static let addressLists = [
    "text/uri-list", "application/x-kde4-urilist", "application/x-kde-urilist", "text/x-uri",
  ]

  /// The name of the type that says whether the selection is a list of files. Nil if it is none, or is one in any case.
  static func listName(_ names: [String]) -> String? {
    guard !hasFiles(names) else { return nil }
    return addressLists.lazy.compactMap { list in names.first { $0.lowercased() == list } }.first
  }

  /// Whether the selection is a list of files in any case.
  static func hasFiles(_ names: [String]) -> Bool { names.contains { fileLists.contains($0.lowercased()) } }

  /// Whether a list of addresses names files (RFC 2483).
  package static func namesFiles(_ list: [UInt8]) -> Bool {
    list.split { $0 == 0x0A || $0 == 0x0D }.contains { line in
      String(decoding: line.prefix(5), as: UTF8.self).lowercased() == "file:"
    }
  }

  /// Other types are the business of the programs that have them.
  private static let kinds: Set = ["text", "image", "audio", "video", "application", "model", "font"]

  /// Pictures from the best to the worst for programs that know a few. Other types of pictures come after these.
  private static let pictures = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/svg+xml"]

  /// The name of text in Latin 1. Some programs, such as xsel, give UTF-8 under no other name.
  private static let latin = "STRING"

  /// The content in the type that other machines are told, from what a program gives for one of its names.
  package static func content(_ bytes: [UInt8], of name: String) -> [UInt8] {
    guard name == latin, String(validating: bytes, as: UTF8.self) == nil else { return bytes }
    return bytes.flatMap { byte in String(Unicode.Scalar(byte)).utf8 }
  }

  /// - Parameter names: As the program that owns the selection gives them.
  /// - Returns: The types for other machines, the best first, and what to ask the program for.
  package static func offered(_ names: [String]) -> [(type: MediaType, name: String)] {
    var types: [(type: MediaType, name: String)] = []
    func add(_ type: MediaType, _ name: String) {
      if !types.contains(where: { $0.type == type }) { types.append((type, name)) }
    }
    // Programs that ask for nothing in particular want text.
    let plain =
      names.first { MediaType($0) == .text } ?? names.first { $0 == "UTF8_STRING" }
      ?? names.first { $0 == latin }
    // The text beside a list of files is the list.
    let hasFiles = hasFiles(names)
    if let plain, !hasFiles { add(.text, plain) }
    for name in names {
      let small = name.lowercased()
      guard isShared(small), let type = MediaType(name) else { continue }
      if type.essence == "text/plain", hasFiles || plain != nil { continue }
      add(type, name)
    }
    // A link without a text is a text.
    if types.isEmpty, let list = listName(names) { add(.text, list) }
    let ordered = types.enumerated().sorted { (rank($0.element.type), $0.offset) < (rank($1.element.type), $1.offset) }
    return Array(ordered.map(\.element).prefix(Limits.clipboardTypes))
  }

  /// Where a type stands. What has no plain text is a picture if it is one in any type: browsers give the address of a
  /// picture in HTML beside it.
  private static func rank(_ type: MediaType) -> Int {
    if type.essence == "text/plain" { return type == .text ? 0 : 1 }
    if type.isPicture { return 2 + (pictures.firstIndex { type.essence == $0 } ?? pictures.count) }
    return type.isText ? 10 : 11
  }

  /// Types that programs have for themselves are not.
  ///
  /// - Parameter name: In lowercase letters.
  private static func isShared(_ name: String) -> Bool {
    let words = name.split(atScalar: "/")
    guard words.count == 2, kinds.contains(String(words[0])), !fileLists.contains(name), !addressLists.contains(name)
    else {
      return false
    }
    let isOwn = words[1].starts(withBytesOf: "x-") || words[1].starts(withBytesOf: "_")
    return !isOwn || !["text", "application"].contains(words[0])
  }

  /// What to tell local programs about types of another machine.
  ///
  /// - Returns: The names, and the type that each stands for. Empty if nothing of it is for other machines.
  package static func names(of types: [MediaType]) -> [(name: String, type: MediaType)] {
    let types = types.filter { isShared($0.description) }
    var names: [(name: String, type: MediaType)] = types.map { ($0.description, $0) }
    // All these names mean text in UTF-8.
    if let text = types.first(where: { $0 == .text }) ?? types.first(where: { $0.description == "text/plain" }) {
      for name in ["text/plain;charset=utf-8", "text/plain", "UTF8_STRING", "STRING", "TEXT"]
      where !names.contains(where: { $0.name == name }) {
        names.append((name, text))
      }
    }
    return names
  }
}
