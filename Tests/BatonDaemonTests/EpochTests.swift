// SPDX-License-Identifier: Apache-2.0

import Systemd
import Testing

@testable import BatonDaemon

/// The number of a daemon's start.
@Suite struct EpochTests {
  private let directory: PlaceForFiles
  private let log = Log(level: .error)

  init() throws { directory = try PlaceForFiles() }

  private func next(_ date: Double) throws -> UInt64 { try Epoch.next(in: directory.path, date: date, log: log) }

  @Test func itGrowsUnderEveryClock() throws {
    var last: UInt64 = 0
    for date in [1_800_000_000.5, 1_800_000_000.5, 0, -5, 4_000_000_000, 1_800_000_000, .infinity, .nan] {
      let epoch = try next(date)
      #expect(epoch > last)
      last = epoch
    }
    #expect(last < 5_000_000_000_000)
  }

  /// Not even root can make a file in `/proc/self`.
  @Test func aDirectoryThatCannotBeWrittenDoesNotKeepTheDaemonFromStarting() throws {
    #expect(try Epoch.next(in: "/proc/self", date: 1_800_000_000, log: log) == 1_800_000_000_000)
  }

  @Test(arguments: [
    "", "x", "-1", "18446744073709551615\n", "18446744073709551616\n", String(repeating: "1", count: 99),
  ])
  func whatIsNoNumberOfAStartIsSetAside(_ text: String) throws {
    try directory.write(text, to: "epoch")
    #expect(try next(1_800_000_000) == 1_800_000_000_000)
    #expect(try next(1_800_000_000) == 1_800_000_000_001)
    #expect(try directory.text(of: "epoch.unreadable-1") == text)
  }
}
