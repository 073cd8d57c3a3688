// SPDX-License-Identifier: Apache-2.0

import Activity

/// Who of a team is at the servers, and what this device tells the others there.
///
/// What is heard is a hint, as adverts by multicast are: it is a reason to dial. Who was dialled proves who it is.
package struct RendezvousPresence: Sendable {
  /// How often a device repeats what it offers, at most; it is a little more often, so that not all do so at once.
  private static let rendezvousPeriod = Duration.seconds(300)
  /// The time without a word of a device after which it counts as gone: two periods, and a minute.
  static let rendezvousPresenceTime = Duration.seconds(660)
  /// How long a device that has left is remembered: as long as a recording of its messages could be believed, and
  /// longer.
  static let rendezvousMemoryTime = Duration.seconds(2400)
  /// The time over which the answers to a device that has arrived are spread.
  private static let rendezvousAnswerTime = Duration.seconds(2)
  /// The rate at which one device may ask this one to dial it or to come to a relay.
  private static let rendezvousRequestRate = TokenBucket.Rate(perSecond: 0.2, burst: 5)

  package typealias Instant = ContinuousClock.Instant

  package enum Event: Equatable, Sendable {
    /// The server has accepted this machine.
    case arrived
    /// The connection has ended. What was heard stays for a while.
    case departed
    /// This machine has left the servers. Nobody counts as there, but what was heard is remembered.
    case stopped
    /// What this machine offers, or where it listens, has changed.
    case changed
    /// A message of a device of the team, which was sealed with the team's key.
    case heard(RendezvousMessage, from: String)
    /// The same, sealed with an older key of this number.
    case heardOutdated(RendezvousMessage, key: Int)
    /// Somebody needs a device, and has no session with it.
    case wanted(DeviceID)
    case wake
  }

  package enum Effect: Equatable, Sendable {
    /// Send an advert to all.
    case advertise(asks: Bool)
    /// Send an advert to one.
    case answer(String)
    /// Ask a device to dial this one.
    case askToDial(String)
    /// A device is there, and offers this.
    case found(RendezvousMessage)
    /// A device has left, or was not heard for a long time.
    case lost(DeviceID)
    /// The same for messages that were sealed with an older key. They are no more than a reason to dial.
    case foundOutdated(RendezvousMessage, key: Int)
    case lostOutdated(DeviceID)
    /// A device asks this one to dial it.
    case dial(DeviceID)
    /// A device waits for this one at a relay.
    case meet(DeviceID, RendezvousMessage.Meeting)
    case wake(at: Instant?)
  }

  private struct Row {
    /// What the servers call it.
    var name: String
    var epoch: UInt64
    var sequence: UInt64
    var heard: Instant
    /// Whether it is there. A device that has left is remembered, so that a recording does not bring it back.
    var isThere: Bool
    var requests: TokenBucket

    /// When the device counts as gone, or is forgotten.
    var end: Instant {
      heard + (isThere ? RendezvousPresence.rendezvousPresenceTime : RendezvousPresence.rendezvousMemoryTime)
    }
  }

  package let own: DeviceID
  private var isThere = false
  private var rows: [DeviceID: Row] = [:]
  /// When devices that were heard with an older key count as gone. Removed devices know such keys.
  private var outdated: [DeviceID: Instant] = [:]
  /// When to answer whom.
  private var answers: [String: Instant] = [:]
  private var nextAdvert: Instant?
  private var pacer = AdvertPacer()
  private var paced: Instant?
  private let random: @Sendable () -> Double

  /// - Parameter random: Returns a number from 0 to 1.
  package init(own: DeviceID, random: @escaping @Sendable () -> Double = { .random(in: 0...1) }) {
    self.own = own
    self.random = random
  }

  /// The devices that are there.
  package var devices: [DeviceID] { rows.filter(\.value.isThere).map(\.key) }

  /// What the servers call a device. Nil if it is not there.
  package func name(of device: DeviceID) -> String? { rows[device].flatMap { $0.isThere ? $0.name : nil } }

  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    var effects: [Effect] = []
    switch event {
    case .arrived:
      isThere = true
      effects.append(advertise(asks: true, now))
    case .departed:
      isThere = false
      (answers, nextAdvert, paced) = ([:], nil, nil)
    case .stopped:
      isThere = false
      (answers, nextAdvert, paced) = ([:], nil, nil)
      effects += devices.map { .lost($0) } + outdated.keys.map { .lostOutdated($0) }
      for device in rows.keys { rows[device]?.isThere = false }
      outdated = [:]
    case .changed:
      if isThere { effects += pace(pacer.changed(at: now), now) }
    case .heard(let message, let name): effects += hear(message, name, now)
    case .heardOutdated(let message, let key): effects += hearOutdated(message, key, now)
    case .wanted(let device):
      if isThere, let name = name(of: device) { effects.append(.askToDial(name)) }
    case .wake: break
    }
    effects += passTime(now)
    let next = [nextAdvert, paced, answers.values.min(), rows.values.lazy.map(\.end).min(), outdated.values.min()]
    return effects + [.wake(at: next.compactMap(\.self).min())]
  }

  private mutating func advertise(asks: Bool, _ now: Instant) -> Effect {
    nextAdvert = now + Self.rendezvousPeriod * (0.8 + random() / 5)
    return .advertise(asks: asks)
  }

  private mutating func pace(_ decision: AdvertPacer.Decision?, _ now: Instant) -> [Effect] {
    switch decision {
    case .publish:
      paced = nil
      return [advertise(asks: false, now)]
    case .wake(let instant):
      paced = instant
      return []
    case nil: return []
    }
  }

  private mutating func passTime(_ now: Instant) -> [Effect] {
    var effects: [Effect] = []
    for (name, due) in answers where due <= now {
      answers[name] = nil
      effects.append(.answer(name))
    }
    if let paced, paced <= now { effects += pace(pacer.due(at: now), now) }
    if let nextAdvert, nextAdvert <= now { effects.append(advertise(asks: false, now)) }
    for (device, row) in rows where row.end <= now {
      if row.isThere { effects.append(.lost(device)) }
      rows[device]?.isThere = false
      if !row.isThere { rows[device] = nil }
    }
    for (device, end) in outdated where end <= now { effects += forgetOutdated(device) }
    return effects
  }

  /// Whoever can seal a message can say that it is of any device of the team. So a message gets no more attention than
  /// its device's others.
  private mutating func hear(_ message: RendezvousMessage, _ name: String, _ now: Instant) -> [Effect] {
    let (device, epoch) = (message.advert.device, message.advert.epoch)
    guard device != own, rows[device] != nil || makeRoom() else { return [] }
    let before = rows[device]
    // A recording, or one that comes twice.
    if let before, (epoch, message.sequence) <= (before.epoch, before.sequence) { return [] }
    let requests = before?.requests ?? TokenBucket(Self.rendezvousRequestRate, at: now)
    var row = Row(name: name, epoch: epoch, sequence: message.sequence, heard: now, isThere: true, requests: requests)
    defer { rows[device] = row }
    // It has the newest key now.
    let effects = forgetOutdated(device)
    switch message.kind {
    case .leaving:
      row.isThere = false
      return effects + (before?.isThere == true ? [.lost(device)] : [])
    case .advert:
      if message.asks, isThere { answers[name] = answers[name] ?? now + Self.rendezvousAnswerTime * random() }
      return effects + [.found(message)]
    case .dial:
      return effects + [.found(message)] + (row.requests.take(at: now) ? [.dial(device)] : [])
    case .relay:
      let meeting = message.meeting.flatMap { row.requests.take(at: now) ? $0 : nil }
      return effects + [.found(message)] + (meeting.map { [.meet(device, $0)] } ?? [])
    }
  }

  /// The device was away when the key changed, or was removed.
  private mutating func hearOutdated(_ message: RendezvousMessage, _ key: Int, _ now: Instant) -> [Effect] {
    let device = message.advert.device
    switch message.kind {
    case .leaving: return forgetOutdated(device)
    case .relay: return []
    case .advert, .dial:
      guard device != own, rows[device]?.isThere != true,
        outdated[device] != nil || outdated.count < Limits.returnVisits
      else { return [] }
      outdated[device] = now + Self.rendezvousPresenceTime
      return [.foundOutdated(message, key: key)]
    }
  }

  private mutating func forgetOutdated(_ device: DeviceID) -> [Effect] {
    outdated.removeValue(forKey: device) == nil ? [] : [.lostOutdated(device)]
  }

  /// Whether there is room for another device. One that has left gives its place.
  private mutating func makeRoom() -> Bool {
    guard rows.count >= Limits.rendezvousDevices else { return true }
    guard let gone = rows.filter({ !$0.value.isThere }).min(by: { $0.value.heard < $1.value.heard })?.key else {
      return false
    }
    rows[gone] = nil
    return true
  }
}
