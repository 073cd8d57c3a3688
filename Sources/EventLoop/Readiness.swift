import CLinux
import Glibc

/// Owns one descriptor and says when it can be read and written.
@Loop
package final class Readiness {
  package let descriptor: Int32
  /// Called on the loop while reading is on and the descriptor is readable, at its end, or broken.
  package var onReadable: (@Loop () -> Void)?
  /// Called on the loop while writing is on and the descriptor can take bytes, or never will.
  package var onWritable: (@Loop () -> Void)?

  private var number: UInt64 = 0
  private var interest: UInt32 = 0
  private let trigger: UInt32
  package private(set) var isClosed = false

  private static let input = EPOLLIN.rawValue
  private static let output = EPOLLOUT.rawValue
  private static let either = EPOLLHUP.rawValue | EPOLLERR.rawValue

  /// - Parameters:
  ///   - descriptor: Non-blocking; closed by this object, in ``close()`` or when it goes.
  ///   - tellsChanges: Whether handlers are called for what is there at first, and then each time that the kernel sees
  ///     bytes, space or an end come; otherwise as long as they are there.
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

  /// No handler runs after this. May be called more than once.
  package func close() {
    guard !isClosed else { return }
    change(to: 0)
    isClosed = true
    onReadable = nil
    onWritable = nil
    Poller.shared.remove(number)
    _ = Glibc.close(descriptor)
  }

  private func set(_ flag: UInt32, _ isOn: Bool) {
    guard !isClosed else { return }
    change(to: isOn ? interest | flag : interest & ~flag)
  }

  private func change(to new: UInt32) {
    Poller.shared.watch(descriptor, number, from: interest, to: new == 0 ? 0 : new | trigger)
    interest = new == 0 ? 0 : new | trigger
  }

  /// What the kernel says of the descriptor. Each handler may turn either direction off, or close.
  func handle(_ events: UInt32) {
    if events & (Self.input | Self.either) != 0, isReading { onReadable?() }
    if events & (Self.output | Self.either) != 0, isWriting { onWritable?() }
  }
}
