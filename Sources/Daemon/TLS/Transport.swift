// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// What a session's OpenSSL reads from and writes to, instead of a socket: a BIO over two queues.
///
/// OpenSSL's own memory BIO would work, but it moves its remaining bytes at each write, and cannot be filled in place.
final class Transport {
  /// Ciphertext that has arrived and has not been read yet.
  var input = ByteQueue()
  /// Ciphertext to be sent.
  var output = ByteQueue()

  /// Makes a `BIO`, which the caller owns. It borrows this object, which must outlive it.
  func makeBIO() throws(TLSError) -> OpaquePointer {
    guard let bio = BIO_new(TransportMethod.shared.pointer) else { throw .fromOpenSSL(doing: "Creating a transport") }
    BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
    BIO_set_init(bio, 1)
    return bio
  }

  static func at(_ bio: OpaquePointer?) -> Transport? {
    BIO_get_data(bio).map { Unmanaged<Transport>.fromOpaque($0).takeUnretainedValue() }
  }

  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer, for bio: OpaquePointer?) -> Int {
    BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
    guard input.count > 0 else {
      BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
      return 0
    }
    return input.take(into: buffer)
  }
}

/// The `BIO_METHOD` of ``Transport``. It is unchecked because it is written once, when it is made, and then only read.
private struct TransportMethod: @unchecked Sendable {
  static let shared = TransportMethod()

  let pointer: OpaquePointer?

  init() {
    OpenSSL.start()
    pointer = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "queues")
    BIO_meth_set_write_ex(pointer) { bio, bytes, length, written in
      guard let transport = Transport.at(bio) else { return 0 }
      transport.output.append(UnsafeRawBufferPointer(start: bytes, count: length))
      written?.pointee = length
      return 1
    }
    BIO_meth_set_read_ex(pointer) { bio, bytes, length, read in
      let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: length)
      let count = Transport.at(bio)?.read(into: buffer, for: bio) ?? 0
      read?.pointee = count
      return count > 0 ? 1 : 0
    }
    BIO_meth_set_ctrl(pointer) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
  }
}
