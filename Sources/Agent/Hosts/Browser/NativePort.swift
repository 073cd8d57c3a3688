// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import EventLoop
import Glibc
import JSONCoding

/// The connection to the browser: standard input and output.
@Loop
final class NativePort {
  private let input: Channel
  private let output: Channel
  private var decoder = NativeMessageDecoder()
  private let onMessage: @Loop (JSON) -> Void
  private let onEnd: @Loop (String?) -> Void

  /// - Parameters:
  ///   - input: This object makes both descriptors non-blocking, and closes them.
  ///   - onEnd: Called once. Its argument says what is wrong with the browser's messages; nil if it has just gone away.
  init(
    input: Int32,
    output: Int32,
    onMessage: @escaping @Loop (JSON) -> Void,
    onEnd: @escaping @Loop (String?) -> Void
  ) {
    for descriptor in [input, output] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    self.input = Channel(owning: input)
    self.output = Channel(owning: output)
    self.onMessage = onMessage
    self.onEnd = onEnd
    self.input.onBytes = { [weak self] in self?.received($0) }
    self.input.onEnd = { [weak self] _ in self?.end(nil) }
    self.input.isReading = true
  }

  /// - Returns: Whether the message is short enough for the browser.
  @discardableResult
  func send(_ message: JSON) -> Bool {
    guard let bytes = message.nativeMessage else { return false }
    output.write(bytes)
    if output.waitingCount > BrowserLimits.queueLength { end("The browser isn't reading") }
    return true
  }

  /// Ends the connection. Then the browser says that the host has gone.
  func close() { end(nil) }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    decoder.receive(bytes)
    do throws(NativeMessageDecoder.Failure) {
      while !input.isClosed, let message = try decoder.next() { onMessage(message) }
    } catch {
      end("The browser sent an invalid message: \(error)")
    }
  }

  private func end(_ fault: String?) {
    guard !input.isClosed else { return }
    input.close()
    output.close()
    onEnd(fault)
  }
}
