// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

@testable import TLS

/// A revocation list in DER, both as it is and with a signature of the team's, which gets it past the first check.
enum RevocationFuzzer: Fuzzer {
  static var seeds: [[UInt8]] { FuzzTeam.lists.suffix(3).flatMap { [[0] + $0.list.der, [1] + $0.list.der] } }

  static let length = 4096

  static func run(_ input: [UInt8]) throws {
    guard let kind = input.first else { return }
    let isSignedAnew = kind & 1 == 1
    let der = isSignedAnew ? signed(Array(input.dropFirst())) : Array(input.dropFirst())
    guard let der, let list = try? RevocationList(der: der, authority: FuzzTeam.authority.certificate) else { return }
    hold(list.number > 0, "A list without a number")
    hold(list.entries.allSatisfy { list.names($0.device) }, "A device of an entry is not named")
    hold(list.entries.allSatisfy { $0.serial.first != 0 }, "A zero in front of a serial number")
    hold(list.entries.count <= der.count / DeviceID.byteCount, "\(list.entries.count) entries of \(der.count) bytes")
    same(try RevocationList(der: list.der, authority: FuzzTeam.authority.certificate), list)
    if !isSignedAnew {
      hold(FuzzTeam.lists.contains { $0.list.entries == list.entries }, "What nobody has signed was taken")
    }
    var lists = RevocationLists(list, discoveryKey: [])
    for held in FuzzTeam.lists { lists.insert(held) }
    hold(list.entries.allSatisfy { lists.names($0.device) }, "A device came back")
  }

  private static func signed(_ der: [UInt8]) -> [UInt8]? {
    OpenSSL.start()
    ERR_clear_error()
    let parsed = der.withUnsafeBufferPointer { bytes in
      var position = bytes.baseAddress
      return d2i_X509_CRL(nil, &position, bytes.count)
    }
    guard let list = parsed else { return nil }
    defer { X509_CRL_free(list) }
    guard X509_CRL_sign(list, FuzzTeam.authority.key.pointer, nil) > 0 else { return nil }
    return OpenSSLCoding.der { i2d_X509_CRL(list, $0) }
  }
}
