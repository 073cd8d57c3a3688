// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import Glibc
import TLS
import Testing

@testable import Teams

/// State that earlier versions have left, as stored by `Scripts/make-state`.
@Suite struct LayoutTests {
  private static let place = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "State")
  private static let layouts = ["layout-1"]

  private let directory = TestDirectory()

  private func load(_ machine: String, of layout: String, key: [UInt8]? = nil) throws -> TeamStore {
    let source = Self.place.appending(path: "\(layout)/\(machine)")
    try FileManager.default.copyItem(atPath: source.path, toPath: directory.path)
    _ = try StateDirectory(directory.path)
    return try TeamStore.open(directory: directory.path, secrets: SecretFiles(key: key), now: now) {
      journal.lines.append($0)
    }
  }

  private let journal = Journal()

  @Test func everyLayoutIsHere() {
    #expect(Self.layouts.count >= Int(StateLayout.current) - 1)
  }

  @Test(arguments: layouts) func anAdministratorGoesOn(_ layout: String) throws {
    let store = try load("administrator", of: layout)
    let home = try #require(store.teams.first)
    #expect(store.teams.map(\.name) == ["Home"] && home.administration == .here && home.owners == [0])
    let devices = try store.devices(of: home.id)
    #expect(devices.map(\.name) == ["member", "sealed", ""])
    #expect(devices.map { $0.revoked != nil } == [false, false, true])
    let code = try store.invite(home.id, now: now).code
    _ = try store.redeem(code.keys.identity, of: home.id, request: Joiner().request, now: now)
    try store.revoke(devices[0].device, of: home.id, now: now)
    #expect(try store.team(home.id).credentials.revocations.entries.count == 2)
    #expect(journal.lines.isEmpty, "\(journal.lines)")
  }

  @Test(arguments: layouts) func noOldCodeIsGood(_ layout: String) throws {
    let store = try load("administrator", of: layout)
    let team = try #require(store.teams.first)
    let names = try directory.names(in: directory.directory(of: team.id) + "/invitations")
    for name in names {
      let identity = try #require(Hexadecimal.decode(String(name.prefix { $0 != "." })))
      // The code was made within a minute of this time.
      let error = #expect(throws: Reason.self) {
        try store.redeem(identity, of: team.id, request: Joiner().request, now: team.created)
      }
      #expect(error == (name.hasSuffix(".used") ? .invitationUsed : .invitationExpired))
    }
    #expect(layout != "layout-1" || names.isEmpty || names.count == 3)
  }

  @Test(arguments: layouts) func aMemberGoesOn(_ layout: String) throws {
    let store = try load("member", of: layout)
    let home = try #require(store.teams.first)
    #expect(store.teams.map(\.name) == ["Home"] && home.administration == .elsewhere)
    #expect(home.credentials.revocations.entries.count == 1)
    #expect(journal.lines.isEmpty, "\(journal.lines)")
  }

  @Test(arguments: layouts) func sealedSecretsAreOpened(_ layout: String) throws {
    let key = try [UInt8](Data(contentsOf: Self.place.appending(path: "sealed.key")))
    let store = try load("sealed", of: layout, key: key)
    #expect(Set(store.teams.map(\.name)) == ["Home", "Work"])
    #expect(journal.lines.isEmpty, "\(journal.lines)")
  }
}
