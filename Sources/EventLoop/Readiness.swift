import Dispatch
import Glibc

/// Owns one descriptor and says when it can be read and written.
///
/// Each Dispatch source is made once and then suspended and resumed (libdispatch#833), and the descriptor is closed in
/// the cancel handlers, when libdispatch has let go of it.
@Loop
package final class Readiness {
  package let descriptor: Int32
  /// Called on the loop while reading is on and the descriptor is readable, or at its end.
  package var onReadable: (@Loop () -> Void)?
  /// Called on the loop while writing is on and the descriptor can take bytes.
  package var onWritable: (@Loop () -> Void)?

  private var reading: Source
  private var writing: Source
  package private(set) var isClosed = false
  private var isHungUp = false
  private var willReadAgain = false

  /// - Parameter descriptor: Non-blocking; closed by this object, in ``close()`` or when it goes.
  package init(owning descriptor: Int32) {
    self.descriptor = descriptor
    let closer = Closer(descriptor: descriptor)
    reading = Source(DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Loop.queue), closer)
    writing = Source(DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: Loop.queue), closer)
    reading.source.setEventHandler { [weak self] in self?.readable() }
    writing.source.setEventHandler { [weak self] in
      guard let self, !self.isClosed, self.writing.isOn else { return }
      self.onWritable?()
    }
  }

  isolated deinit { close() }

  package var isReading: Bool {
    get { reading.isOn }
    set {
      guard !isClosed, newValue != reading.isOn else { return }
      reading.set(newValue)
      if newValue, isHungUp { readAgain() }
    }
  }

  package var isWriting: Bool {
    get { writing.isOn }
    set { if !isClosed { writing.set(newValue) } }
  }

  private func readable() {
    guard !isClosed, reading.isOn else { return }
    onReadable?()
    guard !isClosed else { return }
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    isHungUp = isHungUp || poll(&entry, 1, 0) > 0
    if isHungUp, reading.isOn { readAgain() }
  }

  /// Once both directions have ended libdispatch tells of what is readable a last time, whatever is left to be read, and
  /// deletes its source (`_dispatch_event_merge_hangup`): from then on this object has to.
  private func readAgain() {
    guard !willReadAgain else { return }
    willReadAgain = true
    Task { @Loop [weak self] in
      guard let self else { return }
      self.willReadAgain = false
      self.readable()
    }
  }

  /// No handler runs after this. May be called more than once.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    onReadable = nil
    onWritable = nil
    reading.cancel()
    writing.cancel()
  }

  /// A source that starts suspended.
  @Loop
  private struct Source {
    let source: any DispatchSourceProtocol
    private(set) var isOn = false

    init(_ source: any DispatchSourceProtocol, _ closer: Closer) {
      self.source = source
      source.setCancelHandler { closer.sourceCancelled() }
    }

    mutating func set(_ on: Bool) {
      guard on != isOn else { return }
      isOn = on
      on ? source.resume() : source.suspend()
    }

    mutating func cancel() {
      source.cancel()
      set(true)  // A suspended source never runs its cancel handler, and traps when it is released.
    }
  }

  /// Closes the descriptor when both sources are done with it.
  @Loop
  private final class Closer {
    let descriptor: Int32
    private var sources = 2

    init(descriptor: Int32) { self.descriptor = descriptor }

    func sourceCancelled() {
      sources -= 1
      if sources == 0 { _ = Glibc.close(descriptor) }
    }
  }
}
