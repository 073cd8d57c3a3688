// SPDX-License-Identifier: Apache-2.0

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

  private let channel: Channel
  private var usual: termios?
  private var wasFull = false

  private static let bufferLength = 64 * 1024
  private static let pieceLength = 4096

  /// Opens the terminal of this process. It gets its own descriptor, because others use the standard ones, which must
  /// stay blocking.
  package init() throws(SystemError) {
    let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemError("/dev/tty") }
    channel = Channel(owning: descriptor, pieceLength: Self.pieceLength)
    channel.onBytes = { [weak self] in self?.onInput?(Array($0)[...]) }
    channel.onEnd = { [weak self] _ in self?.end() }
    channel.onDrained = { [weak self] in self?.drained() }
  }

  var size: TerminalSize { TerminalDescriptor.size(of: channel.descriptor) }

  /// What the user types is not interpreted, and comes to ``onInput``.
  var isRaw: Bool {
    get { usual != nil }
    set { newValue ? makeRaw() : restore() }
  }

  /// Whether nothing more should be shown until ``onSpace``.
  var isFull: Bool { channel.waitingCount >= Self.bufferLength }

  /// False leaves what the user types with the kernel.
  var isReading: Bool {
    get { channel.isReading }
    set { channel.isReading = newValue }
  }

  func show(_ bytes: some Sequence<UInt8>) {
    channel.write(Array(bytes))
    if isFull { wasFull = true }
  }

  /// Shows everything that waits, for at most a second, and restores the terminal.
  func close() {
    flush()
    restore()
    (onInput, onEnd, onSpace) = (nil, nil, nil)
    channel.close()
  }

  /// Waits until what was shown so far is on its way, for at most a second.
  func flush() {
    let deadline = ContinuousClock.now + .seconds(1)
    channel.flush()
    while channel.waitingCount > 0, ContinuousClock.now < deadline {
      var item = pollfd(fd: channel.descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&item, 1, 100)
      channel.flush()
    }
  }

  private func makeRaw() {
    var mode = termios()
    guard usual == nil, tcgetattr(channel.descriptor, &mode) == 0 else { return }
    usual = mode
    cfmakeraw(&mode)
    tcsetattr(channel.descriptor, TCSADRAIN, &mode)
    channel.isReading = true
  }

  private func restore() {
    channel.isReading = false
    guard var usual else { return }
    tcsetattr(channel.descriptor, TCSADRAIN, &usual)
    self.usual = nil
  }

  private func drained() {
    guard wasFull else { return }
    wasFull = false
    onSpace?()
  }

  private func end() {
    let handler = onEnd
    onEnd = nil
    handler?()
  }
}
