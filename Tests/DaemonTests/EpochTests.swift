import Foundation
import Systemd
import Testing

@testable import Daemon

/// The number of a start.
@Suite struct EpochTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let log = Log(level: .error)
  private var file: URL { directory.appending(path: "epoch") }

  init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false) }

  private func next(_ date: Double) throws -> UInt64 { try Epoch.next(in: directory.path, date: date, log: log) }

  @Test func itGrowsUnderEveryClock() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    var last: UInt64 = 0
    for date in [1_800_000_000.5, 1_800_000_000.5, 0, -5, 4_000_000_000, 1_800_000_000, .infinity, .nan] {
      let epoch = try next(date)
      #expect(epoch > last)
      last = epoch
    }
    #expect(last < 5_000_000_000_000)
  }

  @Test(arguments: [
    "", "x", "-1", "18446744073709551615\n", "18446744073709551616\n", String(repeating: "1", count: 99),
  ])
  func whatIsNoNumberOfAStartIsSetAside(_ text: String) throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    try Data(text.utf8).write(to: file)
    #expect(try next(1_800_000_000) == 1_800_000_000_000)
    #expect(try next(1_800_000_000) == 1_800_000_000_001)
    #expect(try Data(contentsOf: directory.appending(path: "epoch.unreadable-1")) == Data(text.utf8))
  }
}
