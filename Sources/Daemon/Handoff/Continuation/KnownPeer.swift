// SPDX-License-Identifier: Apache-2.0

import Activity

/// Another device, as its adverts and its session show it. While it has a session, the session alone counts.
///
/// It offers at most `Limits.offersPerPeer` activities in a session, and one in an advert. Each change returns whether
/// these offers have changed, unless it says what else it returns.
struct KnownPeer: Sendable {
  /// The maximum difference between a peer's clock and what is known about it, in seconds.
  private static let clockError: Int64 = 5

  /// How new a device's state is.
  struct Version: Comparable, Sendable {
    /// When the state was announced, in seconds since 1970. So what others announce in the device's name counts only
    /// until the device itself speaks.
    var time: Int64 = 0
    var epoch: UInt64 = 0
    var counter: UInt64 = 0

    static func < (left: Version, right: Version) -> Bool {
      (left.time, left.epoch, left.counter) < (right.time, right.epoch, right.counter)
    }
  }

  struct PeerOffer: Sendable {
    let record: ActivityRecord
    fileprivate(set) var source: VisibleOffer.Source
    /// See ``VisibleOffer/isSent``.
    let isSent: Bool
    /// Greater for later offers.
    let order: UInt64
    /// See ``VisibleOffer/generation``.
    let generation: UInt64
  }

  private(set) var name: String
  /// The newest state that was seen in an advert or a session.
  private(set) var version: Version
  /// The epoch that the device gave in a session. An advert with another epoch is not believed until the next session.
  private(set) var epoch: UInt64?
  private(set) var isConnected = false
  private(set) var offers: [ActivityID: PeerOffer] = [:]
  /// The time at which offers known from adverts are dropped, unless the session has confirmed them.
  private(set) var confirmUntil: ContinuousClock.Instant?
  /// Whether this side's stream numbers are odd.
  private(set) var isFirst = false
  /// The number of the newest stream that the peer opened.
  private(set) var lastOpened: UInt32 = 0
  /// The epoch of the daemon whose stream numbers the peer continues.
  private var streamEpoch: UInt64?
  private(set) var nextRequest: UInt64 = 1

  /// - Parameter earlier: What is remembered of the device. The last state that it announced counts again.
  init(name: String, after earlier: ForgottenPeers.Peer?) {
    self.name = name
    version = earlier?.version ?? Version()
    version.counter -= min(version.counter, 1)
    epoch = earlier?.epoch
  }

  /// The order of the newest offer: greater for later ones, 0 if there is none.
  var newestOffer: UInt64 { offers.values.lazy.map(\.order).max() ?? 0 }

  // MARK: Adverts

  /// Whether the advert is newer than what is known, and not in the name of a daemon that has gone.
  func believes(_ advert: Advert) -> Bool { Version(advert) > version && advert.epoch == epoch ?? advert.epoch }

  mutating func see(_ advert: Advert, _ order: inout Order) -> Bool {
    guard believes(advert), !isConnected else { return false }
    let last = version
    version = Version(advert)
    // A device that had a session has given its name itself.
    if epoch == nil { name = advert.deviceName }
    let earlier = offers
    offers = [:]
    if let current = advert.current, let record = ActivityRecord(current), !record.isForThisMachine {
      // Adverts leave out what changes quickly, so an activity that was gone in between looks as if it had stayed.
      let hasStayed = current.since == 0 || advert.epoch == last.epoch && current.since <= last.counter
      offers[record.id] = PeerOffer(record, .advert, isSent: false, after: hasStayed ? earlier[record.id] : nil, &order)
    }
    return !earlier.isEmpty || !offers.isEmpty
  }

  // MARK: Sessions

  /// - Returns: Whether the peer's daemon no longer knows the streams of earlier sessions.
  mutating func beginSession(_ hello: Hello, isFirst: Bool, at time: Time) -> Bool {
    // Earlier adverts count for nothing, because any member can make one in the name of any other.
    version = Version(time: min(version.time, time.seconds), epoch: hello.epoch)
    epoch = hello.epoch
    name = hello.device
    isConnected = true
    self.isFirst = isFirst
    nextRequest = 1
    confirmUntil = offers.isEmpty ? nil : time.instant + Limits.offerConfirmTime
    doubtOffers()
    let isNewDaemon = streamEpoch ?? hello.streamEpoch != hello.streamEpoch
    streamEpoch = hello.streamEpoch
    if isNewDaemon { lastOpened = 0 }
    return isNewDaemon
  }

