// SPDX-License-Identifier: Apache-2.0

import Activity
import Glibc

/// The server name (SNI) with which a client says which team it wants. Only that team can read it (Protocol.md section
/// 3). It authenticates nobody.
package enum ServerName {
  static let nonceLength = 8
  static let codeLength = 16
  /// 28 bytes in base 32.
  static let length = 45

  /// - Parameters:
  ///   - nonce: 8 random bytes.
  ///   - time: Seconds since 1970.
  ///   - device: The only device where the name is valid; nil for any device of the team.
  package static func make(
    nonce: [UInt8] = SystemRandom.bytes(nonceLength),
    time: Int64 = now,
    for device: DeviceID? = nil,
    key: [UInt8]
  ) -> String {
    let body = nonce + MaskedTime.seal(time, nonce: nonce, key: key)
    return Base32.encode(body + code(of: body, for: device, key: key)).lowercased()
  }

  /// What a name says.
  struct Opened: Equatable {
    let nonce: [UInt8]
    /// When it was made, in seconds since 1970.
    let time: Int64
  }

  /// - Parameter device: The device that reads the name.
  /// - Returns: Nil if `name` was not made with `key`, or was made for another device.
  static func open(_ name: String, as device: DeviceID? = nil, key: [UInt8]) -> Opened? {
    guard name.utf8.count == length, let bytes = Base32.decode(name),
      bytes.count == nonceLength + MaskedTime.length + codeLength
    else { return nil }
    let body = Array(bytes.prefix(nonceLength + MaskedTime.length))
    let code = Array(bytes.suffix(codeLength))
    guard [device, nil].contains(where: { equalInConstantTime(code, self.code(of: body, for: $0, key: key)) }) else {
      return nil
    }
    let nonce = Array(body.prefix(nonceLength))
    let time = MaskedTime.open(body.dropFirst(nonceLength), nonce: nonce, key: key)
    return Opened(nonce: nonce, time: time)
  }

  /// What this machine's clock shows, in seconds since 1970.
  package static var now: Int64 { Int64(Glibc.time(nil)) }

  private static func code(of body: [UInt8], for device: DeviceID?, key: [UInt8]) -> [UInt8] {
    let device = device?.bytes ?? [UInt8](repeating: 0, count: DeviceID.byteCount)
    return Array(HMACSHA256.authenticate(body + device, key: key).prefix(codeLength))
  }
}
