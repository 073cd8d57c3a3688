import ActivityTypes
import EventLoop
import Glibc

/// The terminal of this process while another machine's session is shown in it.
@Loop
package final class RawTerminal {
  /// Called with what the user types.
  var onInput: (@Loop (ArraySlice<UInt8>) -> Void)?
  /// Called once when the terminal is gone.
  var onEnd: (@Loop () -> Void)?
  /// Called when more can be shown after ``isFull`` was true.
  var onSpace: (@Loop () -> Void)?

  private let readiness: Readiness
  private var usual: termios?
  private var shown = UnwrittenBytes()
  private var wasFull = false
  private var buffer = [UInt8](repeating: 0, count: 4096)

  private static let bufferLength = 64 * 1024

  /// Opens the terminal of this process. It gets its own descriptor, because others use the standard ones, which must
  /// stay blocking.
  package init() throws(SystemError) {
    let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemError("/dev/tty") }
    readiness = Readiness(owning: descriptor)
    readiness.onReadable = { [weak self] in self?.readable() }
    readiness.onWritable = { [weak self] in self?.writable() }
  }

  var size: TerminalSize { TerminalDescriptor.size(of: readiness.descriptor) }

  /// What the user types is not interpreted, and comes to ``onInput``.
  var isRaw: Bool {
    get { usual != nil }
    set { newValue ? makeRaw() : restore() }
  }

  /// Whether nothing more should be shown until ``onSpace``.
  var isFull: Bool { shown.count >= Self.bufferLength }

  /// False leaves what the user types with the kernel.
  var isReading: Bool {
    get { readiness.isReading }
    set { readiness.isReading = newValue }
  }

  func show(_ bytes: some Sequence<UInt8>) {
    shown.append(bytes)
    if isFull { wasFull = true }
    writable()
  }

  /// Shows everything that waits, for at most a second, and restores the terminal.
  func close() {
    flush()
    restore()
    (onInput, onEnd, onSpace) = (nil, nil, nil)
    readiness.close()
  }

  /// Waits until what was shown so far is on its way, for at most a second.
  func flush() {
    let deadline = ContinuousClock.now + .seconds(1)
    writable()
    while !shown.isEmpty, ContinuousClock.now < deadline {
      var item = pollfd(fd: readiness.descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&item, 1, 100)
      writable()
    }
  }

  private func makeRaw() {
    var mode = termios()
    guard usual == nil, tcgetattr(readiness.descriptor, &mode) == 0 else { return }
    usual = mode
    cfmakeraw(&mode)
    tcsetattr(readiness.descriptor, TCSADRAIN, &mode)
    readiness.isReading = true
  }

  private func restore() {
    readiness.isReading = false
    guard var usual else { return }
    tcsetattr(readiness.descriptor, TCSADRAIN, &usual)
    self.usual = nil
  }

  private func writable() {
    guard !readiness.isClosed else { return }
    readiness.isWriting = !shown.write { write(readiness.descriptor, $0.baseAddress, $0.count) }
    guard wasFull, shown.isEmpty else { return }
    wasFull = false
    onSpace?()
  }

  private func readable() {
    let count = read(readiness.descriptor, &buffer, buffer.count)
    if count > 0 { return onInput?(buffer[..<count]) ?? () }
    guard count == 0 || (errno != EAGAIN && errno != EINTR) else { return }
    readiness.isReading = false
    let handler = onEnd
    onEnd = nil
    handler?()
  }
}
