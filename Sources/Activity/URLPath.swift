/// The absolute path of a URL, which can be read in one way only: a path that some programs would take for another is none.
struct URLPath {
  /// The components, percent-decoded. The last one is empty where a slash ends the path.
  let names: [[UInt8]]
  /// The same as they were written.
  private let texts: [Substring]
  /// Query and fragment with what begins them.
  private let rest: Substring

  /// The path of a URL of `scheme` (`name:`) without authority.
  init?(_ url: String, scheme: String) {
    guard url.hasPrefix(scheme) else { return nil }
    self.init(url.dropFirst(scheme.count))
  }

  /// The path of a file URL of this machine: `file:/p`, `file:///p` or `file://localhost/p`.
  init?(ofFile url: String) {
    guard url.prefix(5).lowercased() == "file:" else { return nil }
    let text = url.dropFirst(5)
    guard text.hasPrefix("//") else {
      self.init(text)
      return
    }
    let host = text.dropFirst(2).prefix { $0 != "/" }
    guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
    self.init(text[host.endIndex...])
  }

  /// Nil where it is relative; where it holds `.`, `..`, empty or badly encoded components, or encoded slashes or zero
  /// bytes; where a query or fragment holds slashes; and where it holds what no URL does: backslashes are slashes to
  /// browsers, which also drop white space.
  private init?(_ text: Substring) {
    // From here on all is ASCII, so that a character is a byte.
    guard text.utf8.allSatisfy(PercentEncoding.isAllowed), text.hasPrefix("/") else { return nil }
    let path = text.prefix { $0 != "?" && $0 != "#" }
    rest = text[path.endIndex...]
    texts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    names = texts.compactMap(PercentEncoding.decode)
    guard names.count == texts.count, names.allSatisfy(Self.isSafe), names.dropLast().allSatisfy({ !$0.isEmpty }),
      let rest = PercentEncoding.decode(rest), Self.isSafe(rest)
    else { return nil }
  }

  /// Whether a component is one and leads nowhere else.
  static func isSafe(_ name: [UInt8]) -> Bool {
    name != Array(".".utf8) && name != Array("..".utf8) && !name.contains(UInt8(ascii: "/")) && !name.contains(0)
  }

  /// What follows the first `count` components, after the components `folder`; without the leading slash.
  func text(after count: Int, of folder: [String]) -> String {
    (folder + texts.dropFirst(count).map(String.init)).joined(separator: "/") + rest
  }
}
