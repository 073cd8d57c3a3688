import Activity

/// The types of a selection of the desktop: what local programs call them, and what other machines are told.
package enum SelectionTypes {
  /// A type that the agent adds to what it mirrors, so that it never offers that back.
  package static let mirrored = "application/x-baton-mirrored"

  /// By these, the helper and Klipper say that a clipboard manager has put back what another program had copied. In
  /// lowercase letters.
  private static let putBack: Set = ["application/x-baton-put-back", "application/x-kde-onlyreplaceempty"]

  /// Whether a clipboard manager has put the selection back.
  package static func isPutBack(_ names: some Sequence<String>) -> Bool {
    names.contains { putBack.contains($0.lowercased()) }
  }

  /// Lists of files name local paths, which mean something else on another machine.
  private static let fileLists = [
    "text/uri-list", "x-special/gnome-copied-files", "x-special/mate-copied-files", "x-special/nautilus-clipboard",
    "application/x-kde-cutselection", "application/x-kde4-urilist", "application/x-kde-urilist",
    "application/x-openoffice-filelist", "text/x-uri", "application/vnd.portal.filetransfer",
    "application/vnd.portal.files",
  ]

  /// Internal to programs, or the names of the same text in X11 (`UTF8_STRING` is the best of these).
  private static let internals = ["text/x-moz-", "application/x-moz-", "chromium/", "text/x-vim", "x-special/"]

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
    let hasFiles = names.contains { fileLists.contains($0.lowercased()) }
    if let plain, !hasFiles { add(.text, plain) }
    for name in names {
      let small = name.lowercased()
      guard isShared(small), let type = MediaType(name) else { continue }
      if type.essence == "text/plain", hasFiles || plain != nil { continue }
      add(type, name)
    }
    return Array(types.prefix(Limits.clipboardTypes))
  }

  /// - Parameter name: In lowercase letters.
  private static func isShared(_ name: String) -> Bool {
    !fileLists.contains(name) && !putBack.contains(name) && !internals.contains(where: { name.starts(withBytesOf: $0) })
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
