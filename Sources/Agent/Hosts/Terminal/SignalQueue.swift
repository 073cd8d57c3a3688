// SPDX-License-Identifier: Apache-2.0

import CLinux
import EventLoop
import Glibc

/// Signals that the loop handles instead of the kernel.
@Loop
final class SignalQueue {
  private let readiness: Readiness

  /// - Parameters:
  ///   - numbers: Signals that every thread has blocked (`Signals.hold`).
  init(_ numbers: [Int32], _ handler: @escaping @Loop (Int32) -> Void) throws(SystemError) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    let descriptor = withUnsafeBytes(of: &set) { bytes in bytes.baseAddress.map(Descriptor.ofSignals) ?? -1 }
    guard descriptor >= 0 else { throw SystemError("signalfd") }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    readiness = Readiness(owning: descriptor)
    readiness.onReadable = { [unowned readiness] in
      // signalfd(2): 128 bytes for each signal, whose number comes first.
      let number = withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { buffer -> Int32? in
        guard read(readiness.descriptor, buffer.baseAddress, buffer.count) == buffer.count else { return nil }
        return Int32(bitPattern: buffer.load(as: UInt32.self))
      }
      if let number { handler(number) }
    }
    readiness.isReading = true
  }
}
