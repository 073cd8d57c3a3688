// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Foundation
import Hosts
import JSONCoding
import TestSupport
import Testing

/// The SHA-256 of "Hello\n".
let helloHash = "66a045b452102c59d840ec097d59d9467e13a3f34f6494e539ffd32c1bb35f18"

@Suite(.isolated)
struct DocumentDescriptionTests {
  private let machine: Machine

  init() throws { machine = try Machine() }

  private func describe(_ name: String, _ folders: SharedFolders = SharedFolders()) throws -> DocumentReference {
    try DocumentFinder.describe(path: "\(machine.root)/\(name)", sharedFolders: folders, places: machine.places)
  }

  @Test func aFileInACloneHasEverything() throws {
    try machine.makeClone("baton", of: "git@github.com:ada/baton.git")
    let reference = try describe("baton/sub/notes.txt")
    #expect(reference.path == "\(machine.root)/baton/sub/notes.txt")
    #expect(reference.url == nil)
    #expect(reference.repositories.map(\.text) == ["github.com/ada/baton"])
    #expect(reference.repositoryPath == "sub/notes.txt")
    #expect(reference.commit?.count == 40)
    #expect(reference.size == 6 && reference.sha256 == helloHash)
    #expect(DocumentReference(json: reference.json) == reference)
  }

  @Test func directoriesAndTheRootAreDescribed() throws {
    try machine.makeClone("baton", of: "https://github.com/ada/baton")
    let root = try describe("baton")
    #expect(root.repositoryPath == "" && root.size == nil && root.sha256 == nil)
    #expect(try describe("baton/sub/").repositoryPath == "sub")
    #expect(try describe("baton/./sub/../sub").repositoryPath == "sub")
  }

  @Test func whatIsBelowTheHomeDirectoryHasItsPathThere() throws {
    try machine.write("Hello\n", to: "home/a/to do.txt")
    try machine.write("Hello\n", to: "data/x")
    try machine.link("home/data", to: "\(machine.root)/data")
    #expect(try describe("home/a/to do.txt").homePath == "a/to do.txt")
    #expect(try describe("home").homePath == "")
    #expect(try describe("home/data/x").homePath == "data/x")
    #expect(try describe("data/x").homePath == nil)
  }

  @Test func aFileOutsideOfClonesHasItsContent() throws {
    try machine.write("Hello\n", to: "a/to do.txt")
    let reference = try describe("a/to do.txt")
    #expect(reference.repositories.isEmpty && reference.repositoryPath == nil && reference.commit == nil)
    #expect(reference.sha256 == helloHash)
  }

  @Test func onlyAFileInASharedFolderHasAURL() throws {
    let folders = try machine.shared("a")
    try machine.write("Hello\n", to: "a/to do.txt")
    try machine.write("Hello\n", to: "b/to do.txt")
    #expect(try describe("a/to do.txt", folders).url == "file://\(machine.root)/a/to%20do.txt")
    // On the other machine, a folder can be shared from this path.
    #expect(try describe("b/to do.txt", folders).url == nil)
  }

  @Test func aCloneWithoutACommitOrARemoteIsNoFailure() throws {
    try machine.write("Hello\n", to: "new/x")
    try machine.git("init", "-q", in: "new")
    #expect(try describe("new/x").repositories.isEmpty)
    try machine.git("remote", "add", "origin", "https://github.com/ada/new", in: "new")
    let reference = try describe("new/x")
    #expect(reference.repositoryPath == "x" && reference.commit == nil)
  }

  @Test func whatInsteadOfNamesIsResolved() throws {
    try machine.makeClone("baton", of: "gh:ada/baton")
    try machine.git("config", "url.https://github.com/.insteadOf", "gh:", in: "baton")
    #expect(try describe("baton").repositories.map(\.text).contains("github.com/ada/baton"))
  }

  @Test func namesWithLineEndsAreRead() throws {
    try machine.makeClone("a\nb", of: "https://github.com/ada/baton", file: "c\nd/e\n")
    #expect(try describe("a\nb/c\nd/e\n").repositoryPath == "c\nd/e\n")
  }