  /// - Parameter keepsOffers: Whether the peer's adverts continue where the session ended.
  mutating func endSession(keepsOffers: Bool, at time: Time) -> Bool {
    // The session's information is better than that of all adverts until now.
    version.time = time.seconds - Self.clockError
    isConnected = false
    confirmUntil = nil
    if keepsOffers {
      doubtOffers()
      // No advert shows what becomes of these. They come again with the next session.
      return removeOffers(where: \.isSent)
    }
    return removeOffers { _ in true }
  }

  /// Changes the device's name, because the device itself has said so.
  mutating func rename(_ name: String) -> Bool {
    guard name != self.name else { return false }
    self.name = name
    return !offers.isEmpty
  }

  /// Takes an offer, unless there are too many.
  mutating func receive(_ offer: Offer, _ order: inout Order) -> Bool {
    let id = offer.activity.id
    guard !offer.activity.isForThisMachine else { return removeOffer(id) }
    let known = offers[id]
    guard known != nil || offers.count < Limits.offersPerPeer else { return false }
    // A person may be looking at what it was.
    guard known.map({ $0.record.activityType == offer.activity.activityType }) ?? true else { return false }
    version.counter = max(version.counter, offer.counter)
    offers[id] = PeerOffer(offer.activity, .session, isSent: offer.isSent, after: known, &order)
    return true
  }

  mutating func receive(_ withdraw: Withdraw) -> Bool {
    version.counter = max(version.counter, withdraw.counter)
    return removeOffer(withdraw.activity)
  }

  mutating func removeOffer(_ id: ActivityID) -> Bool { offers.removeValue(forKey: id) != nil }

  /// Drops offers that the session has not confirmed.
  mutating func dropUnconfirmed() -> Bool {
    confirmUntil = nil
    return removeOffers { $0.source == .advert }
  }

  private mutating func removeOffers(where condition: (PeerOffer) -> Bool) -> Bool {
    let count = offers.count
    offers = offers.filter { !condition($0.value) }
    return offers.count < count
  }

  private mutating func doubtOffers() { for id in offers.keys { offers[id]?.source = .advert } }

  // MARK: Numbers

  /// Returns the number of the session's next request.
  mutating func takeRequest() -> UInt64 {
    defer { nextRequest += 1 }
    return nextRequest
  }

  /// Notes that the peer opens a stream.
  ///
  /// - Returns: False if it has used the number before. Numbers grow.
  mutating func open(_ stream: UInt32) -> Bool {
    guard stream > lastOpened else { return false }
    lastOpened = stream
    return true
  }
}

extension KnownPeer.PeerOffer {
  /// - Parameter known: What was offered until now. Nil if the activity was not offered.
  fileprivate init(
    _ record: ActivityRecord,
    _ source: VisibleOffer.Source,
    isSent: Bool,
    after known: Self?,
    _ order: inout Order
  ) {
    let place = known.flatMap { $0.record == record ? $0.order : nil } ?? order.next()
    let generation = known?.generation ?? place
    self.init(record: record, source: source, isSent: isSent, order: place, generation: generation)
  }
}

extension KnownPeer.Version {
  fileprivate init(_ advert: Advert) { self.init(time: advert.time, epoch: advert.epoch, counter: advert.counter) }
}

extension ActivityRecord {
  fileprivate init?(_ current: Advert.Current) {
    guard var record = try? ActivityRecord(id: current.id, activityType: current.activityType) else { return nil }
    record.title = current.title.isEmpty ? nil : current.title
    record.supportsContinuationStreams = current.supportsContinuationStreams
    record.hasWebPage = current.hasWebPage
    guard let valid = try? record.validated() else { return nil }
    self = valid
  }
}
