// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// How many bytes other machines have sent in the last 24 hours, for quotas. It is kept on the disk.
///
/// A transfer is counted by itself while it can go on: at first what its origin has announced, and what has arrived
/// once an attempt has ended. Then it is added to what its machine has sent in these minutes. So there are as many
/// numbers as minutes, however many transfers there are, and nothing that a machine sends displaces one.
package struct ReceivedVolumes: Structure {
  /// The time for which quotas count what a machine has sent, in seconds.
  static let quotaTime = 24.0 * 60 * 60

  /// The most that all machines, and each of them, can send. Nil for any number.
  package struct Quotas: Equatable, Sendable {
    package var total: UInt64?
    package var perMachine: UInt64?

    package init(total: UInt64? = nil, perMachine: UInt64? = nil) {
      (self.total, self.perMachine) = (total, perMachine)
    }
  }

  /// A transfer that can go on.
  private struct Open: Structure {
    let id: ActivityID
    let deviceID: DeviceID
    /// The number of bytes of files.
    var content: UInt64
    /// What the files and folders take on the disk without any content.
    let entries: UInt64
    /// When the last attempt ended. Nil while one runs.
    var ended: Double?

    var size: UInt64 { content.addingSaturated(entries) }
  }

  /// What a machine has sent in some minutes.
  private struct Period: Structure {
    let deviceID: DeviceID
    /// When they begin, as a multiple of ``period`` since 1970-01-01 00:00:00 UTC.
    var number: Int
    var size: UInt64
  }

  /// What a file or a folder takes on the disk without any content, in bytes.
  package static let entrySize: UInt64 = 4096
  /// In seconds.
  private static let period = 600.0

  @Coded<EmptyByDefault<Open>> private var open: [Open] = []
  @Coded<EmptyByDefault<Period>> private var periods: [Period] = []

  package init() {}

  /// Counts a transfer, in place of what was counted of it before, unless that was more.
  ///
  /// - Parameters:
  ///   - size: Of all files, in bytes.
  ///   - entries: The number of files and folders.
  ///   - date: In seconds since 1970-01-01 00:00:00 UTC.
  /// - Returns: False if it exceeds a quota, and is not counted.
  package mutating func admit(
    _ id: ActivityID,
    from deviceID: DeviceID,
    size: UInt64,
    entries: Int,
    _ quotas: Quotas,
    at date: Double
  ) -> Bool {
    forget(at: date)
    let (product, isOver) = UInt64(clamping: entries).multipliedReportingOverflow(by: Self.entrySize)
    // What is on the disk of an earlier attempt is there until this one has looked at it.
    let old = open.first { $0.id == id && $0.deviceID == deviceID }
    let new = Open(
      id: id,
      deviceID: deviceID,
      content: max(size, old?.content ?? 0),
      entries: max(isOver ? .max : product, old?.entries ?? 0)
    )
    let others = open.filter { $0.id != id }
    let all = others.map { ($0.deviceID, $0.size) } + periods.map { ($0.deviceID, $0.size) }
    guard Self.fits(new.size, all.map(\.1), quotas.total) else { return false }
    guard Self.fits(new.size, all.filter { $0.0 == deviceID }.map(\.1), quotas.perMachine) else { return false }
    open = others + [new]
    return true
  }

  /// An attempt has ended. If it was refused before it was admitted, what was counted of earlier ones stays.
  ///
  /// - Parameter size: What counts from now on: what has arrived, in bytes. Nil for what was announced, if the attempt
  ///   broke off and the next one goes on.
  package mutating func pause(_ id: ActivityID, size: UInt64?, at date: Double) {
    guard let index = open.firstIndex(where: { $0.id == id && $0.ended == nil }) else { return }
    open[index].content = size ?? open[index].content
    open[index].ended = date
  }

  /// The agent has started, so no attempt runs. Those transfers can go on that it knows.
  package mutating func restore(_ known: Set<ActivityID>, at date: Double) {
    for transfer in open {
      if transfer.ended == nil { pause(transfer.id, size: nil, at: date) }
      if !known.contains(transfer.id) { close(transfer.id, at: date) }
    }
  }

  /// A transfer does not go on. What was counted of it still counts.
  package mutating func close(_ id: ActivityID, at date: Double) {
    guard let index = open.firstIndex(where: { $0.id == id }) else { return }
    let ended = open.remove(at: index)
    add(Period(deviceID: ended.deviceID, number: Self.number(date), size: ended.size))
  }

  private mutating func add(_ new: Period) {
    guard let index = periods.firstIndex(where: { $0.deviceID == new.deviceID && $0.number == new.number }) else {
      return periods.append(new)
    }
    periods[index].size = periods[index].size.addingSaturated(new.size)
  }

  private mutating func forget(at date: Double) {
    let now = Self.number(date)
    open.removeAll { $0.ended.map { $0 + Self.quotaTime <= date } ?? false }
    let all = periods
    periods = []
    for var period in all where Double(period.number) * Self.period + Self.period + Self.quotaTime > date {
      // The clock was set back.
      period.number = min(period.number, now)
      add(period)
    }
  }

  private static func number(_ date: Double) -> Int { Int(exactly: (date / period).rounded(.down)) ?? 0 }

  private static func fits(_ size: UInt64, _ others: [UInt64], _ quota: UInt64?) -> Bool {
    guard let quota else { return true }
    return others.reduce(size) { $0.addingSaturated($1) } <= quota
  }
}

extension UInt64 {
  fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}
