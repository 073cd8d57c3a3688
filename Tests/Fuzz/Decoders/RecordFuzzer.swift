// SPDX-License-Identifier: Apache-2.0

import Activity

@testable import TLS

/// What arrives after a handshake from a peer that has the keys, and from anybody else: records of any content, and
/// bytes that are none.
enum RecordFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 4, 1, 2, 3, 23], [0, 6, 24, 0, 0, 1, 1, 22, 0, 2, 9, 23], [0, 3, 1, 0, 21], [1, 7, 23, 3, 3, 0, 2, 2, 40],
    [0, 6, 4, 0, 0, 1, 1, 22],
  ]

  private static let secret = [UInt8](repeating: 7, count: 32)

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    let isServer = choices.flag()
    let layer = try RecordLayer(
      .aes128GCM,
      secrets: (secret, secret),
      isServer: isServer,
      application: .peer,
      recordsPerKey: 2
    )
    let peer = try RecordCipher(.aes128GCM, secret: secret, isSending: true)
    var arrived = ByteQueue()
    var output = ByteQueue()
    var space = [UInt8](repeating: 0, count: RecordLayer.bodyLength)
    var isOver = false
    while !choices.isOver {
      let isRecord = choices.flag()
      var bytes = choices.bytes()
      // The peer's key changes with what it says.
      let renews = isRecord && bytes.last == 22 && bytes.starts(with: [24, 0, 0, 1])
      if isRecord { bytes = try record(peer, bytes) }
      bytes.withUnsafeBytes { arrived.append($0) }
      let available = arrived.count
      let room = choices.flag() ? space.count : choices.number(below: 64) + 1
      let beyond = room..<min(room + 64, space.count)
      for index in beyond { space[index] = 0xA5 }
      reading: while true {
        switch space.withUnsafeMutableBytes({
          layer.read(from: &arrived, into: UnsafeMutableRawBufferPointer(rebasing: $0.prefix(room)), &output)
        }) {
        case .data(let count): hold(!isOver && (1...room).contains(count), "\(count) bytes in \(room)")
        case .incomplete, .full, .ended: break reading
        case .failed:
          isOver = true
          break reading
        }
      }
      hold(space[beyond].allSatisfy { $0 == 0xA5 }, "Something was written beyond \(room) bytes")
      if isOver { return }
      hold(arrived.count <= available, "More waits than has arrived")
      hold(output.count <= 64 * 1024, "\(output.count) bytes wait to be sent")
      if renews { try peer.renew() }
    }
  }

  private static func record(_ cipher: RecordCipher, _ content: [UInt8]) throws -> [UInt8] {
    var record = [UInt8](repeating: 0, count: content.count + RecordCipher.overhead)
    try record.withUnsafeMutableBytes { record in
      guard let start = record.baseAddress else { return }
      try content.dropLast().withUnsafeBytes { try cipher.seal($0, content.last ?? 0, into: start) }
    }
    return Array(record.dropLast(content.isEmpty ? 0 : 1))
  }
}
