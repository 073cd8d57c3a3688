// SPDX-License-Identifier: Apache-2.0

import Activity
import Discovery
import EventLoop
import Testing

extension AvahiTests {
  @Loop
  @Suite struct PublishingTests {
    @Test func anInstanceIsFoundByAnotherClientWithItsText() async throws {
      try await withObservers(2) { observers in
        var publication = makePublication()
        publication.text = [Array("txtvers=1".utf8), Array("a=".utf8) + (0..<250).map { UInt8($0) }, Array("b=".utf8)]
        observers[0].discovery.publish(publication)
        try await expect("published") { observers[0].events.contains(.published(instance: publication.instance)) }
        try await expect("found") { observers[1].text(of: publication.instance) == publication.text }
        #expect(
          observers[1].events.filter { $0 == .found(instance: publication.instance, text: publication.text) }.count == 1
        )
        #expect(observers[0].text(of: publication.instance) == nil, "its own")
        #expect(observers.allSatisfy { $0.events.first == .available })
      }
    }

    @Test func aDaemonThatStartsLaterFindsIt() async throws {
      let publication = makePublication()
      try await withObservers(1) { observers in
        observers[0].discovery.publish(publication)
        try await expect("published") { observers[0].events.contains(.published(instance: publication.instance)) }
        try await withObservers(1) { late in
          try await expect(within: .seconds(2), "found") { late[0].text(of: publication.instance) == publication.text }
        }
      }
    }

    @Test func aNewTextIsSeen() async throws {
      try await withObservers(2) { observers in
        let publication = makePublication(text: "one")
        observers[0].discovery.publish(publication)
        try await expect("found") { observers[1].text(of: publication.instance) == publication.text }
        let text = [Array("txtvers=1".utf8), Array("two".utf8)]
        observers[0].discovery.update(instance: publication.instance, text: text)
        try await expect(within: .seconds(1), "updated") { observers[1].text(of: publication.instance) == text }
      }
    }

    @Test func ofTextsBeforeItIsEstablishedTheNewestCounts() async throws {
      try await withObservers(2) { observers in
        let publication = makePublication(text: "0")
        observers[0].discovery.publish(publication)
        for number in 1...20 {
          observers[0].discovery.update(instance: publication.instance, text: [Array("\(number)".utf8)])
        }
        try await expect("newest") { observers[1].text(of: publication.instance) == [Array("20".utf8)] }
        #expect(!observers[0].events.contains(.nameCollided(instance: publication.instance)))
      }
    }

    @Test func aReturnToTheOldTextIsSeen() async throws {
      try await withObservers(2) { observers in
        let publication = makePublication(text: "A")
        observers[0].discovery.publish(publication)
        try await expect("A") { observers[1].text(of: publication.instance) == publication.text }
        observers[0].discovery.update(instance: publication.instance, text: [Array("B".utf8)])
        try await expect("B") { observers[1].text(of: publication.instance) == [Array("B".utf8)] }
        observers[0].discovery.update(instance: publication.instance, text: publication.text)
        try await expect("A again") { observers[1].text(of: publication.instance) == publication.text }
      }
    }

    @Test func aWithdrawnInstanceIsLost() async throws {
      try await withObservers(2) { observers in
        let gone = makePublication()
        let stays = makePublication()
        observers[0].discovery.publish(gone)
        observers[0].discovery.publish(stays)
        try await expect("both found") {
          observers[1].text(of: gone.instance) != nil && observers[1].text(of: stays.instance) != nil
        }
        observers[0].discovery.withdraw(instance: gone.instance)
        try await expect(within: .seconds(3), "lost") { observers[1].events.contains(.lost(instance: gone.instance)) }
        #expect(observers[1].text(of: stays.instance) == stays.text)
      }
    }

    @Test func whatAStoppedDaemonPublishedIsLost() async throws {
      try await withObservers(1) { observers in
        let publication = makePublication()
        let other = Observer()
        other.discovery.start()
        other.discovery.publish(publication)
        try await expect("found") { observers[0].text(of: publication.instance) != nil }
        await other.stop()
        try await expect(within: .seconds(3), "lost") { observers[0].text(of: publication.instance) == nil }
      }
    }

    @Test func aTakenNameIsToldAndGivenUp() async throws {
      try await withObservers(2) { observers in
        let publication = makePublication()
        observers[0].discovery.publish(publication)
        try await expect("published") { observers[0].events.contains(.published(instance: publication.instance)) }
        var thief = makePublication(port: 4242)
        thief.instance = publication.instance
        observers[1].discovery.publish(thief)
        try await expect("collided") { observers[1].events.contains(.nameCollided(instance: publication.instance)) }
        thief.instance = makePublication().instance
        observers[1].discovery.publish(thief)
        try await expect("published") { observers[1].events.contains(.published(instance: thief.instance)) }
      }
    }

    @Test func aPublicationOfTheSameNameReplaces() async throws {
      try await withObservers(2) { observers in
        var publication = makePublication(port: 4001)
        observers[0].discovery.publish(publication)
        try await expect("found") { observers[1].text(of: publication.instance) != nil }
        publication.port = 4002
        observers[0].discovery.publish(publication)
        var port: UInt16?
        let deadline = ContinuousClock.now + .seconds(10)  // The old record stays for a second.
        while port != 4002, ContinuousClock.now < deadline {
          observers[1].forget()
          observers[1].discovery.resolve(instance: publication.instance)
          try await expect("resolved") {
            observers[1].events.contains { if case .resolved = $0 { true } else { false } }
          }
          for case .resolved(_, let addresses) in observers[1].events { port = addresses.first?.port ?? port }
        }
        #expect(port == 4002)
      }
    }
  }
}
