// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// A day at a server, for two devices.
struct RendezvousDayTests {
  private struct Device {
    let id: DeviceID
    let name: String
    var presence: RendezvousPresence
    var wake: ContinuousClock.Instant?
    var sequence: UInt64 = 0
    var adverts = 0
    var found = 0
    var lost = 0

    init(_ byte: UInt8) throws {
      id = try #require(DeviceID(bytes: [UInt8](repeating: byte, count: DeviceID.byteCount)))
      name = "device\(byte)"
      presence = RendezvousPresence(own: id) { 0.5 }
    }

    mutating func message(_ kind: RendezvousMessage.Kind, asks: Bool) -> RendezvousMessage {
      sequence += 1
      adverts += 1
      let advert = Advert(device: id, deviceName: name, epoch: 1, counter: 1, current: nil, time: 0)
      return RendezvousMessage(kind: kind, asks: asks, sequence: sequence, advert: advert, port: 22866, addresses: [])
    }
  }

  @Test func nobodyIsLostInADay() throws {
    let start = ContinuousClock.now
    var devices = [try Device(1), try Device(2)]
    var pending: [(Int, RendezvousPresence.Event)] = [(0, .arrived), (1, .arrived)]
    var now = start
    while now < start + .seconds(24 * 60 * 60) {
      while !pending.isEmpty {
        let (side, event) = pending.removeFirst()
        for effect in devices[side].presence.handle(event, at: now) {
          switch effect {
          case .advertise(let asks):
            pending.append((1 - side, .heard(devices[side].message(.advert, asks: asks), from: devices[side].name)))
          case .answer:
            pending.append((1 - side, .heard(devices[side].message(.advert, asks: false), from: devices[side].name)))
          case .found: devices[side].found += 1
          case .lost: devices[side].lost += 1
          case .wake(let instant): devices[side].wake = instant
          case .askToDial, .dial, .meet, .foundOutdated, .lostOutdated: Issue.record("nobody asked for that")
          }
        }
      }
      now = try #require(devices.compactMap(\.wake).min())
      for side in devices.indices where devices[side].wake.map({ $0 <= now }) == true { pending.append((side, .wake)) }
    }
    for device in devices {
      #expect(device.lost == 0)
      // One in 4.5 minutes, and the answers at the start.
      #expect((318...323).contains(device.adverts))
      #expect((318...323).contains(device.found))
    }
  }
}
