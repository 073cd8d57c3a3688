// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// Conversions between values of ASN.1 and ours.
enum ASN1 {
  /// Returns seconds since 1970; nil if it is not a time.
  static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
    defer { ASN1_STRING_free(epoch) }
    guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
    return Int64(days) * 86400 + Int64(seconds)  // Checked: both have 32 bits.
  }

  /// Returns the absolute value of an integer: big-endian, without leading zeros.
  static func bytes(ofInteger integer: UnsafePointer<ASN1_INTEGER>?) -> [UInt8]? {
    guard let integer, let number = ASN1_INTEGER_to_BN(integer, nil) else { return nil }
    defer { BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(number)) + 7) / 8)  // Checked: it is of 32 bits.
    guard BN_bn2bin(number, &bytes) == bytes.count else { return nil }
    return bytes
  }

  /// Gives `body` an integer with these bytes, which are big-endian. The result is nil if there is no memory.
  static func withInteger<T>(_ bytes: [UInt8], _ body: (UnsafeMutablePointer<ASN1_INTEGER>) -> T) -> T? {
    guard let number = BN_bin2bn(bytes, Int32(bytes.count), nil) else { return nil }
    defer { BN_free(number) }
    guard let integer = BN_to_ASN1_INTEGER(number, nil) else { return nil }
    defer { ASN1_STRING_free(integer) }
    return body(integer)
  }

  /// Gives `body` a time, in seconds since 1970. The result is nil if there is no memory.
  static func withTime<T>(_ seconds: Int64, _ body: (UnsafeMutablePointer<ASN1_TIME>) -> T) -> T? {
    guard let time = ASN1_TIME_set(nil, Int(seconds)) else { return nil }
    defer { ASN1_STRING_free(time) }
    return body(time)
  }
}
