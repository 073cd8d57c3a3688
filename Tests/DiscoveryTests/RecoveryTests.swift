// SPDX-License-Identifier: Apache-2.0

import Activity
import Discovery
import EventLoop
import Testing

extension AvahiTests {
  @Loop
  @Suite struct RecoveryTests {
    /// Publishes, breaks something, repairs it, and expects that the instance is found again by itself.
    private func expectRecovery(
      from fault: [String],
      by remedy: [String],
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      try await withObservers(2) { observers in
        let publication = makePublication()
        observers[0].discovery.publish(publication)
        try await expect("found") { observers[1].text(of: publication.instance) != nil }
        for verb in fault { try await Lab.control(verb) }
        for observer in observers {
          try await expect("unavailable", sourceLocation: sourceLocation) { observer.events.last == .unavailable }
        }
        #expect(observers[1].events.contains(.lost(instance: publication.instance)), sourceLocation: sourceLocation)
        let text = [Array("changed while it was gone".utf8)]
        observers[0].discovery.update(instance: publication.instance, text: text)
        observers.forEach { $0.forget() }
        for verb in remedy { try await Lab.control(verb) }
        try await expect(within: .seconds(15), "found again", sourceLocation: sourceLocation) {
          observers[1].text(of: publication.instance) == text
        }
        #expect(observers.allSatisfy { $0.events.first == .available }, sourceLocation: sourceLocation)
      }
    }

    @Test func itSurvivesACrashOfAvahi() async throws {
      try await expectRecovery(from: ["avahi-kill"], by: ["avahi-start"])
    }

    @Test func itSurvivesARestartOfAvahi() async throws {
      try await expectRecovery(from: ["avahi-stop"], by: ["avahi-start"])
    }

    @Test func itSurvivesALossOfTheBus() async throws {
      try await expectRecovery(from: ["bus-kill", "avahi-stop"], by: ["bus-start", "avahi-start"])
    }

    /// Avahi can rename the machine at any time, if it believes that another machine has the same name.
    @Test func anotherNameOfTheMachineChangesNothing() async throws {
      try await withObservers(2) { observers in
        let publication = makePublication()
        observers[0].discovery.publish(publication)
        try await expect("found") { observers[1].text(of: publication.instance) != nil }
        try await Lab.on(Lab.host, "avahi-set-host-name", "lab-renamed")
        let text = [Array("after".utf8)]
        observers[0].discovery.update(instance: publication.instance, text: text)
        try await expect("updated") { observers[1].text(of: publication.instance) == text }
        observers[1].discovery.resolve(instance: publication.instance)
        try await expect("resolved") {
          observers[1].events.contains {
            if case .resolved(_, let addresses) = $0 { !addresses.isEmpty } else { false }
          }
        }
        #expect(!observers[1].events.contains(.lost(instance: publication.instance)))
        #expect(observers.allSatisfy { !$0.events.contains(.unavailable) })
        try await Lab.on(Lab.host, "avahi-set-host-name", "lab-\(Lab.host)")
      }
    }

    @Test func itWaitsForAvahi() async throws {
      try await Lab.control("avahi-stop")
      try await expectLateStart { try await Lab.control("avahi-start") }
    }

    @Test func itWaitsForTheBus() async throws {
      try await Lab.control("bus-kill")
      try await Lab.control("avahi-stop")
      try await expectLateStart {
        try await Lab.control("bus-start")
        try await Lab.control("avahi-start")
      }
    }

    private func expectLateStart(_ start: @Loop () async throws -> Void) async throws {
      try await withObservers(2) { observers in
        let publication = makePublication()
        observers[0].discovery.publish(publication)
        observers[0].discovery.resolve(instance: "nobody")
        for observer in observers { try await expect("unavailable") { observer.events == [.unavailable] } }
        try await start()
        try await expect(within: .seconds(15), "found") { observers[1].text(of: publication.instance) != nil }
        try await expect("answered") {
          observers[0].events.contains(.resolved(instance: "nobody", addresses: []))
        }
        #expect(observers[0].events.filter { $0 == .unavailable }.count == 1)
      }
    }

