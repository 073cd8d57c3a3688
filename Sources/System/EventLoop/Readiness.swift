// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Owns one descriptor and reports when it can be read and written.
@Loop
package final class Readiness {
  package let descriptor: Int32
  /// Called on the loop if reading is on and the descriptor is readable, at its end, or broken.
  package var onReadable: (@Loop () -> Void)?
  /// Called on the loop if writing is on and the descriptor can take bytes, or never will.
  package var onWritable: (@Loop () -> Void)?

  /// Called on the loop, once, if the other side has hung up or the descriptor is broken while neither reading nor
  /// writing is on. It is nil afterwards. Of a socket, that is so when both directions are over.
  package var onHangUp: (@Loop () -> Void)? {
    didSet { if !isClosed { change(to: interest) } }
  }

  private var number: UInt64 = 0
  private var interest: UInt32 = 0
  /// What the kernel tells.
  private var registered: UInt32 = 0
  private let trigger: UInt32
  package private(set) var isClosed = false

  private static let input = EPOLLIN.rawValue
  private static let output = EPOLLOUT.rawValue
  private static let hangUp = EPOLLHUP.rawValue
  private static let either = EPOLLHUP.rawValue | EPOLLERR.rawValue

  /// - Parameters:
  ///   - descriptor: Non-blocking. This object closes it, in ``close()`` or when it is released.
  ///   - tellsChanges: If true, handlers are called for the initial state, and then each time the kernel sees new
  ///     bytes, new space or the end. Otherwise, they are called for as long as any of these is there.
  package init(owning descriptor: Int32, tellsChanges: Bool = false) {
    self.descriptor = descriptor
    trigger = tellsChanges ? EPOLLET.rawValue : 0
    number = Poller.shared.add(self)
  }

  isolated deinit { close() }

  package var isReading: Bool {
    get { interest & Self.input != 0 }
    set { set(Self.input, newValue) }
  }

  package var isWriting: Bool {
    get { interest & Self.output != 0 }
    set { set(Self.output, newValue) }
  }

  /// Closes the descriptor; can be called more than once. No handler runs after this.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    onReadable = nil
    onWritable = nil
    onHangUp = nil
    change(to: 0)
    Poller.shared.remove(number)
    _ = Glibc.close(descriptor)
  }

  private func set(_ flag: UInt32, _ isOn: Bool) {
    guard !isClosed else { return }
    change(to: isOn ? interest | flag : interest & ~flag)
  }

  private func change(to new: UInt32) {
    interest = new
    // The kernel tells the end of whatever is registered. Without a direction, it tells nothing else.
    let mask = new != 0 ? new | trigger : onHangUp != nil ? Self.hangUp | trigger : 0
    Poller.shared.watch(descriptor, number, from: registered, to: mask)
    registered = mask
  }

  /// Handles the kernel's events for the descriptor. Each handler may turn off either direction, or close.
  func handle(_ events: UInt32) {
    if events & Self.either != 0, interest == 0, let handler = onHangUp {
      // Otherwise it would be told again and again.
      onHangUp = nil
      return handler()
    }
    if events & (Self.input | Self.either) != 0, isReading { onReadable?() }
    if events & (Self.output | Self.either) != 0, isWriting { onWritable?() }
  }
}
