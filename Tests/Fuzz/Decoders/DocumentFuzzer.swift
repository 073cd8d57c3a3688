// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import JSONCoding

/// The reference of a document and the lines of its stream, which another machine sent; and the URLs of a clone.
enum DocumentFuzzer: Fuzzer {
  static let seeds = [
    #"{"path":"/a/b","url":{"$url":"file:///srv/notes/b"},"repositories":["github.com/ada/baton"],"repositoryPath":"b"}"#,
    #"{"commit":"0123456789abcdef0123456789abcdef01234567","path":"/","size":6}"#,
    "https://ada:token@GitHub.com:443/ada/baton.git", "[git@example.org:22]:~/a b", "ssh://git@[2001:db8::1]/a/%41é",
    #"{"get":"document"}"#, #"{"size":1,"sha256":""}"#, #"{"reason":"tooLarge"}"#, "/home/ada/../.x.tar.gz",
    "remote.origin.url\nhost:x\0url.git@host:.insteadof\nhost:\0",
  ].map { Array($0.utf8) }

  static let words = [
    "://", "@", "[::1]", "..", "/../", ".git", "~", "%2F", "%00", "\u{301}", "localhost", "ssh.github.com", "\u{202E}",
    "\"repositoryPath\":\"", "{\"$url\":\"", "\0", ".insteadof\n", "remote.", "url.",
  ]

  static let length = 2048

  static func run(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    for name in [RepositoryName(url: text), RepositoryName(text: text)].compactMap(\.self) { check(name) }
    RemoteURLs.names(configuration: input).forEach(check)
    check(name: text)
    if let request = DocumentRequest(line: input) { same(DocumentRequest(line: request.line.dropLast()), request) }
    if case .success(let header) = DocumentHeader.read(line: input) {
      same(DocumentHeader.read(line: header.line.dropLast()), .success(header))
    }
    if let json = try? JSON(parsing: input, depth: 8), let reference = DocumentReference(json: json) {
      try check(reference)
    }
  }

  private static func check(_ name: RepositoryName) {
    same(RepositoryName(text: name.text), name, "\(name.text) is another name")
    let parts = name.text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    hold(parts.count >= 2 && !parts.contains { $0.isEmpty || $0.elementsEqual("..".utf8) }, name.text)
    hold(
      parts.first.map { !$0.contains(UInt8(ascii: "@")) && $0.allSatisfy { $0 < 0x80 } } ?? false,
      "The host of \(name.text)"
    )
  }

  private static func check(name text: String) {
    for attempt in [1, 1000] {
      let name = HandoffName(text).text(attempt)
      hold(
        (1...255).contains(name.utf8.count) && !name.unicodeScalars.contains("/")
          && name.utf8.first != UInt8(ascii: "."),
        name
      )
      hold(!VisibleText.hasControls(name), name)
    }
  }

  private static func check(_ reference: DocumentReference) throws {
    same(DocumentReference(json: reference.json), reference)
    if let path = reference.repositoryPath {
      hold(
        path.isEmpty
          || !path.split(atScalar: "/", omittingEmptySubsequences: false).contains {
            ["", "..", ".git"].contains($0)
          },
        path
      )
    }
    if let fitted = reference.fitted(in: 200) { hold(fitted.json.bytes.count <= 200, "It does not fit") }
    var folders = SharedFolders()
    try folders.add("Notes", at: "/srv/notes")
    var search = DocumentSearch(reference, sharedFolders: folders, canFetch: false)
    for _ in 0..<6 {
      if case .sharedFolder(_, let root, let path) = search.step {
        hold(root == "/srv/notes" && !path.split(atScalar: "/").contains { $0 == ".." }, path)
      }
      search.answer([])
    }
    if case .ended = search.step { return }
    hold(false, "It does not end")
  }
}
