// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import CLinux
import EventLoop
import Glibc

/// The side of a pseudoterminal that is not the program's. It holds at most about 64 KiB of what is typed.
@Loop
final class PseudoTerminal {
  /// Called with what the program shows.
  var onOutput: (@Loop (ArraySlice<UInt8>) -> Void)?
  /// Called once when the program has closed its side.
  var onEnd: (@Loop () -> Void)?
  /// Called when everything that was typed has been taken.
  var onTaken: (@Loop () -> Void)?

  /// The path of the program's side.
  let path: String
  private let channel: Channel

  init(_ size: TerminalSize) throws(SystemError) {
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemError("/dev/ptmx") }
    let number = clinux_terminal_unlock(descriptor)
    guard number >= 0 else {
      let error = SystemError("ioctl")
      _ = Glibc.close(descriptor)
      throw error
    }
    path = "/dev/pts/\(number)"
    channel = Channel(owning: descriptor, pieceLength: TerminalFrame.payloadLength)
    channel.onBytes = { [weak self] in self?.onOutput?(Array($0)[...]) }
    channel.onEnd = { [weak self] _ in self?.end() }
    channel.onDrained = { [weak self] in self?.onTaken?() }
    set(size)
  }

  /// Whether all that was typed has been taken.
  var isTaken: Bool { channel.waitingCount == 0 }

  /// False makes the program wait.
  var isReading: Bool {
    get { channel.isReading }
    set { channel.isReading = newValue }
  }

  /// The kernel tells the program.
  func set(_ size: TerminalSize) { TerminalDescriptor.set(size, of: channel.descriptor) }

  func type(_ bytes: ArraySlice<UInt8>) { channel.write(bytes) }

  /// The program gets SIGHUP.
  func close() {
    (onOutput, onEnd, onTaken) = (nil, nil, nil)
    channel.close()
  }

  private func end() {
    let handler = onEnd
    onEnd = nil
    handler?()
  }
}

/// What terminals can be asked and told.
enum TerminalDescriptor {
  static func set(_ size: TerminalSize, of descriptor: Int32) {
    _ = clinux_terminal_resize(descriptor, size.columns, size.rows)
  }

  static func size(of descriptor: Int32) -> TerminalSize {
    var (columns, rows): (UInt16, UInt16) = (0, 0)
    guard clinux_terminal_size(descriptor, &columns, &rows) == 0 else { return .usual }
    return TerminalSize(columns: Int(columns), rows: Int(rows))
  }
}