  @Test func nothingThatARepositoryNamesIsRun() throws {
    try machine.makeClone("trap", of: "https://github.com/ada/trap")
    let mark = "\(machine.root)/mark"
    let program = try machine.write("#!/bin/sh\ntouch '\(mark)'\nexit 1\n", to: "trap/run")
    chmod(program, 0o755)
    let settings = [
      "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.gitProxy",
      "credential.helper", "diff.external", "uploadpack.packObjectsHook", "alias.rev-parse", "alias.config",
      "filter.x.clean", "filter.x.process", "gpg.program", "core.alternateRefsCommand",
    ]
    for key in settings { try machine.git("config", key, program, in: "trap") }
    try machine.git("config", "core.hooksPath", "\(machine.root)/trap/hooks", in: "trap")
    for hook in ["post-checkout", "post-index-change", "reference-transaction", "pre-commit"] {
      chmod(try machine.write("#!/bin/sh\ntouch '\(mark)'\n", to: "trap/hooks/\(hook)"), 0o755)
    }
    try machine.write("* filter=x\n", to: "trap/.gitattributes")
    try machine.write("Hello\n", to: "trap/sub/notes.txt")
    #expect(try describe("trap/sub/notes.txt").repositories.map(\.text) == ["github.com/ada/trap"])
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test func anEmbeddedBareRepositoryIsNoClone() throws {
    try machine.write("ref: refs/heads/main\n", to: "bare/HEAD")
    try machine.write("[remote \"origin\"]\n\turl = https://github.com/ada/eve\n", to: "bare/config")
    try machine.makeDirectory("bare/objects")
    try machine.makeDirectory("bare/refs")
    #expect(try describe("bare").repositories.isEmpty)
  }

  @Test func aLinkIsDescribedByWhereItLeads() throws {
    try machine.makeClone("baton", of: "https://github.com/ada/baton")
    try machine.link("here", to: "\(machine.root)/baton/sub")
    let reference = try describe("here/notes.txt")
    #expect(reference.path == "\(machine.root)/here/notes.txt" && reference.repositoryPath == "sub/notes.txt")
  }

  @Test func aLinkIntoASharedFolderNamesThePlaceThere() throws {
    let folders = try machine.shared("shared")
    try machine.write("Hello\n", to: "shared/x")
    try machine.link("here", to: "\(machine.root)/shared")
    #expect(try describe("here/x", folders).url == "file://\(machine.root)/shared/x")
  }

  @Test func aSharedFolderCanBeALink() throws {
    try machine.write("Hello\n", to: "data/sub/x")
    try machine.link("shared", to: "\(machine.root)/data")
    var folders = SharedFolders()
    try folders.add("shared", at: "\(machine.root)/shared")
    for name in ["data", "shared"] {
      #expect(try describe("\(name)/sub/x", folders).url == "file://\(machine.root)/shared/sub/x")
    }
    #expect(try describe("data", folders).url == "file://\(machine.root)/shared")
  }

  @Test func whatIsNotThereFailsUnlessItMayBeNew() throws {
    try machine.makeClone("baton", of: "https://github.com/ada/baton")
    #expect(throws: SystemError.self) { try describe("baton/new.txt") }
    let path = "\(machine.root)/baton/new.txt"
    let reference = try DocumentFinder.describe(path: path, mayBeNew: true, places: machine.places)
    #expect(reference.repositoryPath == "new.txt" && reference.size == nil && reference.path == path)
    #expect(throws: SystemError.self) {
      try DocumentFinder.describe(path: "\(machine.root)/no/new.txt", mayBeNew: true, places: machine.places)
    }
    #expect(throws: SystemError.self) { try DocumentFinder.describe(path: "", places: machine.places) }
  }

  @Test func aPathThatIsNotTextFails() throws {
    try machine.makeDirectory("odd")
    let directory = open("\(machine.root)/odd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(directory) }
    let name: [CChar] = [-1, 0]
    let code = openat(directory, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    #expect(code >= 0)
    close(code)
    // A link whose own name is text leads there.
    #expect(symlink(name, "\(machine.root)/odd/link") == 0)
    let error = #expect(throws: SystemError.self) { try describe("odd/link") }
    #expect(error?.code == EILSEQ)
  }

  @Test func aPipeIsNotRead() throws {
    try machine.makeDirectory("a")
    #expect(mkfifo("\(machine.root)/a/pipe", 0o600) == 0)
    #expect(try describe("a/pipe").size == nil)
  }
}
