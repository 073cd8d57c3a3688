import ActivityTypes
import EventLoop
import Glibc
import JSONCoding

/// The connection to the browser: standard input and output.
@Loop
final class NativePort {
  private let input: Readiness
  private let output: Readiness
  private var decoder = NativeMessageDecoder()
  private var unwritten = UnwrittenBytes()
  private let onMessage: @Loop (JSON) -> Void
  private let onEnd: @Loop (String?) -> Void

  private static let readLength = 64 * 1024

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
    self.input = Readiness(owning: input)
    self.output = Readiness(owning: output)
    self.onMessage = onMessage
    self.onEnd = onEnd
    self.input.onReadable = { [weak self] in self?.readable() }
    self.output.onWritable = { [weak self] in self?.writable() }
    self.input.isReading = true
  }

  /// - Returns: Whether the message is short enough for the browser.
  @discardableResult
  func send(_ message: JSON) -> Bool {
    guard let bytes = message.nativeMessage else { return false }
    guard !output.isClosed else { return true }
    unwritten.append(bytes)
    if unwritten.count > BrowserLimits.queueLength { end("The browser does not read") } else { writable() }
    return true
  }

  private func readable() {
    let count = withUnsafeTemporaryAllocation(byteCount: Self.readLength, alignment: 1) { buffer in
      let count = read(input.descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { decoder.receive(buffer[..<count]) }
      return count
    }
    guard count > 0 else {
      if count == 0 || (errno != EAGAIN && errno != EINTR) { end(nil) }
      return
    }
    do throws(NativeMessageDecoder.Failure) {
      while !input.isClosed, let message = try decoder.next() { onMessage(message) }
    } catch {
      end("The browser sent an invalid message: \(error)")
    }
  }

  private func writable() {
    output.isWriting = !unwritten.write { write(output.descriptor, $0.baseAddress, $0.count) }
  }

  private func end(_ fault: String?) {
    guard !input.isClosed else { return }
    input.close()
    output.close()
    unwritten = UnwrittenBytes()
    onEnd(fault)
  }
}
