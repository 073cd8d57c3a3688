// SPDX-License-Identifier: Apache-2.0

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
  private static let caselessHosts: Set = [
    "github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "dev.azure.com",
  ]

  // By bytes: to `String`, the two ways to write `é` are the same, but they are two repositories.
  package static func == (left: Self, right: Self) -> Bool { left.text.hasBytes(of: right.text) }

  package func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }

  /// What a URL says, as it is written.
  private struct Place {
    let authority: Substring
    let path: String
    /// Otherwise, what comes before the host may be a token.
    let isForSSH: Bool

    /// The host without the user and the port. Nil if it is an address in brackets.
    var writtenHost: Substring? {
      let place = authority.split(atScalar: "@", omittingEmptySubsequences: false).last ?? ""
      return place.unicodeScalars.first == "[" ? nil : place.scalarPrefix(while: { $0 != ":" })
    }

    /// Nil if it is the usual one.
    var port: Int? { authority.split(atScalar: ":").last.flatMap { authority.hasBytes(of: $0) ? nil : Int($0) } }
  }

  /// - Parameter url: As git accepts it: a URL, or `host:path` as for `scp`. Nil if it names no host that other
  ///   machines know.
  package init?(url: String) {
    guard let place = Self.place(url) else { return nil }
    self.init(place)
  }

  /// Returns all names under which other clones may know the repository of a URL: that of the URL, that of the host
  /// which ssh connects to, and the path that it has for the web.
  ///
  /// - Parameter destination: See `RemoteURLs`.
  package static func all(url: String, destination: (String) -> SSHDestination?) -> [RepositoryName] {
    guard let place = place(url), let name = RepositoryName(place) else { return [] }
    guard place.isForSSH else { return [name] + [name.withoutContextPath].compactMap(\.self) }
    // Other programs than ssh make no difference between small and capital letters.
    let real = place.writtenHost.flatMap { destination(String($0)) }
    let path = String(name.text[name.text.scalarPrefix(while: { $0 != "/" }).endIndex...])
    let names = [name] + [real.flatMap { RepositoryName(authority: $0.host[...], path: path) }].compactMap(\.self)
    guard let port = place.port ?? real?.port, let folder = webFolders[port] else { return names }
    return names + names.compactMap { $0.below(folder) }
  }

  /// What two kinds of servers have before the path for the web only, by the ports on which they have SSH unless their
  /// administrators have chosen others: Bitbucket Server and Gerrit.
  private static let webFolders = [7999: "scm", 29_418: "a"]

  private func below(_ folder: String) -> RepositoryName? {
    let host = text.scalarPrefix(while: { $0 != "/" })
    return RepositoryName(text: "\(host)/\(folder)\(text[host.endIndex...])")
  }

  /// Bitbucket Server can have a folder of its own on a web server: `/bitbucket/scm/team/app`.
  private var withoutContextPath: RepositoryName? {
    let names = PathComponents.split(text)
    guard names.count == 5, names[2] == "scm" else { return nil }
    return RepositoryName(text: "\(names[0])/\(names[2...].joined(separator: "/"))")
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

  private static func place(_ url: String) -> Place? {
    guard url.utf8.count <= longestURL, !VisibleText.hasControls(url) else { return nil }
    guard let slashes = url.utf8.firstRange(ofBytes: "://".utf8) else { return place(scp: url) }
    let scheme = url[..<slashes.lowerBound].lowercased()
    guard schemes.contains(scheme) else { return nil }
    let rest = url[slashes.upperBound...]
    let authority = rest.scalarPrefix(while: { !"/?#".unicodeScalars.contains($0) })
    let path = rest[authority.endIndex...].scalarPrefix(while: { !"?#".unicodeScalars.contains($0) })
    guard let decoded = PercentEncoding.decode(path), let path = String(validating: decoded, as: UTF8.self),
      !VisibleText.hasControls(path)
    else { return nil }
    return Place(authority: authority, path: path, isForSSH: scheme.containsBytes(of: "ssh"))
  }

  /// - Parameter text: `[user@]host:path`. With a slash before the colon, git takes it for a path.
  private static func place(scp text: String) -> Place? {
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
    var authority = text[..<colon]
    if authority.unicodeScalars.contains("["),
      let inside = authority.split(atScalar: "[").last?.scalarPrefix(while: { $0 != "]" })
    {
      let isAddress = inside.utf8.count { $0 == UInt8(ascii: ":") } > 1
      authority = isAddress ? "[\(inside)]" : inside[...]
    }
    return Place(authority: authority, path: String(path), isForSSH: true)
  }

  private init?(_ place: Place) {
    self.init(authority: place.authority, path: place.path, isForSSH: place.isForSSH)
  }

  /// - Parameter isForSSH: Otherwise, what comes before the host may be a token.
  private init?(authority: Substring, path: String, isForSSH: Bool = true) {
    let place = authority.split(atScalar: "@", omittingEmptySubsequences: false).last ?? ""
    guard var host = Self.host(place) else { return nil }
    host = Self.otherNames[host] ?? host
    var components: [String]
    (host, components) = Self.azure(host, PathComponents.split(path))
    if Self.caselessHosts.contains(host) { components = components.map { $0.lowercased() } }
    if components.first == "~", isForSSH, authority.unicodeScalars.contains("@") {
      // The home directory of the user that logs in.
      components = ["~\(authority.scalarPrefix(while: { $0 != "@" && $0 != ":" }))"] + components.dropFirst()
    }
    guard var last = components.popLast() else { return nil }
    while let start = last.start(beforeBytesOf: ".git"), !start.isEmpty { last = String(start) }
    components.append(last)
    guard !components.contains(where: { $0 == ".." || $0 == "." }) else { return nil }
    text = ([host] + components).joined(separator: "/")
  }

  /// Azure had another host before, has another path for SSH, and a short one for a repository with its project's name.
  private static func azure(_ host: String, _ path: [String]) -> (host: String, names: [String]) {
    let azure = "dev.azure.com"
    var names = path.map { $0.lowercased() }
    if ["ssh.\(azure)", "vs-ssh.visualstudio.com"].contains(host), names.count == 4, names[0] == "v3" {
      return (azure, [names[1], names[2], "_git", names[3]])
    }
    if !names.isEmpty, let organization = host.start(beforeBytesOf: ".visualstudio.com"), !organization.isEmpty {
      names = [String(organization)] + (names[0] == "defaultcollection" ? names.dropFirst() : names[...])
    } else if host != azure {
      return (host, path)
    }
    if names.count == 3, names[1] == "_git" { names.insert(names[2], at: 1) }
    return (azure, names)
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
