// SPDX-License-Identifier: Apache-2.0

import Baton

/// Both directions of a stream: sends a number of bytes, and at the same time reads what the other side sends, to its
/// end.
final class Exchange: NSObject, StreamDelegate {
  private let input: InputStream
  private var output: OutputStream?
  private let length: Int
  /// Whether the output is closed after the last byte, and not only released.
  private let closes: Bool
  private var sent = 0
  private var received = 0
  private var errors = 0
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
  private(set) var isReceived = false

  init(_ input: InputStream, _ output: OutputStream, _ length: Int, closes: Bool = true) {
    self.closes = closes
    self.input = input
    self.output = output
    self.length = length
  }

  private weak var released: OutputStream?

  /// Whether nobody has the output any more.
  var isReleased: Bool { released == nil }

  var isSent: Bool { sent == length }

  var isWhole: Bool { isSent && isReceived && received == length && errors == 0 }

  func open() {
    input.open()
    output?.open()
  }

  /// Writes once, and closes the stream after the last byte.
  ///
  /// - Returns: Whether there is more to write.
  func write() -> Bool {
    let start = sent % Payload.period
    let count = min(Payload.period - start, length - sent)
    let written = Payload.bytes[start..<start + count].withUnsafeBufferPointer { bytes in
      bytes.baseAddress.flatMap { output?.write($0, maxLength: count) } ?? 0
    }
    guard written > 0 else {
      if let output { fail(output) }
      return false
    }
    sent += written
    if isSent, closes { output?.close() }
    if isSent, !closes { (released, output) = (output, nil) }
    return !isSent
  }

  /// Reads once.
  ///
  /// - Returns: Whether there may be more.
  func read() -> Bool {
    let count = input.read(&buffer, maxLength: buffer.count)
    guard count > 0 else {
      count == 0 ? isReceived = true : fail(input)
      return false
    }
    errors += Payload.errors(buffer[..<count], at: received)
    received += count
    return true
  }

  private func fail(_ stream: Stream) {
    Report.write("The stream broke: \(stream.streamError?.localizedDescription ?? "no error")")
  }

  // MARK: Events of a run loop

  func schedule(in runLoop: RunLoop) {
    for stream in [input, output].compactMap({ $0 as Stream? }) {
      stream.delegate = self
      stream.schedule(in: runLoop, forMode: .default)
      stream.open()
    }
  }

  /// Called when the exchange is over, if it is driven by events.
  var onEnd: (() -> Void)?

  func stream(_ stream: Stream, handle event: Stream.Event) {
    switch event {
    case .hasSpaceAvailable: if !isSent { _ = write() }
    case .hasBytesAvailable: _ = read()
    case .endEncountered: isReceived = true
    case .errorOccurred:
      fail(stream)
      onEnd?()
    default: break
    }
    if isSent, isReceived { onEnd?() }
  }
}
