import Activity

/// What a daemon tells its team by multicast, before it is sealed (Protocol.md section 2).
package struct Advert: Equatable, Sendable {
  package struct Current: Equatable, Sendable {
    package var id: ActivityID
    package var activityType: String
    /// At most `Limits.advertTitleLength` bytes.
    package var title: String
    package var supportsContinuationStreams: Bool
    package var hasWebPage: Bool

    /// The part of `record` that an advert has room for.
    package init(_ record: ActivityRecord) {
      id = record.id
      activityType = record.activityType
      title = (record.title ?? "").prefix(utf8Count: Limits.advertTitleLength)
      supportsContinuationStreams = record.supportsContinuationStreams
      hasWebPage = record.webpageURL != nil
    }

    fileprivate init(
      id: ActivityID,
      activityType: String,
      title: String,
      supportsContinuationStreams: Bool,
      hasWebPage: Bool
    ) {
      self.id = id
      self.activityType = activityType
      self.title = title
      self.supportsContinuationStreams = supportsContinuationStreams
      self.hasWebPage = hasWebPage
    }
  }

  package var device: DeviceID
  /// For people.
  package var deviceName: String
  /// Milliseconds since 1970 at which the daemon started.
  package var epoch: UInt64
  /// Grows with each change within an epoch.
  package var counter: UInt64
  package var current: Current?
  /// When it was sealed, in seconds since 1970 by the sender's clock; on this machine by its own.
  package var time: Int64

  package init(
    device: DeviceID,
    deviceName: String,
    epoch: UInt64,
    counter: UInt64,
    current: Current?,
    time: Int64
  ) {
    self.device = device
    self.deviceName = deviceName.prefix(utf8Count: Limits.deviceNameLength)
    self.epoch = epoch
    self.counter = counter
    self.current = current
    self.time = time
  }

  /// What this machine's clock showed when something was said that still counts: somebody may have recorded it.
  ///
  /// - Parameters:
  ///   - time: When it was said, in seconds since 1970, by the sender's clock.
  ///   - now: What this machine's clock shows.
  ///   - clockOffsets: By how many seconds the sender's clock may be ahead of it.
  /// - Returns: Nothing later than `now`; nil where it is too old, or from too far in the future.
  package static func localTime(of time: Int64, now: Int64, clockOffsets: [Int64]) -> Int64? {
    for offset in clockOffsets {
      let (there, isTooFar) = now.addingReportingOverflow(offset)
      let (age, isTooOld) = there.subtractingReportingOverflow(time)
      guard !isTooFar, !isTooOld, age >= -Limits.advertClockTolerance, age <= Limits.advertAge else { continue }
      return now - max(age, 0)  // Checked: not more than advertAge.
    }
    return nil
  }

  // MARK: Plaintext

  /// Length of the plaintext, whatever it holds.
  package static let plaintextLength = 336
  private static let timeLength = 8
  private static let layout: UInt8 = 1
  private static let hasActivity: UInt8 = 1
  private static let supportsStreams: UInt8 = 2
  private static let hasPage: UInt8 = 4

  /// ``plaintextLength`` bytes.
  package var plaintext: [UInt8] {
    var bytes = [Self.layout] + device.bytes
    // Checked: eight bytes of eight bits.
    for word in [epoch, counter] { bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    let flags =
      (current == nil ? 0 : Self.hasActivity)
      | (current?.supportsContinuationStreams == true ? Self.supportsStreams : 0)
      | (current?.hasWebPage == true ? Self.hasPage : 0)
    bytes.append(flags)
    bytes += current?.id.bytes ?? Array(repeating: 0, count: ActivityID.byteCount)
    for text in [current?.activityType ?? "", current?.title ?? "", deviceName] {
      bytes += [UInt8(clamping: text.utf8.count)] + text.utf8
    }
    bytes += Array(repeating: 0, count: Self.plaintextLength - Self.timeLength - bytes.count)
    // Checked: eight bytes of eight bits.
    return bytes + (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * $0)) }
  }

  /// Nil where the bytes are not of this layout.
  package init?(plaintext: [UInt8]) {
    guard plaintext.count == Self.plaintextLength, plaintext[0] == Self.layout else { return nil }
    var rest = plaintext.dropFirst().dropLast(Self.timeLength)
    time = plaintext.suffix(Self.timeLength).reduce(0) { $0 << 8 | Int64($1) }
    guard let device = DeviceID(bytes: rest.takeFirst(DeviceID.byteCount) ?? []),
      let epoch = rest.takeFirst(8)?.reduce(0, { $0 << 8 | UInt64($1) }),
      let counter = rest.takeFirst(8)?.reduce(0, { $0 << 8 | UInt64($1) }),
      let flags = rest.takeFirst(1)?.first,
      let id = ActivityID(bytes: rest.takeFirst(ActivityID.byteCount) ?? []),
      let type = rest.takeText(Limits.activityTypeLength),
      let title = rest.takeText(Limits.advertTitleLength),
      let name = rest.takeText(Limits.deviceNameLength)
    else { return nil }
    self.device = device
    self.epoch = epoch
    self.counter = counter
    deviceName = name
    if flags & Self.hasActivity != 0 {
      guard (try? ActivityRecord(id: id, activityType: type)) != nil else { return nil }
      current = Current(
        id: id,
        activityType: type,
        title: title,
        supportsContinuationStreams: flags & Self.supportsStreams != 0,
        hasWebPage: flags & Self.hasPage != 0
      )
    }
  }
}

extension ArraySlice<UInt8> {
  /// A length byte and as many bytes of UTF-8.
  fileprivate mutating func takeText(_ limit: Int) -> String? {
    guard let count = takeFirst(1)?.first, count <= limit, let bytes = takeFirst(Int(count)) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
