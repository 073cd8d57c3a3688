// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hosts
import TestSupport
import Testing

@Suite(.isolated)
struct FilePrivacyTests {
  /// Its root stands for /tmp.
  private let machine: Machine

  init() throws { machine = try Machine() }

  private func isPrivate(_ name: String) -> Bool {
    var privacy = FilePrivacy(home: machine.home, temporaryDirectory: machine.root)
    return privacy.isPrivate("\(machine.root)/\(name)")
  }

  @Test func linksAndTheirTargetsCount() throws {
    try machine.write("x", to: "home/secret.pem")
    try machine.link("home/notes.txt", to: "secret.pem")
    try machine.write("x", to: "home/plain.txt")
    try machine.link("home/link.pem", to: "plain.txt")
    try machine.makeDirectory("home/.ssh")
    try machine.link("home/keys", to: ".ssh")
    #expect(isPrivate("home/notes.txt") && isPrivate("home/link.pem") && !isPrivate("home/plain.txt"))
    #expect(isPrivate("home/keys/new.txt") && !isPrivate("home/new.txt"))
  }

  /// An editor may know only the name without links.
  @Test func aPrivateDirectoryCanBeALink() throws {
    chmod(machine.root, 0o755)
    try machine.write("x", to: "home/dot/ssh/config")
    try machine.write("x", to: "home/dot/vimrc")
    try machine.link("home/.ssh", to: "dot/ssh")
    #expect(isPrivate("home/dot/ssh/config") && isPrivate("home/dot/ssh/new") && !isPrivate("home/dot/vimrc"))
  }

  @Test func aDirectoryForTemporaryFilesCanBeALink() throws {
    chmod(machine.root, 0o755)
    try machine.write("x", to: "scratch/sudoedit.txt")
    try machine.link("temporary", to: "scratch")
    var privacy = FilePrivacy(home: machine.home, temporaryDirectory: "\(machine.root)/temporary")
    for directory in ["scratch", "temporary"] {
      let isPrivate = privacy.isPrivate("\(machine.root)/\(directory)/sudoedit.txt")
      #expect(isPrivate)
    }
  }

  @Test func whatProgramsPutIntoTemporaryDirectoriesIsPrivate() throws {
    // It is in /tmp itself.
    chmod(machine.root, 0o755)
    try machine.write("x", to: "sudoedit.txt")
    for (name, mode) in [("pass.x", 0o700), ("shared", 0o755)] {
      try machine.write("x", to: "\(name)/sub/notes.txt")
      try machine.write("x", to: "\(name)/notes.txt")
      chmod("\(machine.root)/\(name)", mode_t(mode))
    }
    #expect(isPrivate("sudoedit.txt") && isPrivate("new.txt") && isPrivate("pass.x/notes.txt"))
    #expect(isPrivate("pass.x/sub/notes.txt"))
    #expect(!isPrivate("shared/notes.txt") && !isPrivate("shared/sub/notes.txt"))
    // A home directory can be anywhere.
    try machine.write("x", to: "home/notes.txt")
    chmod(machine.home, 0o700)
    #expect(!isPrivate("home/notes.txt"))
  }

  @Test func aTemporaryDirectoryInTheHomeDirectoryIsOne() throws {
    var privacy = FilePrivacy(home: machine.home, temporaryDirectory: "\(machine.home)/tmp")
    let secret = try machine.write("x", to: "home/tmp/kubectl-edit-1.yaml")
    let inside = try machine.write("x", to: "home/tmp/sops/x.yaml")
    chmod("\(machine.home)/tmp/sops", 0o700)
    let notes = try machine.write("x", to: "home/notes.txt")
    let answers = [secret, inside, notes].map { privacy.isPrivate($0) }
    #expect(answers == [true, true, false])
  }

  @Test func whatBecomesEncryptedIsPrivate() throws {
    var privacy = FilePrivacy(home: machine.home, temporaryDirectory: nil)
    let path = try machine.write("secret", to: "home/vault.yml")
    let first = privacy.isPrivate(path)
    try machine.write("$ANSIBLE_VAULT;1.1;AES256", to: "home/vault.yml")
    let second = privacy.isPrivate(path)
    #expect(!first && second)
  }

  @Test func pipesDoNotBlock() throws {
    #expect(mkfifo("\(machine.home)/pipe", 0o600) == 0)
    #expect(!isPrivate("home/pipe"))
  }
}
