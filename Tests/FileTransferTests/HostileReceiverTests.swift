// SPDX-License-Identifier: Apache-2.0

import BatonAgent
import Desktop
import Foundation
import TestSupport
import Testing

/// What a receiver cannot do to an origin.
@Suite(.isolated)
struct HostileReceiverTests {
  private let machines: Machines

  init() throws {
    machines = try Machines()
    try machines.write(Machines.random(3_000_000), to: "top/a")
    try machines.write(Data(), to: "top/b")
  }

  private func expect(_ failure: TransferFailure, _ frames: TransferFrame...) throws {
    let outcome = try machines.send(["top"]) { peer in
      try peer.send(.request(version: 1))
      try peer.wait { if case .entriesEnd = $0 { true } else { false } }
      for frame in frames { try peer.send(frame) }
    }
    #expect(throws: TransferStop.failed(failure), "\(frames)") { try outcome.result.get() }
    #expect(outcome.told == .finished(failure), "\(frames)")
  }

  private func hashes(_ count: Int) -> ArraySlice<UInt8> { Array(repeating: 7, count: 32 * count)[...] }

  @Test func framesAboutNothingEndTheTransfer() throws {
    for entry: UInt32 in [3, .max] {
      try expect(.protocolViolation, .present(entry: entry, block: 0, hashes: hashes(1)))
      try expect(.protocolViolation, .omitted(entry: entry, .changed))
    }
    for block: UInt32 in [1, .max, 1 << 27] {
      try expect(.protocolViolation, .present(entry: 1, block: block, hashes: hashes(1)))
    }
    try expect(.protocolViolation, .present(entry: 1, block: 0, hashes: hashes(4)))
    try expect(
      .protocolViolation,
      .present(entry: 1, block: 0, hashes: hashes(2)),
      .present(entry: 1, block: 1, hashes: hashes(1))
    )
    try expect(.protocolViolation, .data(entry: 1, offset: 0, bytes: [1]))
    try expect(.protocolViolation, .request(version: 1))
    try expect(.protocolViolation, .end)
    try expect(.canceled, .received(.max), .present(entry: 2, block: 0, hashes: []), .finished(.canceled))
  }

  @Test func aRequestComesFirst() throws {
    for frame: TransferFrame in [.go, .received(1), .request(version: 0), .end, .data(entry: 0, offset: 0, bytes: [])] {
      let outcome = try machines.send(["top"]) { try $0.send(frame) }
      #expect(throws: TransferStop.failed(.protocolViolation), "\(frame)") { try outcome.result.get() }
    }
  }

  @Test func hashesOfManySmallFramesAreTakenWithoutCopies() throws {
    let path = try machines.write(Data(), to: "sparse")
    #expect(truncate(path, 200 << 30) == 0)
    let one = hashes(1)
    let outcome = try machines.send(["sparse"]) { peer in
      try peer.send(.request(version: 1))
      var bytes: [UInt8] = []
      for block: UInt32 in 0..<200 << 10 {
        TransferFrame.present(entry: 0, block: block, hashes: one).append(to: &bytes)
      }
      TransferFrame.finished(.canceled).append(to: &bytes)
      try peer.send(bytes: bytes)
    }
    #expect(throws: TransferStop.failed(.canceled)) { try outcome.result.get() }
  }

  @Test func aReceiverThatDoesNotReadCanBeStopped() throws {
    let control = TransferControl()
    let outcome = try machines.send(["top"], control) { peer in
      try peer.send(.request(version: 1), .go)
      // The socket's buffer is full long before all of it is sent.
      while control.progress.stage != .moving { usleep(1000) }
      control.stop(.withdrawn)
    }
    #expect(throws: TransferStop.failed(.withdrawn)) { try outcome.result.get() }
  }

  @Test func whatIsRefusedIsNotSentAndCountsOnce() throws {
    let outcome = try machines.send(["top"]) { peer in
      try peer.send(.request(version: 1))
      try peer.wait { if case .entriesEnd = $0 { true } else { false } }
      for _ in 0..<10 { try peer.send(.omitted(entry: 1, .nameNotPossible)) }
      try peer.send(.go)
      let frames = try peer.wait { $0 == .end }
      let data = frames.count { if case .data(1, _, _) = $0 { true } else { false } }
      #expect(data == 0)
      try peer.send(.finished(nil))
    }
    let result = try outcome.result.get()
    #expect(result.omitted == 1)
    #expect(result.omissions.map(\.reason) == [.nameNotPossible])
  }
}
