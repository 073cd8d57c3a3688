// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// What OpenSSL reads and writes: PEM through a memory BIO, and DER.
enum OpenSSLCoding {
  /// Returns what `write` writes; nil if it does not return 1.
  static func text(_ write: (OpaquePointer) -> Int32) -> String? {
    OpenSSL.start()
    guard let bio = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(bio) }
    guard write(bio) == 1 else { return nil }
    var data: UnsafePointer<UInt8>?
    let length = baton_BIO_get_mem_data(bio, &data)
    return String(decoding: UnsafeBufferPointer(start: data, count: max(0, length)), as: UTF8.self)
  }

  /// Returns what `read` makes of `text`. The BIO does not copy the bytes and does not outlive them.
  static func parse<T>(_ text: String, _ read: (OpaquePointer) -> T?) -> T? {
    OpenSSL.start()
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { bytes -> T? in
      guard let length = Int32(exactly: bytes.count), let bio = BIO_new_mem_buf(bytes.baseAddress, length) else {
        return nil
      }
      defer { BIO_free(bio) }
      return read(bio)
    }
  }

  /// Returns the DER that an `i2d_` function writes; nil if it fails.
  static func der(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
    let length = write(nil)
    guard length > 0 else { return nil }
    var output = [UInt8](repeating: 0, count: Int(length))
    let written = output.withUnsafeMutableBufferPointer { buffer in
      var position = buffer.baseAddress
      return write(&position)
    }
    return written == length ? output : nil
  }
}
