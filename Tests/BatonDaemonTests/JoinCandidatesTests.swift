// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Testing

@testable import BatonDaemon

/// Which address a joining machine asks next.
struct JoinCandidatesTests {
  private var candidates = JoinCandidates()
  private var dials = DialLimiter<[UInt8]>()
  private var generator = SystemRandomNumberGenerator()
  private let start = ContinuousClock.Instant.now

  private func address(_ number: Int, port: UInt16 = 22866) throws -> SocketAddress {
    try #require(SocketAddress(bytes: [10, 0, UInt8(number >> 8), UInt8(number & 255)], port: port))
  }

  /// Takes the next addresses; nil for each that is not available yet.
  private mutating func take(_ count: Int, after time: Duration = .zero) -> [SocketAddress?] {
    (0..<count).map { _ in next(after: time) }
  }

  private mutating func next(after time: Duration = .zero) -> SocketAddress? {
    candidates.next(&dials, at: start + time, using: &generator)
  }

  @Test mutating func whatIsNamedComesFirstAndInItsOrder() throws {
    candidates.find([try address(1)])
    candidates.name([try address(3), try address(2)])
    let taken = take(4)
    #expect(try taken == [address(3), address(2), address(1), nil])
    #expect(candidates.isEmpty)
  }

  @Test mutating func anAddressHasOneTurn() throws {
    candidates.name([try address(1)])
    for _ in 0..<2 { candidates.find([try address(1), try address(2), try address(2)]) }
    let taken = take(3)
    #expect(try taken == [address(1), address(2), nil])
    candidates.find([try address(1), try address(2)])
    #expect(candidates.isEmpty)
  }

  @Test mutating func portsOfOneMachineWaitForItsRate() throws {
    for port in 1024..<1034 { candidates.find([try address(1, port: UInt16(port))]) }
    let burst = Int(DialLimits.dialsPerTargetRate.burst)
    let first = take(burst + 1)
    #expect(first.map { $0 == nil } == Array(repeating: false, count: burst) + [true])
    candidates.find([try address(2)])
    let other = next()
    #expect(try other == address(2), "Others do not wait for it")
    for second in 1...10 - burst {
      let later = take(2, after: .seconds(second))
      #expect(later.map { $0 == nil } == [false, true])
    }
    #expect(candidates.isEmpty)
  }

  /// Even a machine that is found last, next to one that has many addresses, is asked soon.
  @Test mutating func machinesTakeTurnsByChance() throws {
    var early = 0
    for _ in 0..<100 {
      (candidates, dials) = (JoinCandidates(), DialLimiter())
      candidates.find(try (1...200).map { try address($0) })
      candidates.find([try address(0)])
      let first = take(4)
      if try first.contains(address(0)) { early += 1 }
    }
    // Each of the 100 has a chance of 15 in 16, so 60 or fewer never happens.
    #expect(early > 60)
  }

  @Test mutating func whatIsAskedAgainComesLastAndNotTooOften() throws {
    candidates.name([try address(1)])
    let first = next()
    candidates.askAgain(try #require(first))
    candidates.find([try address(2)])
    let others = take(2)
    #expect(try others == [address(2), address(1)])
    #expect(candidates.isEmpty)
    var count = 0
    for second in 0..<10 {
      for _ in 0..<10 {
        candidates.askAgain(try address(1))
        guard next(after: .seconds(second)) != nil else { break }
        count += 1
      }
    }
    #expect(count == Int(DialLimits.dialsPerTargetRate.burst) - 1 + 9, "One was asked for before")
  }

  /// All that may be dialled, as long as there is any.
  private mutating func takeAll() -> Set<SocketAddress> {
    var (all, second): (Set<SocketAddress>, Int) = ([], 0)
    while !candidates.isEmpty {
      while let address = next(after: .seconds(second)) { all.insert(address) }
      second += 1
    }
    return all
  }

  @Test mutating func oneMachineHasAFewAddresses() throws {
    let inviter = try address(0)
    for machine in 0..<64 { candidates.find(try (1...16).map { try address(100 * machine + $0) }) }
    candidates.find([inviter])
    let all = takeAll()
    #expect(all.count == 64 * 4 + 1 && all.contains(inviter))
  }

  /// However many others were found before, or are found later.
  @Test(arguments: [true, false]) mutating func whereThereAreTooManyEachHasAChance(isLast: Bool) throws {
    let inviter = try address(0)
    var kept = 0
    for _ in 0..<5 {
      candidates = JoinCandidates()
      if !isLast { candidates.find([inviter]) }
      for machine in 0..<300 { candidates.find(try (1...4).map { try address(4 * machine + $0) }) }
      if isLast { candidates.find([inviter]) }
      let all = takeAll()
      #expect(all.count == JoinCandidates.joinAddresses)
      if all.contains(inviter) { kept += 1 }
    }
    // Of 5 that each have a chance of 85 in 100.
    #expect(kept > 0)
  }

  @Test mutating func whatIsNamedHasItsPlace() throws {
    for machine in 0..<300 { candidates.find(try (1...4).map { try address(4 * machine + $0) }) }
    candidates.name([try address(0)])
    let first = next()
    #expect(try first == address(0))
  }

  @Test mutating func onlySoManyAddressesAreKept() throws {
    let limit = JoinCandidates.joinAddresses
    candidates.name(try (0...limit).map { try address($0) })
    let taken = take(limit + 1)
    #expect(try taken == (0..<limit).map { try address($0) } + [nil])
    #expect(candidates.isEmpty)
  }
}
