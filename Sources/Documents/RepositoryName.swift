import Activity

/// A git repository, whichever of its URLs a clone fetches from: its host, and the path there. ActivityTypes.md,
/// "Repositories", has the rules.
package struct RepositoryName: Hashable, Sendable {
  /// `host/path`, for example `github.com/ada/baton`. The host is in small letters.
  package let text: String

  /// The maximum length of a URL in bytes: longer than those of any host that people use.
  private static let longestURL = 2048
  private static let schemes: Set = ["https", "http", "ssh", "git+ssh", "ssh+git", "git"]
  /// Other names of hosts: most are for SSH on port 443.
  private static let otherNames = [
    "www.github.com": "github.com", "ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
  ]
  /// The hosts for which `Ada/Baton` and `ada/baton` are one repository.
  private static let caselessHosts: Set = ["github.com", "gitlab.com", "bitbucket.org", "codeberg.org"]

  // By bytes: to `String`, the two ways to write `é` are the same, but they are two repositories.
  package static func == (left: Self, right: Self) -> Bool { left.text.hasBytes(of: right.text) }

  package func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }

  /// - Parameter url: As git accepts it: a URL, or `host:path` as for `scp`. Nil if it names no host that other
  ///   machines know.
  package init?(url: String) {
    guard url.utf8.count <= Self.longestURL, !VisibleText.hasControls(url) else { return nil }
    if let slashes = url.utf8.firstRange(of: "://".utf8) {
      guard Self.schemes.contains(url[..<slashes.lowerBound].lowercased()) else { return nil }
      self.init(rest: url[slashes.upperBound...], isForSSH: Self.isForSSH(url))
    } else {
      self.init(scp: url)
    }
  }

  /// Returns all names under which other clones may know the repository of a URL: that of the URL, that of the host
  /// which ssh connects to, and of Bitbucket Server the path that it has for the web.
  ///
  /// - Parameter hostOfAlias: See `RemoteURLs`.
  package static func all(url: String, hostOfAlias: (String) -> String?) -> [RepositoryName] {
    guard let name = RepositoryName(url: url) else { return [] }
    guard isForSSH(url) else { return [name] }
    let host = name.text.scalarPrefix(while: { $0 != "/" })
    let path = name.text[host.endIndex...]
    var names = [name]
    // A bracket is around an address, which no configuration replaces.
    if !host.utf8.starts(with: "[".utf8), let real = hostOfAlias(String(host)),
      let other = RepositoryName(authority: real[...], path: String(path))
    {
      names.append(other)
    }
    guard url.utf8.firstRange(of: ":\(bitbucketPort)/".utf8) != nil else { return names }
    return names + names.compactMap { RepositoryName(text: webText(of: $0)) }
  }

  /// The port on which Bitbucket Server has SSH unless its administrator has chosen another one.
  private static let bitbucketPort = 7999

  /// Bitbucket Server has `/scm` before the path for the web.
  private static func webText(of name: RepositoryName) -> String {
    let host = name.text.scalarPrefix(while: { $0 != "/" })
    return "\(host)/scm\(name.text[host.endIndex...])"
  }

  private static func isForSSH(_ url: String) -> Bool {
    guard let slashes = url.utf8.firstRange(of: "://".utf8) else { return true }
    return url[..<slashes.lowerBound].lowercased().utf8.firstRange(of: "ssh".utf8) != nil
  }

  /// - Parameter text: A name that another machine has sent. Nil if it is not in the form of `text`.
  package init?(text: String) {
    let end = text.utf8.firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex
    let (host, path) = (text[..<end], text[end...])
    guard text.utf8.count <= Self.longestURL, !VisibleText.hasControls(text), !host.unicodeScalars.contains("@"),
      let name = RepositoryName(authority: host, path: String(path)), name.text.utf8.elementsEqual(text.utf8)
    else { return nil }
    self = name
  }

  /// - Parameter rest: What follows `scheme://`.
  private init?(rest: Substring, isForSSH: Bool) {
    let authority = rest.scalarPrefix(while: { !"/?#".unicodeScalars.contains($0) })
    let path = rest[authority.endIndex...].scalarPrefix(while: { !"?#".unicodeScalars.contains($0) })
    guard let decoded = PercentEncoding.decode(path), let path = String(validating: decoded, as: UTF8.self),
      !VisibleText.hasControls(path)
    else { return nil }
    self.init(authority: authority, path: path, isForSSH: isForSSH)
  }

  /// - Parameter text: `[user@]host:path`. With a slash before the colon, git takes it for a path.
  private init?(scp text: String) {
    // An address, or a host with its port, is in brackets.
    let user = text.scalarPrefix(while: { $0 != "[" && $0 != ":" && $0 != "/" })
    guard
      let end = text[user.endIndex...].starts(withBytesOf: "[")
        ? text.unicodeScalars.firstIndex(of: "]") : user.endIndex,
      let colon = text[end...].unicodeScalars.firstIndex(of: ":"), !text[..<colon].utf8.contains(UInt8(ascii: "/"))
    else { return nil }
    let path = text.rest(after: colon)
    // A transport helper of git: `ext::command`. Or a URL that is not quite one.
    guard !path.utf8.starts(with: ":".utf8), !path.utf8.starts(with: "//".utf8) else { return nil }
    // What comes before it may be a user's name and password.
    guard !path.utf8.contains(UInt8(ascii: "@")) else { return nil }
    let authority = text[..<colon]
    guard authority.unicodeScalars.contains("["),
      let inside = authority.split(atScalar: "[").last?.scalarPrefix(while: { $0 != "]" })
    else {
      self.init(authority: authority, path: String(path))
      return
    }
    let isAddress = inside.utf8.count { $0 == UInt8(ascii: ":") } > 1
    self.init(authority: isAddress ? "[\(inside)]" : inside[...], path: String(path))
  }

  /// - Parameter isForSSH: Otherwise, what comes before the host may be a token.
  private init?(authority: Substring, path: String, isForSSH: Bool = true) {
    let place = authority.split(atScalar: "@", omittingEmptySubsequences: false).last ?? ""
    guard var host = Self.host(place) else { return nil }
    host = Self.otherNames[host] ?? host
    var components = PathComponents.split(Self.caselessHosts.contains(host) ? path.lowercased() : path)
    if components.first == "~", isForSSH, authority.unicodeScalars.contains("@") {
      // The home directory of the user that logs in.
      components = ["~\(authority.scalarPrefix(while: { $0 != "@" && $0 != ":" }))"] + components.dropFirst()
    }
    guard var last = components.popLast() else { return nil }
    while let start = last.start(beforeBytesOf: ".git"), !start.isEmpty { last = String(start) }
    components.append(last)
    if host == "ssh.dev.azure.com", components.count == 4, components[0] == "v3" {
      // Azure has another path for SSH.
      (host, components) = ("dev.azure.com", [components[1], components[2], "_git", components[3]])
    }
    guard !components.contains(where: { $0 == ".." || $0 == "." }) else { return nil }
    text = ([host] + components).joined(separator: "/")
  }

  /// Returns the host without its port. One machine's ports for SSH and for the web serve the same repositories.
  private static func host(_ place: Substring) -> String? {
    let name: Substring
    if place.unicodeScalars.first == "[" {
      guard let end = place.unicodeScalars.firstIndex(of: "]") else { return nil }
      name = place[...end]
      guard name.dropFirst().dropLast().utf8.allSatisfy({ "0123456789abcdefABCDEF:.".utf8.contains($0) }) else {
        return nil
      }
    } else {
      name = place.scalarPrefix(while: { $0 != ":" })
      guard name.utf8.allSatisfy(isHost) else { return nil }
    }
    let port = place[name.endIndex...]
    guard port.isEmpty || port.unicodeScalars.first == ":", port.utf8.dropFirst().allSatisfy({ 0x30...0x39 ~= $0 })
    else {
      return nil
    }
    let host = (name.unicodeScalars.last == "." ? name.dropLast() : name).lowercased()
    return host.isEmpty || host == "[]" || host.unicodeScalars.last == "." || isLoopback(host) ? nil : host
  }

  /// Whether the host is another one on each machine.
  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host.ends(withBytesOf: ".localhost") || host.starts(withBytesOf: "127.") || host == "[::1]"
  }

  private static func isHost(_ byte: UInt8) -> Bool {
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._".utf8.contains(byte)
  }
}
