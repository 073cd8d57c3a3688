// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Foundation
import Hosts
import TestSupport
import Testing

@Suite(.isolated)
struct DocumentFinderTests {
  private let machine: Machine

  init() throws { machine = try Machine() }

  private func find(
    _ reference: DocumentReference,
    _ folders: SharedFolders = SharedFolders(),
    canFetch: Bool = false
  ) -> DocumentFinding {
    DocumentFinder.find(reference, sharedFolders: folders, canFetch: canFetch, places: machine.places)
  }

  private func reference(
    url: String? = nil,
    _ repositories: [String] = [],
    path: String? = nil,
    hasContent: Bool = true
  ) -> DocumentReference {
    DocumentReference(
      path: "/elsewhere/notes.txt",
      url: url,
      repositories: repositories.compactMap(RepositoryName.init(text:)),
      repositoryPath: path,
      size: hasContent ? 6 : nil,
      sha256: hasContent ? helloHash : nil
    )
  }

  private func path(_ finding: DocumentFinding) -> String? {
    if case .found(let path, _) = finding { path } else { nil }
  }

  private func url(_ name: String) -> String { "file://\(machine.root)/\(name)" }

  // MARK: Shared folders

  @Test func aFileInASharedFolderIsFoundAndItsContentCompared() throws {
    let folders = try machine.shared("Notes")
    let path = try machine.write("Hello\n", to: "Notes/sub/to do.txt")
    let wanted = reference(url: url("Notes/sub/to%20do.txt"))
    #expect(find(wanted, folders) == .found(path: path, how: "in the shared folder Notes"))
    try machine.write("Other\n", to: "Notes/sub/to do.txt")
    let how = "in the shared folder Notes; its content is different there"
    #expect(find(wanted, folders) == .found(path: path, how: how))
    #expect(
      self.path(find(reference(url: url("Notes/sub/"), hasContent: false), folders)) == "\(machine.root)/Notes/sub"
    )
    #expect(self.path(find(reference(url: url("Notes"), hasContent: false), folders)) == "\(machine.root)/Notes")
    // A directory is not a file.
    #expect(self.path(find(reference(url: url("Notes/sub")), folders)) == nil)
  }

  private func path(_ wanted: DocumentReference, _ folders: SharedFolders) -> String? { path(find(wanted, folders)) }

  @Test func noLinkLeadsOutOfASharedFolder() throws {
    let folders = try machine.shared("Notes")
    try machine.write("Hello\n", to: "secret/x")
    try machine.link("Notes/away", to: "../secret")
    try machine.link("Notes/file", to: "\(machine.root)/secret/x")
    try machine.link("Notes/proc", to: "/proc/self/root")
    for name in ["away/x", "file", "proc\(machine.root)/secret/x", "../secret/x"] {
      #expect(path(reference(url: url("Notes/\(name)")), folders) == nil)
    }
    #expect(path(reference(url: url("secret/x")), folders) == nil)
  }

  @Test func pipesAndSocketsAreNoDocuments() throws {
    let folders = try machine.shared("Notes")
    #expect(mkfifo("\(machine.root)/Notes/pipe", 0o600) == 0)
    #expect(path(reference(url: url("Notes/pipe")), folders) == nil)
    #expect(path(reference(url: url("Notes/pipe"), hasContent: false), folders) == nil)
  }

  // MARK: The home directory, and what has arrived

  private func reference(home path: String, size: Int? = nil, _ sha256: String? = nil) -> DocumentReference {
    DocumentReference(path: "/home/anna/\(path)", homePath: path, size: size, sha256: sha256)
  }

  @Test func aFolderOfTheSamePathInTheOtherHomeIsFound() throws {
    let path = try machine.makeDirectory("home/src/app")
    let found = DocumentFinding.found(path: path, how: "at the same path in your home directory")
    #expect(find(reference(home: "src/app")) == found)
    #expect(self.path(find(reference(home: ""))) == machine.home)
    #expect(self.path(find(reference(home: "src/other"))) == nil)
    try machine.makeClone("home/src/app", of: "https://github.com/ada/app")
    #expect(find(reference(home: "src/app/sub")) == .found(path: "\(path)/sub", how: found.how))
    // A file is no directory, and a link leads elsewhere.
    #expect(self.path(find(reference(home: "src/app/sub/notes.txt"))) == nil)
    try machine.link("home/link", to: "\(machine.home)/src")
    #expect(self.path(find(reference(home: "link/app"))) == nil)
  }

  @Test func noFolderThatHasArrivedIsFoundInTheHomeDirectory() throws {
    let photos = try machine.makeDirectory("home/photos/2025")
    #expect(path(find(reference(home: "photos/2025"))) == photos)
    let folder = open("\(machine.home)/photos", O_RDONLY | O_DIRECTORY)
    ArrivalMark.set(on: folder)
    close(folder)
    try #require(ArrivalMark.isSet("\(machine.home)/photos"))
    #expect(path(find(reference(home: "photos/2025"))) == nil)
    try machine.makeDirectory("home/Handoff/photos")
    #expect(path(find(reference(home: "Handoff/photos"))) == nil)
  }

  @Test func noRepositoryInACloneIsFoundInTheHomeDirectory() throws {
    try machine.makeClone("home/app", of: "https://github.com/ada/app")
    try machine.makeClone("home/app/inner", of: "https://github.com/eve/inner")
    try machine.write("ref: refs/heads/main", to: "home/app/docs/HEAD")
    #expect(path(find(reference(home: "app/sub"))) != nil)
    for inner in ["app/inner", "app/inner/sub", "app/docs"] { #expect(path(find(reference(home: inner))) == nil) }
  }

  @Test func theSameFileInTheHomeDirectoryIsFound() throws {
    let film = try machine.write("Hello\n", to: "home/Videos/film.mkv")
    #expect(path(find(reference(home: "Videos/film.mkv", size: 6, helloHash))) == film)
    // Nothing says that it is the same.
    #expect(path(find(reference(home: "Videos/film.mkv", size: 6))) == nil)
    try machine.write("Other\n", to: "home/Videos/film.mkv")
    #expect(path(find(reference(home: "Videos/film.mkv", size: 6, helloHash))) == nil)
  }

  @Test(arguments: [
    ("Videos/film.mkv", "/srv/film.mkv", true), ("Videos/film.mkv", "/srv/holiday.mkv", false),
    ("vault.img", "/srv/vault.img", false), (".cache/film.mkv", "/srv/film.mkv", false),
  ])
  func withoutAHashOnlyAFilmOfTheNameThatIsOfferedIsFound(below: String, offered: String, isFound: Bool) throws {
    let file = try machine.write("", to: "home/\(below)")
    try #require(truncate(file, 16 << 20) == 0)
    let reference = DocumentReference(path: offered, homePath: below, size: 16 << 20)
    #expect(path(find(reference)) == (isFound ? file : nil))
  }

  @Test func noFileThatHasArrivedIsFoundInTheHomeDirectory() throws {
    try machine.write("Hello\n", to: "home/Handoff/project/film.mkv")
    #expect(path(find(reference(home: "Handoff/project/film.mkv", size: 6, helloHash))) == nil)
  }

  @Test func whatHasArrivedBeforeIsNotFetchedAgain() throws {
    let wanted = DocumentReference(path: "/srv/notes.txt", size: 6, sha256: helloHash)
    #expect(path(find(wanted)) == nil)
    try machine.write("Other\n", to: "home/Handoff/notes.txt")
    #expect(path(find(wanted)) == nil)
    let second = try machine.write("Hello\n", to: "home/Handoff/notes-2.txt")
    #expect(find(wanted) == .found(path: second, how: "the copy that was received earlier"))
    #expect(path(find(DocumentReference(path: "/srv/notes.txt", size: 6))) == nil)
  }

  // MARK: Clones

  @Test(arguments: [
    "git@github.com:ada/baton.git", "https://ada:secret@github.com/Ada/baton",
    "ssh://git@ssh.github.com:443/ada/baton.git/",
  ])
  func aCloneInTheHomeDirectoryIsFound(_ remote: String) throws {
    try machine.makeClone("home/src/github.com/ada/baton", of: remote)
    try machine.makeClone("home/src/other", of: "https://github.com/ada/other")
    let finding = find(reference(["github.com/ada/baton"], path: "sub/notes.txt"))
    let root = "\(machine.home)/src/github.com/ada/baton"
    #expect(finding == .found(path: "\(root)/sub/notes.txt", how: "in the clone of github.com/ada/baton at \(root)"))
    #expect(path(find(reference(["github.com/ada/baton"], path: "", hasContent: false))) == root)
    #expect(path(find(reference(["github.com/ada/baton"], path: "no.txt"))) == nil)
    #expect(path(find(reference(["github.com/eve/baton"], path: "sub/notes.txt"))) == nil)
  }

  @Test func aCloneElsewhereIsRememberedWhenItIsUsed() throws {
    try machine.makeClone("srv/baton", of: "https://github.com/ada/baton")
    let wanted = reference(["github.com/ada/baton"], path: "sub/notes.txt")
    #expect(path(find(wanted)) == nil)
    let used = "\(machine.root)/srv/baton/sub"
    _ = try DocumentFinder.describe(path: used, places: machine.places)
    #expect(path(find(wanted)) == "\(machine.root)/srv/baton/sub/notes.txt")
    // It is gone, and nobody stumbles over it.
    try FileManager.default.removeItem(atPath: "\(machine.root)/srv/baton")
    #expect(path(find(wanted)) == nil)
  }

  @Test func severalClonesAreShownAndOneIsNotCountedTwice() throws {
    try machine.makeClone("home/a", of: "https://github.com/ada/baton")
    let wanted = reference(["github.com/ada/baton"], path: "sub/notes.txt")
    _ = try DocumentFinder.describe(path: "\(machine.home)/a", places: machine.places)
    #expect(path(find(wanted)) == "\(machine.home)/a/sub/notes.txt")
    try machine.makeClone("home/b", of: "git@github.com:ada/baton")
    guard case .ambiguous(let paths, let how) = find(wanted) else {
      Issue.record("It is guessed")
      return
    }
    #expect(Set(paths) == ["\(machine.home)/a/sub/notes.txt", "\(machine.home)/b/sub/notes.txt"])
    #expect(how == "2 clones of github.com/ada/baton contain it")
  }

  @Test func anotherCommitIsSaid() throws {
    try machine.makeClone("home/a", of: "https://github.com/ada/baton")
    var wanted = reference(["github.com/ada/baton"], path: "sub/notes.txt")
    wanted.commit = String(repeating: "a", count: 40)
    #expect(find(wanted).how.contains("; a different commit is checked out: "))
    wanted.commit = try DocumentFinder.describe(path: "\(machine.home)/a", places: machine.places).commit
    #expect(!find(wanted).how.contains(";"))
  }

  @Test func aWorkTreeOfACloneIsAClone() throws {
    try machine.makeClone("srv/main", of: "https://github.com/ada/baton")
    try machine.git("worktree", "add", "-q", "\(machine.home)/tree", in: "srv/main")
    let wanted = reference(["github.com/ada/baton"], path: "sub/notes.txt")
    #expect(path(find(wanted)) == "\(machine.home)/tree/sub/notes.txt")
  }

  @Test func noLinkLeadsOutOfAClone() throws {
    try machine.makeClone("home/baton", of: "https://github.com/ada/baton")
    try machine.write("Hello\n", to: "home/secret/x")
    try machine.link("home/baton/away", to: "../secret")
    try machine.link("home/baton/file", to: "../secret/x")
    for name in ["away/x", "file", "away"] {
      #expect(path(find(reference(["github.com/ada/baton"], path: name, hasContent: false))) == nil)
    }
  }

  @Test func hiddenDirectoriesLinksAndOtherOwnersAreNotLookedInto() throws {
    try machine.makeClone("home/.cache/baton", of: "https://github.com/ada/baton")
    try machine.makeClone("srv/baton", of: "https://github.com/ada/baton")
    try machine.link("home/link", to: "\(machine.root)/srv")
    #expect(path(find(reference(["github.com/ada/baton"], path: "sub/notes.txt"))) == nil)
  }

  @Test func aDirectoryInAnotherCloneIsNotACloneOfItsOwn() throws {
    // git would look in the directories above.
    try machine.makeClone("home/baton", of: "https://github.com/ada/baton")
    try machine.makeDirectory("home/baton/vendor/.git")
    try machine.write("Hello\n", to: "home/baton/vendor/sub/notes.txt")
    let wanted = reference(["github.com/ada/baton"], path: "sub/notes.txt")
    #expect(path(find(wanted)) == "\(machine.home)/baton/sub/notes.txt")
  }

  @Test func aDamagedListOfClonesIsNoFailure() throws {
    try machine.makeClone("home/a", of: "https://github.com/ada/baton")
    try machine.write("relative\u{0}\n/x\u{0}/cut off", to: "state/baton/clones")
    #expect(path(find(reference(["github.com/ada/baton"], path: "sub/notes.txt"))) != nil)
    #expect(try machine.text(of: "state/baton/clones").hasPrefix("\(machine.home)/a\u{0}"))
    try FileManager.default.removeItem(atPath: "\(machine.root)/state/baton/clones")
    try machine.makeDirectory("state/baton/clones")
    #expect(path(find(reference(["github.com/ada/baton"], path: "sub/notes.txt"))) != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/state/baton") == ["clones"])
  }

  @Test func aDeepTreeIsNotWalkedForever() throws {
    try machine.makeDirectory("home/" + (0..<200).map { "d\($0)" }.joined(separator: "/"))
    try machine.makeClone("home/a", of: "https://github.com/ada/baton")
    let begin = ContinuousClock.now
    #expect(path(find(reference(["github.com/ada/baton"], path: "sub/notes.txt"))) != nil)
    #expect(ContinuousClock.now - begin < .seconds(10))
  }

  // MARK: Content

  @Test func theSameContentInASharedFolderIsFound() throws {
    let folders = try machine.shared("Notes", "Papers")
    try machine.write("Other\n", to: "Notes/same size")
    let path = try machine.write("Hello\n", to: "Papers/deep/down/other name.txt")
    try machine.write("Hello\n", to: "Papers/.hidden/notes.txt")
    try machine.write("Hello\n", to: "home/not shared.txt")
    try machine.link("Papers/link", to: path)
    #expect(
      find(reference(), folders) == .found(path: path, how: "the file with the same content in a shared folder")
    )
    #expect(link(path, "\(machine.root)/Notes/another name") == 0)
    #expect(self.path(find(reference(), folders)) != nil)
    let copy = try machine.write("Hello\n", to: "Notes/copy")
    guard case .ambiguous(let paths, _) = find(reference(), folders) else {
      Issue.record("It is guessed")
      return
    }
    #expect(paths.contains(copy) && paths.count == 2)
  }

  @Test func withoutSharedFoldersItIsFetchable() throws {
    #expect(find(reference(), canFetch: true) == .fetchable(how: "it isn't on this machine"))
    #expect(
      find(reference(), try machine.shared("Notes"), canFetch: true) == .fetchable(how: "it isn't on this machine")
    )
  }

  @Test func manyFilesOfTheRightSizeAreALimit() throws {
    let folders = try machine.shared("Notes")
    for number in 100..<180 { try machine.write("x\(number)xx", to: "Notes/\(number)") }
    #expect(find(reference(), folders).how == "it wasn't found before the search reached its limit")
  }
}
