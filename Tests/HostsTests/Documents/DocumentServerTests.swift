// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import Foundation
import Hosts
import TestSupport
import Testing

@Suite(.isolated)
struct DocumentServerTests {
  @Test func aDocumentComesThroughTwoDaemons() throws {
    let machine = try Machine()
    let text = String(repeating: "Baton\n", count: 300_000)
    let path = try machine.write(text, to: "origin/notes.txt")
    try withTwoDaemons { a, b in
      let note = try a.advertiseFiles()
      _ = try b.waitForOffer(note.id)
      _ = try b.continueActivity(note.id)
      _ = try note.expect(.continued)
      let hasEnded = Outcome<Bool>()
      let folder = HandoffFolder("\(machine.home)/Handoff")
      let fetching = onThread { [id = note.id] in
        let stream = try b.openStream(id)
        defer { stream.close() }
        let path = try folder.fetch(over: stream.descriptor, name: "notes.txt")
        return (path, try b.outcome(of: stream))
      }
      let token = try #require(try note.expect(.streamRequested).stream)
      let server = try onLoop { [socket = a.socket] in
        try DocumentServer(
          accepting: token,
          path: socket,
          provider: { $0 == .document ? .success(.file(open(path, O_RDONLY | O_CLOEXEC))) : .failure(.notAvailable) },
          onEnd: { hasEnded.set(.success(true)) }
        )
      }
      let (arrived, reason) = try fetching.wait()
      #expect(try String(contentsOfFile: arrived, encoding: .utf8) == text)
      #expect(reason == nil)
      #expect(try hasEnded.wait())
      withExtendedLifetime(server) {}
    }
  }
}
