// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Testing

private let hash = String(repeating: "0a", count: 32)

struct DocumentSearchTests {
  private let folders: SharedFolders
  private let repository: RepositoryName
  private var reference: DocumentReference

  init() throws {
    var folders = SharedFolders()
    try folders.add("Notes", at: "/srv/notes")
    self.folders = folders
    repository = try #require(RepositoryName(text: "github.com/ada/baton"))
    reference = DocumentReference(
      path: "/home/ada/notes/to do.txt",
      url: "file:///srv/notes/sub/to%20do.txt",
      homePath: "notes/to do.txt",
      repositories: [repository],
      repositoryPath: "sub/to do.txt",
      commit: String(repeating: "a", count: 40),
      size: 6,
      sha256: hash
    )
  }

  private func search(_ canFetch: Bool = true) -> DocumentSearch {
    DocumentSearch(reference, sharedFolders: folders, canFetch: canFetch)
  }

  private func clone(_ root: String, _ commit: Character? = "a", same: Bool? = true) -> DocumentSearch.Candidate {
    let commit = commit.map { String(repeating: $0, count: 40) }
    let clone = DocumentSearch.Clone(repository: repository, root: root, commit: commit)
    return DocumentSearch.Candidate(path: "\(root)/sub/to do.txt", clone: clone, hasSameContent: same)
  }

  @Test func theStepsAreInTheirOrder() {
    var search = search()
    #expect(search.step == .sharedFolder(name: "Notes", root: "/srv/notes", path: "sub/to do.txt"))
    search.answer([])
    #expect(search.step == .clones(of: [repository], path: "sub/to do.txt"))
    search.answer([])
    #expect(search.step == .home(path: "notes/to do.txt"))
    search.answer([])
    #expect(search.step == .content(size: 6, sha256: hash))
    search.answer([])
    #expect(search.step == .arrived)
    search.answer([])
    #expect(search.step == .ended(.fetchable(how: "it isn't on this machine")))
  }

  @Test func withoutAStreamItIsNotFound() {
    var search = search(false)
    search.answer([])
    search.answer([], isComplete: false)
    for _ in 0..<3 { search.answer([]) }
    #expect(search.step == .ended(.notFound(how: "it wasn't found before the search reached its limit")))
  }

  @Test func theFirstPlaceThatHasItDecides() {
    var search = search()
    search.answer([DocumentSearch.Candidate(path: "/srv/notes/sub/to do.txt", hasSameContent: true)])
    #expect(search.step == .ended(.found(path: "/srv/notes/sub/to do.txt", how: "in the shared folder Notes")))
    search.answer([])
    #expect(search.step == .ended(.found(path: "/srv/notes/sub/to do.txt", how: "in the shared folder Notes")))
  }

  @Test func whatDiffersIsSaid() {
    var search = search()
    search.answer([])
    search.answer([clone("/home/eve/baton", "b", same: false)])
    let how =
      "in the clone of github.com/ada/baton at /home/eve/baton; a different commit is checked out: bbbbbbbbbbbb here, "
      + "aaaaaaaaaaaa there; its content is different there"
    #expect(search.step == .ended(.found(path: "/home/eve/baton/sub/to do.txt", how: how)))
  }

  @Test func aCloneWithoutACommitIsSaid() {
    var search = search()
    search.answer([])
    search.answer([clone("/c", nil, same: nil)])
    #expect(
      search.step
        == .ended(
          .found(
            path: "/c/sub/to do.txt",
            how:
              "in the clone of github.com/ada/baton at /c; no commit is checked out here, aaaaaaaaaaaa there"
          )
        )
    )
  }

  @Test func severalClonesAreAmbiguousEvenIfOneHasTheCommit() {
    var search = search()
    search.answer([])
    search.answer([clone("/a"), clone("/b", "b", same: false)])
    let paths = ["/a/sub/to do.txt", "/b/sub/to do.txt"]
    #expect(search.step == .ended(.ambiguous(paths: paths, how: "2 clones of github.com/ada/baton contain it")))
  }

  @Test func aLimitIsSaid() {
    let limit = "; the search reached its limit, so there may be others"
    var search = search()
    search.answer([])
    search.answer([clone("/a")], isComplete: false)
    let how = "in the clone of github.com/ada/baton at /a"
    #expect(search.step == .ended(.found(path: "/a/sub/to do.txt", how: how + limit)))
    search = self.search()
    search.answer([])
    search.answer([clone("/a"), clone("/b")], isComplete: false)
    let paths = ["/a/sub/to do.txt", "/b/sub/to do.txt"]
    #expect(search.step == .ended(.ambiguous(paths: paths, how: "2 clones of github.com/ada/baton contain it" + limit)))
  }

  @Test func equalFilesAreAmbiguousBecauseChangesGoIntoOne() {
    var search = search()
    for _ in 0..<3 { search.answer([]) }
    search.answer(["/srv/notes/a", "/srv/notes/b"].map { DocumentSearch.Candidate(path: $0) })
    let how = "2 files in the shared folders have the same content"
    #expect(search.step == .ended(.ambiguous(paths: ["/srv/notes/a", "/srv/notes/b"], how: how)))
  }

  @Test(arguments: ["file:///etc/passwd", "baton-folder:/Notes/x", "https://example.org/x", "file:///srv/notes/../x"])
  func aURLOutsideOfTheSharedFoldersIsNotOpened(_ url: String) {
    let search = DocumentSearch(DocumentReference(path: "/x", url: url), sharedFolders: folders, canFetch: false)
    #expect(search.step == .ended(.notFound(how: "it isn't on this machine")))
  }

  @Test func anEmptyFileIsNotLookedForByItsContent() {
    let empty = DocumentReference(path: "/x", size: 0, sha256: hash)
    let search = DocumentSearch(empty, sharedFolders: folders, canFetch: true)
    #expect(search.step == .ended(.fetchable(how: "it isn't on this machine")))
  }
}