    @Test func descriptorsDoNotLeak() async throws {
      var counts: [Int] = []
      try await withObservers(2) { observers in
        let publication = makePublication()
        observers[0].discovery.publish(publication)
        for _ in 0..<4 {
          try await expect(within: .seconds(15), "found") { observers[1].text(of: publication.instance) != nil }
          counts.append(descriptorCount())
          try await Lab.control("avahi-kill")
          try await expect("lost") { observers[1].text(of: publication.instance) == nil }
          try await Lab.control("avahi-start")
        }
        try await expect(within: .seconds(15), "found") { observers[1].text(of: publication.instance) != nil }
      }
      #expect(Set(counts.dropFirst()).count == 1, "\(counts)")
    }

    @Test func theLoopRunsOnWhileAvahiHangs() async throws {
      try await withObservers(2) { observers in
        let publication = makePublication()
        observers[0].discovery.publish(publication)
        try await expect("found") { observers[1].text(of: publication.instance) != nil }
        try await Lab.control("avahi-freeze")
        let heartbeat = Heartbeat()
        let frozen = ContinuousClock.now
        for number in 0..<50 {
          observers[0].discovery.update(instance: publication.instance, text: [Array("\(number)".utf8)])
        }
        observers[1].discovery.resolve(instance: publication.instance)
        try await expect(within: .seconds(7), "answered though Avahi hangs") {
          observers[1].events.contains(.resolved(instance: publication.instance, addresses: []))
        }
        #expect(ContinuousClock.now - frozen >= .seconds(4))
        #expect(heartbeat.longestPause < .milliseconds(500), "\(heartbeat.longestPause)")
        #expect(heartbeat.count > 200)
        try await Lab.control("avahi-thaw")
        try await expect(within: .seconds(10), "updated") {
          observers[1].text(of: publication.instance) == [Array("49".utf8)]
        }
      }
    }

    @Test func itStopsInTimeWhileAvahiHangs() async throws {
      let observer = Observer()
      let publication = makePublication()
      observer.discovery.start()
      observer.discovery.publish(publication)
      try await expect("published") { observer.events.contains(.published(instance: publication.instance)) }
      try await Lab.control("avahi-freeze")
      observer.discovery.update(instance: publication.instance, text: [[1]])
      let begin = ContinuousClock.now
      await observer.stop()
      let time = ContinuousClock.now - begin
      try await Lab.control("avahi-thaw")
      #expect(time >= .seconds(1) && time < .milliseconds(2500), "\(time)")
      // The queue continues with the work that was left, and so does the next discovery.
      try await withObservers(1) { observers in
        try await expect("available") { observers[0].events.contains(.available) }
        try await expect("gone") { observers[0].text(of: publication.instance) == nil }
      }
    }

    @Test func aHangOfHalfAMinuteIsOvercome() async throws {
      try await withObservers(2) { observers in
        let publication = makePublication()
        observers[0].discovery.publish(publication)
        try await expect("found") { observers[1].text(of: publication.instance) != nil }
        try await Lab.control("avahi-freeze")
        let heartbeat = Heartbeat()
        observers[0].discovery.update(instance: publication.instance, text: [Array("lost in a timeout".utf8)])
        // Avahi's call gives up after 25 s, and the next call hangs too.
        try await expect(within: .seconds(40), "30 s have passed") { heartbeat.time > .seconds(30) }
        #expect(heartbeat.longestPause < .milliseconds(500), "\(heartbeat.longestPause)")
        let text = [Array("newest".utf8)]
        observers[0].discovery.update(instance: publication.instance, text: text)
        try await Lab.control("avahi-thaw")
        try await expect(within: .seconds(20), "updated") { observers[1].text(of: publication.instance) == text }
      }
    }
  }
}

/// A heartbeat that beats every 10 ms on the loop and knows its longest pause.
@Loop
private final class Heartbeat {
  private let begin = ContinuousClock.now
  private var last = ContinuousClock.now
  private var timer: Timer?
  private(set) var count = 0
  private(set) var longestPause = Duration.zero

  init() {
    timer = Timer { [weak self] in self?.beat() }
    beat()
  }

  var time: Duration { ContinuousClock.now - begin }

  private func beat() {
    count += 1
    longestPause = max(longestPause, ContinuousClock.now - last)
    last = .now
    timer?.set(.now + .milliseconds(10))
  }
}
