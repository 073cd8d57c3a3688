import Activity

/// How many bytes other machines have sent in the last 24 hours, for quotas.
package struct ReceivedVolumes: Sendable {
  /// The most that all machines, and each of them, can send. Nil for any number.
  package struct Quotas: Equatable, Sendable {
    package var total: UInt64?
    package var perMachine: UInt64?

    package init(total: UInt64? = nil, perMachine: UInt64? = nil) {
      (self.total, self.perMachine) = (total, perMachine)
    }
  }

  private struct Volume {
    let deviceID: DeviceID
    var size: UInt64
    var date: Double
  }

  private var volumes: [ActivityID: Volume] = [:]

  package init() {}

  /// Counts a transfer, in place of what was counted of it before.
  ///
  /// - Parameter date: In seconds since 1970-01-01 00:00:00 UTC.
  /// - Returns: False if it exceeds a quota, and is not counted.
  package mutating func admit(
    _ id: ActivityID,
    from deviceID: DeviceID,
    size: UInt64,
    _ quotas: Quotas,
    at date: Double
  ) -> Bool {
    forget(before: date - Limits.quotaTime)
    let others = volumes.filter { $0.key != id }.values
    guard Self.fits(size, others.map(\.size), quotas.total) else { return false }
    let own = others.filter { $0.deviceID == deviceID }.map(\.size)
    guard Self.fits(size, own, quotas.perMachine) else { return false }
    count(id, from: deviceID, size: size, at: date)
    return true
  }

  /// Counts what was received before the agent started.
  package mutating func count(_ id: ActivityID, from deviceID: DeviceID, size: UInt64, at date: Double) {
    volumes[id] = Volume(deviceID: deviceID, size: size, date: date)
    guard volumes.count > Limits.countedTransfers else { return }
    merge(deviceID)
  }

  /// Counts less of a transfer that has ended early.
  package mutating func reduce(_ id: ActivityID, to size: UInt64) {
    guard let counted = volumes[id] else { return }
    volumes[id]?.size = min(counted.size, size)
  }

  private mutating func forget(before date: Double) { volumes = volumes.filter { $0.value.date > date } }

  /// Counts the two oldest transfers of a machine as one, until the later of their dates.
  private mutating func merge(_ deviceID: DeviceID) {
    let own = volumes.filter { $0.value.deviceID == deviceID }.sorted { $0.value.date < $1.value.date }
    guard own.count > 1 else { return }
    volumes[own[0].key] = nil
    volumes[own[1].key]?.size = own[0].value.size.addingSaturated(own[1].value.size)
  }

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
