// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import TestSupport
import Testing

@testable import BatonDaemon

@Suite(.isolated) struct LookupsTests {
  /// Looks up names until the test says that they are found.
  private final class Resolver: Sendable {
    let begun: AsyncStream<String>
    private let tell: AsyncStream<String>.Continuation
    private let gates: [String: DispatchSemaphore]

    init(_ names: [String]) {
      (begun, tell) = AsyncStream.makeStream()
      gates = Dictionary(uniqueKeysWithValues: names.map { ($0, DispatchSemaphore(value: 0)) })
    }

    func lookUp(_ host: String, _ port: UInt16) -> [SocketAddress] {
      tell.yield(host)
      gates[host]?.wait()
      return []
    }

    func find(_ host: String) { gates[host]?.signal() }
  }

  @Test func usersHaveTheirNamesLookedUpInTurns() async throws {
    // One user has many names, and the others have one each.
    let others: [(String, UInt32)] = [("b", 1), ("c", 2), ("d", 3), ("e", 4)]
    let names = (0..<10).map { ("a\($0)", 1000 as UInt32) } + others
    let resolver = Resolver(names.map(\.0) + ["person"])
    let (ended, tell) = AsyncStream<String>.makeStream()
    try onLoop {
      let lookups = Lookups { resolver.lookUp($0, $1) }
      for (host, user) in names {
        lookups.begin(host: host, port: 1, for: user, isAwaited: false) { _ in tell.yield(host) }
      }
      lookups.begin(host: "person", port: 1, for: 1000, isAwaited: true) { _ in tell.yield("person") }
    }
    var (begins, ends) = (resolver.begun.makeAsyncIterator(), ended.makeAsyncIterator())
    var first: Set<String> = []
    for _ in 0..<Lookups.lookups { first.insert(try #require(await begins.next())) }
    #expect(first == ["a0", "b", "c", "d"], "One of each user")
    // The free place goes to the user who has waited longest and has no lookup in progress.
    resolver.find("a0")
    #expect(await ends.next() == "a0")
    #expect(await begins.next() == "e")
    resolver.find("b")
    #expect(await begins.next() == "person")
    for host in ["c", "d", "e", "person"] { resolver.find(host) }
    for number in 1..<10 {
      #expect(await begins.next() == "a\(number)")
      resolver.find("a\(number)")
    }
  }

  @Test func oneUserWaitsForSoManyNames() async throws {
    let resolver = Resolver(["slow", "more"])
    let (ended, tell) = AsyncStream<String>.makeStream()
    try onLoop {
      let lookups = Lookups { resolver.lookUp($0, $1) }
      // One of them is already in progress.
      for _ in 0...Lookups.lookupsPerUser {
        lookups.begin(host: "slow", port: 1, for: 1000, isAwaited: false) { _ in }
      }
      lookups.begin(host: "more", port: 1, for: 1000, isAwaited: false) { _ in tell.yield("more") }
    }
    var ends = ended.makeAsyncIterator()
    #expect(await ends.next() == "more", "It ends with nothing")
    for _ in 0...Lookups.lookupsPerUser { resolver.find("slow") }
  }

  /// Swift has only as many threads as processors. Code that holds all of them must not hold up passphrases.
  @Test func keysAreMadeWhileAllOfSwiftsThreadsAreHeld() async {
    await #expect(processExitsWith: .success) {
      let gate = DispatchSemaphore(value: 0)
      let count = 4 * ProcessInfo.processInfo.activeProcessorCount
      let made = Outcome<Bool>()
      for _ in 0..<count { Task.detached { hold(gate) } }
      try onLoop {
        let queue = PassphraseQueue()
        try queue.makeKey("passphrase", for: 1000) { result in
          withExtendedLifetime(queue) {}
          made.set(.success((try? result.get()) != nil))
        }
      }
      #expect(try made.wait())
      for _ in 0..<count { gate.signal() }
    }
  }
}

private func hold(_ gate: DispatchSemaphore) { gate.wait() }
