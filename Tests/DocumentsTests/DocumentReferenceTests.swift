// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import JSONCoding
import Testing

private let hash = String(repeating: "0a", count: 32)
private let commit = String(repeating: "0f", count: 20)

struct DocumentReferenceTests {
  private let whole: [String: JSON] = [
    "path": "/home/ada/src/baton/notes.md", "url": ["$url": "file:///home/ada/src/baton/notes.md"],
    "repositories": ["github.com/ada/baton"], "repositoryPath": "notes.md", "commit": .string(commit), "size": 6,
    "sha256": .string(hash), "homePath": "src/baton/notes.md",
  ]

  @Test func everyMemberSurvives() throws {
    let reference = try #require(DocumentReference(json: .object(whole)))
    #expect(reference.json == .object(whole))
    #expect(reference.repositories.map(\.text) == ["github.com/ada/baton"])
    #expect(try UserInfo(json: ["document": reference.json]).json == ["document": .object(whole)])
  }

  @Test func onlyThePathIsNeeded() {
    #expect(DocumentReference(json: ["path": "/x"]) == DocumentReference(path: "/x"))
    #expect(DocumentReference(path: "/x").json == ["path": "/x"])
    #expect(DocumentReference(json: ["path": "/x", "org.example.more": 1]) != nil)
  }

  @Test(
    arguments: [
      ("path", nil), ("path", ""), ("path", "notes.md"), ("path", "~/notes.md"), ("path", "/a\0b"), ("path", 1),
      ("path", .string("/" + String(repeating: "a", count: 4096))),
      ("url", "file:///x"), ("url", ["$url": 1]), ("url", ["$url": "file:///x", "x": 1]),
      ("repositories", "github.com/ada/baton"), ("repositories", ["https://github.com/ada/baton"]),
      ("repositories", ["github.com/ada/../eve"]), ("repositories", .array((0..<9).map { .string("host/\($0)") })),
      ("repositoryPath", "/etc/passwd"), ("repositoryPath", "../eve"), ("repositoryPath", "a/../../eve"),
      ("repositoryPath", "a//b"), ("repositoryPath", "a/"), ("repositoryPath", "./a"), ("repositoryPath", "a\0"),
      ("repositoryPath", ".git/hooks/pre-commit"), ("repositoryPath", "sub/.GIT/config"),
      ("homePath", "/etc/passwd"), ("homePath", "../eve"), ("homePath", "src/.git"),
      ("commit", "HEAD"), ("commit", "0F"), ("commit", .string(commit + "0")), ("commit", .string(commit.uppercased())),
      ("size", -1), ("size", 1.5), ("size", "6"), ("size", 1e300), ("sha256", ""), ("sha256", .string(commit)),
      ("sha256", .string(hash.uppercased())), ("sha256", 0),
    ] as [(String, JSON?)]
  )
  func whatIsNotAllowedIsRefused(_ key: String, _ value: JSON?) {
    var members = whole
    members[key] = value
    #expect(DocumentReference(json: .object(members)) == nil)
  }

  @Test func dotsInNamesAreAllowed() {
    for path in ["", "..a", "a..b/...", ".github/workflows", "a/.gitignore", "b\nc"] {
      #expect(DocumentReference(json: ["path": "/x", "repositoryPath": .string(path)])?.repositoryPath == path)
    }
  }

  @Test func aReferenceIsFittedIntoAUserInfo() throws {
    let name = String(repeating: "ä", count: 350)
    let repositories = (0..<8).compactMap { RepositoryName(text: "host/\($0)/" + String(repeating: "r", count: 100)) }
    let reference = DocumentReference(
      path: "/\(name)",
      url: "file:///" + PercentEncoding.encode(Array(name.utf8)),
      repositories: repositories,
      repositoryPath: name,
      commit: commit,
      size: 1,
      sha256: hash
    )
    let big = try #require(reference.fitted(in: 8000))
    #expect(big == reference)
    var last = 8000
    for limit in [4500, 2000, 1000] {
      let fitted = try #require(reference.fitted(in: limit))
      #expect(fitted.json.bytes.count <= limit && fitted.json.bytes.count < last)
      #expect(fitted.path == reference.path && fitted.sha256 == hash)
      last = fitted.json.bytes.count
    }
    #expect(reference.fitted(in: 4500)?.repositories.count == 1)
    #expect(reference.fitted(in: 700) == nil)
  }
}
