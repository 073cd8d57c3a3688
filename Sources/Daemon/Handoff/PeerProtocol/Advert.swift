// SPDX-License-Identifier: Apache-2.0

import Activity

/// What a daemon tells its team by multicast, before sealing (Protocol.md section 2).
package struct Advert: Equatable, Sendable {
  /// How long an advert is valid, in seconds: its period, and the allowed difference between clocks.
  package static let advertAge: Int64 = 1500
  /// How far in the future the time of an advert may be, in seconds.
  private static let advertClockTolerance: Int64 = 600
  /// The maximum length of a title in an advert, in bytes. Longer titles are cut there at a character boundary.
  package static let advertTitleLength = 64

  package struct Current: Equatable, Sendable {
    package var id: ActivityID
    package var activityType: String
    /// At most `advertTitleLength` bytes.
    package var title: String
    package var supportsContinuationStreams: Bool
    package var hasWebPage: Bool
    /// The last 32 bits of the counter of the change with which the activity appeared; 0 if it is not known.
    package var since: UInt32

    /// Takes the part of `record` that fits into an advert.
    package init(_ record: ActivityRecord, since: UInt32 = 0) {
      id = record.id
      activityType = record.activityType
      title = (record.title ?? "").prefix(utf8Count: Advert.advertTitleLength)
      supportsContinuationStreams = record.supportsContinuationStreams
      hasWebPage = record.webpageURL != nil
      self.since = since
    }

    fileprivate init(
      id: ActivityID,
      activityType: String,
      title: String,
      supportsContinuationStreams: Bool,
      hasWebPage: Bool,
      since: UInt32
    ) {
      self.id = id
      self.activityType = activityType
      self.title = title
      self.supportsContinuationStreams = supportsContinuationStreams
      self.hasWebPage = hasWebPage
      self.since = since
    }
  }

  package var device: DeviceID
  /// For people to read.
  package var deviceName: String
  /// When the daemon started, in milliseconds since 1970.
  package var epoch: UInt64
  /// Increases with each change within an epoch.
  package var counter: UInt64
  package var current: Current?
  /// When the advert was sealed, in seconds since 1970, by the sender's clock. This machine's own adverts use its own
  /// clock.
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

  /// Converts the time of a statement to this machine's clock, if the statement is still valid. It may be a recording.
  ///
  /// - Parameters:
  ///   - time: When the statement was made, in seconds since 1970, by the sender's clock.
  ///   - now: What this machine's clock shows.
  ///   - clockOffsets: How far the sender's clock may be ahead of this machine's, in seconds.
  /// - Returns: A time that is never later than `now`. The result is nil if the statement is too old or too far in the
  ///   future.
  package static func localTime(of time: Int64, now: Int64, clockOffsets: [Int64]) -> Int64? {
    for offset in clockOffsets {
      let (there, isTooFar) = now.addingReportingOverflow(offset)
      let (age, isTooOld) = there.subtractingReportingOverflow(time)
      guard !isTooFar, !isTooOld, age >= -Self.advertClockTolerance, age <= Self.advertAge else { continue }
      return now - max(age, 0)  // Checked: not more than advertAge.
    }
    return nil
  }

  // MARK: Plaintext

  /// The length of the plaintext, whatever it contains.
  package static let plaintextLength = 336
  private static let timeLength = 8
  private static let sinceLength = 4
  private static let layout: UInt8 = 1
  private static let hasActivity: UInt8 = 1
  private static let supportsStreams: UInt8 = 2
  private static let hasPage: UInt8 = 4

  /// The plaintext: ``plaintextLength`` bytes.
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
    bytes += Array(repeating: 0, count: Self.plaintextLength - Self.timeLength - Self.sinceLength - bytes.count)
    let since = current?.since ?? 0
    // Checked: four bytes of eight bits.
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: since >> (24 - 8 * $0)) }
    // Checked: eight bytes of eight bits.
    return bytes + (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * $0)) }
  }

  /// Decodes a plaintext. The result is nil if the bytes do not have this layout.
  package init?(plaintext: [UInt8]) {
    guard plaintext.count == Self.plaintextLength, plaintext[0] == Self.layout else { return nil }
    var rest = plaintext.dropFirst().dropLast(Self.timeLength)
    let since = rest.suffix(Self.sinceLength).reduce(0) { $0 << 8 | UInt32($1) }
    rest = rest.dropLast(Self.sinceLength)
    time = plaintext.suffix(Self.timeLength).reduce(0) { $0 << 8 | Int64($1) }
    guard let device = DeviceID(bytes: rest.takeFirst(DeviceID.byteCount) ?? []),
      let epoch = rest.takeFirst(8)?.reduce(0, { $0 << 8 | UInt64($1) }),
      let counter = rest.takeFirst(8)?.reduce(0, { $0 << 8 | UInt64($1) }),
      let flags = rest.takeFirst(1)?.first,
      let id = ActivityID(bytes: rest.takeFirst(ActivityID.byteCount) ?? []),
      let type = rest.takeText(Limits.activityTypeLength),
      let title = rest.takeText(Self.advertTitleLength),
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
        hasWebPage: flags & Self.hasPage != 0,
        since: since
      )
    }
  }
}

extension ArraySlice<UInt8> {
  /// Takes a length byte and that many bytes of UTF-8.
  fileprivate mutating func takeText(_ limit: Int) -> String? {
    guard let count = takeFirst(1)?.first, count <= limit, let bytes = takeFirst(Int(count)) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
