// SPDX-License-Identifier: Apache-2.0

/// The absolute path of a URL, if it can be read in only one way. A path that some programs would take for another one
/// is refused.
struct URLPath {
  /// The components, percent-decoded. The last one is empty if the path ends with a slash.
  let names: [[UInt8]]
  /// The components as they were written.
  private let texts: [Substring]
  /// The query and the fragment, with the characters that introduce them.
  private let rest: Substring

  /// Creates the path of a URL of `scheme` (`name:`) without authority.
  init?(_ url: String, scheme: String) {
    guard let rest = url.rest(afterBytesOf: scheme) else { return nil }
    self.init(rest)
  }

  /// Creates the path of a file URL of this machine: `file:/p`, `file:///p` or `file://localhost/p`.
  init?(ofFile url: String) {
    // Nothing but ASCII is "file:" or "localhost" in small letters.
    let text = Substring(url.utf8.dropFirst(5))
    guard Substring(url.utf8.prefix(5)).lowercased().hasBytes(of: "file:") else { return nil }
    guard let place = text.rest(afterBytesOf: "//") else {
      self.init(text)
      return
    }
    let host = place.scalarPrefix(while: { $0 != "/" })
    guard host.isEmpty || host.lowercased().hasBytes(of: "localhost") else { return nil }
    self.init(place[host.endIndex...])
  }

  /// Creates a path from text. It is nil in these cases:
  ///
  /// - The path is relative.
  /// - It contains `.`, `..`, empty or badly encoded components, or encoded slashes or zero bytes.
  /// - The query or the fragment is badly encoded, or contains slashes or zero bytes.
  /// - The text contains characters that no URL contains, such as backslashes and white space. Browsers treat
  ///   backslashes as slashes, and drop white space.
  private init?(_ text: Substring) {
    // From here on everything is ASCII, so a character is a byte.
    guard text.utf8.allSatisfy(PercentEncoding.isAllowed), text.starts(withBytesOf: "/") else { return nil }
    let path = text.scalarPrefix(while: { $0 != "?" && $0 != "#" })
    rest = text[path.endIndex...]
    texts = path.rest(after: path.startIndex).split(atScalar: "/", omittingEmptySubsequences: false)
    names = texts.compactMap(PercentEncoding.decode)
    guard names.count == texts.count, names.allSatisfy(Self.isSafe), names.dropLast().allSatisfy({ !$0.isEmpty }),
      let rest = PercentEncoding.decode(rest), Self.isSafe(rest)
    else { return nil }
  }

  /// Whether a name is one component that does not lead elsewhere.
  static func isSafe(_ name: [UInt8]) -> Bool {
    name != Array(".".utf8) && name != Array("..".utf8) && !name.contains(UInt8(ascii: "/")) && !name.contains(0)
  }

  /// Returns what follows the first `count` components, appended to the components `folder`, without the leading slash.
  func text(after count: Int, of folder: [String]) -> String {
    (folder + texts.dropFirst(count).map(String.init)).joined(separator: "/") + rest
  }
}
