// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// What outlasts a connection, and what is heard with keys that removed devices know.
struct RememberedPresenceTests {
  private let start = ContinuousClock.now
  private let own = DeviceID(bytes: Array(repeating: 1, count: DeviceID.byteCount))
  private let other = DeviceID(bytes: Array(repeating: 2, count: DeviceID.byteCount))

  private func presence() throws -> RendezvousPresence {
    var presence = RendezvousPresence(own: try #require(own), random: { 0 })
    _ = presence.handle(.arrived, at: start)
    return presence
  }

  private func message(_ kind: RendezvousMessage.Kind, _ sequence: UInt64) throws -> RendezvousMessage {
    let device = try #require(other)
    let advert = Advert(device: device, deviceName: "other", epoch: 1, counter: 1, current: nil, time: 0)
    return RendezvousMessage(kind: kind, sequence: sequence, advert: advert, port: 22866, addresses: [])
  }

  private func effects(_ effects: [RendezvousPresence.Effect]) -> [RendezvousPresence.Effect] {
    effects.filter { if case .wake = $0 { false } else { true } }
  }

  @Test func whatWasHeardOutlastsTheConnection() throws {
    var presence = try presence()
    let advert = try message(.advert, 1)
    _ = presence.handle(.heard(advert, from: "n"), at: start)
    #expect(effects(presence.handle(.stopped, at: start)) == [.lost(advert.advert.device)])
    _ = presence.handle(.arrived, at: start)
    #expect(effects(presence.handle(.heard(advert, from: "n"), at: start)) == [])
    #expect(presence.name(of: advert.advert.device) == nil)
    let next = try message(.advert, 2)
    #expect(effects(presence.handle(.heard(next, from: "n"), at: start)) == [.found(next)])
  }

  @Test func whoHasAnOldKeyIsForgotten() throws {
    var presence = try presence()
    let (advert, device) = (try message(.advert, 1), try #require(other))
    let heard = RendezvousPresence.Event.heardOutdated(advert, key: 1)
    let lost = [RendezvousPresence.Effect.lostOutdated(device)]
    #expect(effects(presence.handle(heard, at: start)) == [.foundOutdated(advert, key: 1)])
    #expect(effects(presence.handle(.heardOutdated(try message(.leaving, 2), key: 1), at: start)) == lost)
    // Silence means the same.
    _ = presence.handle(heard, at: start)
    _ = presence.handle(.departed, at: start)
    #expect(effects(presence.handle(.wake, at: start + RendezvousPresence.rendezvousPresenceTime)) == lost)
    // So does a message with the newest key, after which old ones count for nothing.
    _ = presence.handle(heard, at: start)
    #expect(effects(presence.handle(.heard(advert, from: "n"), at: start)) == lost + [.found(advert)])
    #expect(effects(presence.handle(heard, at: start)) == [])
  }

  @Test func thereIsRoomForAFewWithOldKeys() throws {
    var presence = try presence()
    for number in 0..<Limits.returnVisits + 1 {
      var advert = try message(.advert, 1)
      advert.advert.device = try #require(
        DeviceID(bytes: Array(repeating: UInt8(10 + number), count: DeviceID.byteCount))
      )
      let found = effects(presence.handle(.heardOutdated(advert, key: 1), at: start))
      #expect(found == (number < Limits.returnVisits ? [.foundOutdated(advert, key: 1)] : []))
    }
  }
}
