// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import TestSupport
import Testing

@testable import BatonCommand

/// What people are told while they wait for a transfer.
@Suite struct ProgressTextTests {
  private func state(_ state: Transfer.State, _ received: Int = 0) throws -> ControlTransfer {
    var transfer = Transfer(
      id: ActivityID(bytes: [UInt8](repeating: 1, count: 16)) ?? .random(),
      .sending,
      deviceID: try #require(DeviceID(bytes: [UInt8](repeating: 2, count: 32))),
      device: "desktop",
      team: nil,
      title: "notes.txt (1 kB)",
      state: state,
      begun: 1
    )
    transfer.size = 1_000_000
    var control = ControlTransfer(transfer)
    control.received = received
    return control
  }

  @Test func whatIsWaitedForIsTrue() throws {
    let now = ContinuousClock.now
    var there = ProgressText(isThere: true)
    #expect(there.line(try state(.waiting), at: now) == "Waiting for desktop to accept notes.txt (1 kB)")
    var away = ProgressText(isThere: false)
    #expect(
      away.line(try state(.waiting), at: now) == "Waiting for desktop to come online and accept notes.txt (1 kB)"
    )
    // It has accepted.
    for first in [there, away] {
      var text = first
      _ = text.line(try state(.running, 5), at: now)
      #expect(text.line(try state(.waiting, 5), at: now) == "Waiting for desktop: the connection was lost")
    }
  }

  @Test func aPulledCableIsNoSlowNetwork() throws {
    let now = ContinuousClock.now
    var text = ProgressText(isThere: true)
    for second in 0...3 { _ = text.line(try state(.running, 100_000 * second), at: now + .seconds(second)) }
    #expect(text.line(try state(.running, 300_000), at: now + .seconds(4))?.contains("/s") == true)
    for second in 9...60 {
      let line = try #require(text.line(try state(.running, 300_000), at: now + .seconds(second)))
      #expect(!line.contains("/s") && !line.contains("left") && line.hasSuffix("desktop isn't responding"), "\(line)")
    }
    #expect(text.line(try state(.running, 400_000), at: now + .seconds(61))?.contains("100.0 kB/s") == true)
  }
}
