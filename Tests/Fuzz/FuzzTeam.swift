// SPDX-License-Identifier: Apache-2.0

import Activity
import Glibc
import Teams

@testable import TLS

/// A team whose keys are the same in each run. It is the one that tests of earlier layouts use.
enum FuzzTeam {
  private static let directory =
    "Tests/State/layout-1/administrator/teams/77199a8667e935461cbb192db453633fd63854eaabc31d430cdacfa7d24ac61e"

  /// - Parameter name: The name of one of the team's files.
  static func text(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }

  static func bytes(_ name: String) -> [UInt8] {
    let path = "\(directory)/\(name)"
    guard let file = fopen(path, "r") else { fatalError("\(path) is not there: run it in the top directory") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  // Each is read once. That is safe because libFuzzer runs one input after the other, on one thread.
  static let authority = must {
    try Authority(key: PrivateKey(pem: text("ca.key")), certificate: Certificate(pem: text("ca.pem")))
  }

  static let device = must { try Certificate(pem: text("device.pem")) }

  static let credentials = must {
    try Credentials(
      key: PrivateKey(pem: text("device.key")),
      certificate: device,
      authority: authority.certificate,
      discoveryKey: [UInt8](repeating: 7, count: Sealer.keyLength)
    )
  }

  /// Lists that lack what others contain, each with the key that belongs to it.
  static let lists: [RevocationLists.Held] = must {
    try (1...8).map { number in
      let entries = (0..<4).filter { number & (1 << $0) != 0 }.map {
        RevocationList.Entry(device: Names.device(UInt8($0)), serial: [1, UInt8($0)], date: 1_800_000_000)
      }
      let key = [UInt8](repeating: UInt8(number), count: Sealer.keyLength)
      let list = try authority.sign(entries, number: UInt64(number / 2 + 1), discoveryKey: key, now: 1_800_000_000)
      return RevocationLists.Held(list, discoveryKey: key)
    }
  }

  private static func must<T>(_ make: () throws -> T) -> T {
    do { return try make() } catch { fatalError("\(error)") }
  }
}
