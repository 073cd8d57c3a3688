// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TLS

@Suite struct ScryptTests {
  /// Computed with Python: `hashlib.scrypt(b"correct horse battery", salt=b"0123456789abcdef", n=65536, r=8, p=1,
  /// dklen=16)`.
  @Test func theKeyIsTheOneOfRFC7914() throws {
    let key = try Scrypt.key(from: "correct horse battery", salt: Array("0123456789abcdef".utf8), length: 16)
    #expect(
      key == [
        0x56, 0xA2, 0x4B, 0x50, 0x68, 0xCB, 0x14, 0xCA,
        0xD0, 0x27, 0x2E, 0x00, 0x24, 0x47, 0xA0, 0xF1,
      ]
    )
  }
}
