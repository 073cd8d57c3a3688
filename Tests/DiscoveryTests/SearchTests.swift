// SPDX-License-Identifier: Apache-2.0

import Discovery
import EventLoop
import Testing

extension AvahiTests {
  /// Only instances whose names pass are found, and what passes may change.
  @Loop
  @Suite struct SearchTests {
    @Test func whatDoesNotPassIsNotFoundUntilItPasses() async throws {
      try await withObservers(2) { observers in
        let (near, far) = (makePublication(), makePublication())
        observers[1].discovery.look { [name = near.instance] in $0 == name }
        observers[0].discovery.publish(far)
        observers[0].discovery.publish(near)
        try await expect("found") { observers[1].text(of: near.instance) != nil }
        #expect(observers[1].text(of: far.instance) == nil)
        observers[1].discovery.look { [name = far.instance] in $0 == name }
        try await expect("found, and the other lost") {
          observers[1].text(of: far.instance) != nil && observers[1].text(of: near.instance) == nil
        }
        observers[1].discovery.look(for: nil)
        try await expect("lost") { observers[1].text(of: far.instance) == nil }
        // It is looked for again after nothing was.
        observers[1].discovery.look { _ in true }
        try await expect("found") {
          observers[1].text(of: far.instance) != nil && observers[1].text(of: near.instance) != nil
        }
      }
    }

    @Test func whatPassedBeforeIsWatchedOn() async throws {
      try await withObservers(2) { observers in
        let publication = makePublication()
        observers[0].discovery.publish(publication)
        try await expect("found") { observers[1].text(of: publication.instance) != nil }
        observers[1].forget()
        observers[1].discovery.look { [name = publication.instance] in $0 == name }
        let text = [Array("after".utf8)]
        observers[0].discovery.update(instance: publication.instance, text: text)
        try await expect("updated") { observers[1].text(of: publication.instance) == text }
        #expect(!observers[1].events.contains(.lost(instance: publication.instance)))
      }
    }

    @Test func whatIsLookedForIsRememberedWithoutAvahi() async throws {
      try await withObservers(2) { observers in
        let (near, far) = (makePublication(), makePublication())
        try await Lab.control("avahi-kill")
        observers[1].discovery.look { [name = near.instance] in $0 == name }
        observers[0].discovery.publish(far)
        observers[0].discovery.publish(near)
        try await Lab.control("avahi-start")
        try await expect("found") { observers[1].text(of: near.instance) != nil }
        #expect(observers[1].text(of: far.instance) == nil)
      }
    }
  }
}
