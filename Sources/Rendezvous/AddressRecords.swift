import Activity

/// How a machine's own record replaces what is at the team's name. Each device has one record there.
package enum AddressRecords {
  /// A record at the team's name, as far as this machine can read it.
  package struct Known: Equatable, Sendable {
    package let record: TXTRecord
    /// Who wrote it, and until when it is valid, in seconds since 1970. Nil if this machine cannot open it.
    package let content: Content?

    package struct Content: Equatable, Sendable {
      package let device: DeviceID
      package let expires: Int64

      package init(device: DeviceID, expires: Int64) { (self.device, self.expires) = (device, expires) }
    }

    package init(_ record: TXTRecord, _ content: Content?) { (self.record, self.content) = (record, content) }
  }

  /// Returns the records to delete when `own` is added.
  ///
  /// - Parameters:
  ///   - own: This machine's new record.
  ///   - known: The records that were noted.
  ///   - count: How many there are.
  ///   - time: Seconds since 1970. The server accepts an update only if this is right within some minutes.
  package static func deletions(
    replacedBy own: TXTRecord,
    of device: DeviceID,
    known: [Known],
    count: Int,
    at time: Int64
  ) -> [TXTRecord] {
    let others = known.filter { $0.record != own }
    // Also own records that seem newer: the clock was wrong, and the others would believe them.
    let replaced = others.filter { $0.content?.device == device }
    // Their owners are away, perhaps for ever.
    let expired = others.filter { known in known.content.map { $0.device != device && $0.expires <= time } ?? false }
    // They may belong to another version, or to something else at the name. But nobody notes more records than the
    // limit, so those that nobody in the team can open must not hide those of the team.
    let unreadable = count > Limits.dnsRecords ? others.filter { $0.content == nil } : []
    var length = 0
    let fitting = (replaced + expired + unreadable).prefix { known in
      // With the fields before its data. The next update deletes the rest.
      length += known.record.data.count + 12
      return length <= Limits.dnsDeletionLength
    }
    return fitting.map(\.record)
  }
}
