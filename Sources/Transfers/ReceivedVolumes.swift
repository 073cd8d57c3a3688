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
    /// The number of bytes of files.
    var content: UInt64
    /// What the files and folders take on the disk without any content.
    let entries: UInt64
    var date: Double

    var size: UInt64 { content.addingSaturated(entries) }
  }

  /// What a file or a folder takes on the disk without any content, in bytes.
  package static let entrySize: UInt64 = 4096

  private var volumes: [ActivityID: Volume] = [:]

  package init() {}

  /// Counts a transfer, in place of what was counted of it before.
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
    let new = Self.volume(of: deviceID, size, entries, date)
    forget(before: date - Limits.quotaTime)
    let others = volumes.filter { $0.key != id }.values
    guard Self.fits(new.size, others.map(\.size), quotas.total) else { return false }
    let own = others.filter { $0.deviceID == deviceID }.map(\.size)
    guard Self.fits(new.size, own, quotas.perMachine) else { return false }
    add(new, id)
    return true
  }

  /// Counts what was received before the agent started.
  package mutating func count(_ id: ActivityID, from deviceID: DeviceID, size: UInt64, entries: Int, at date: Double) {
    add(Self.volume(of: deviceID, size, entries, date), id)
  }

  private static func volume(of deviceID: DeviceID, _ size: UInt64, _ entries: Int, _ date: Double) -> Volume {
    let (product, isOver) = UInt64(clamping: entries).multipliedReportingOverflow(by: entrySize)
    return Volume(deviceID: deviceID, content: size, entries: isOver ? .max : product, date: date)
  }

  private mutating func add(_ volume: Volume, _ id: ActivityID) {
    volumes[id] = volume
    guard volumes.count > Limits.countedTransfers else { return }
    merge(volume.deviceID)
  }

  /// Counts what has arrived of a transfer that was admitted, in place of what was announced.
  package mutating func correct(_ id: ActivityID, to size: UInt64) { volumes[id]?.content = size }

  private mutating func forget(before date: Double) { volumes = volumes.filter { $0.value.date > date } }

  /// Counts the two oldest transfers of a machine as one, until the later of their dates.
  private mutating func merge(_ deviceID: DeviceID) {
    let own = volumes.filter { $0.value.deviceID == deviceID }.sorted { $0.value.date < $1.value.date }
    guard own.count > 1 else { return }
    volumes[own[0].key] = nil
    volumes[own[1].key]?.content = own[0].value.size.addingSaturated(own[1].value.content)
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
