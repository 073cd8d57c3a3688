// SPDX-License-Identifier: Apache-2.0

import CSystemd
import EventLoop
import Glibc

/// One call without arguments on the system bus, over its own connection, which is closed afterwards. Nothing blocks.
@Loop
package final class BusQuestion {
  package enum Outcome: Equatable, Sendable {
    case answered
    /// There is no bus, or it does not admit this program.
    case noBus(String)
    /// Nobody has the name, or its owner replied with an error, or not in time.
    case failed(String)
  }

  package struct Target: Sendable {
    let destination: String
    let path: String
    let interface: String
    let member: String

    package init(destination: String, path: String, interface: String, member: String) {
      self.destination = destination
      self.path = path
      self.interface = interface
      self.member = member
    }
  }

  /// The `sd_bus`, which this object owns.
  private var bus: OpaquePointer?
  private var readiness: Readiness?
  private var timer: Timer?
  private var outcome: Outcome?
  private var completion: (@Loop (Outcome) -> Void)?

  /// - Parameters:
  ///   - time: How long before the call counts as failed.
  ///   - completion: Called once, never before this returns. Not called if this object is released first.
  package init(_ target: Target, time: Duration, completion: @escaping @Loop (Outcome) -> Void) {
    self.completion = completion
    timer = Timer { [weak self] in self?.timedOut() }
    let error = begin(target)
    if error < 0 { outcome = .noBus(Self.text(error)) }
    timer?.set(outcome == nil ? Loop.now + time : Loop.now)
  }

  isolated deinit { close() }

  private func begin(_ target: Target) -> Int32 {
    // This only starts connecting.
    let opened = MessageBus.Kind.system.open(&bus)
    guard opened >= 0 else { return opened }
    var message: OpaquePointer?
    defer { sd_bus_message_unref(message) }
    let made = sd_bus_message_new_method_call(
      bus,
      &message,
      target.destination,
      target.path,
      target.interface,
      target.member
    )
    guard made >= 0 else { return made }
    // A check must not start anything.
    sd_bus_message_set_auto_start(message, 0)
    let called = sd_bus_call_async(
      bus,
      nil,
      message,
      { reply, context, _ in
        guard let context else { return 0 }
        Unmanaged<BusQuestion>.fromOpaque(context).takeUnretainedValue().received(reply)
        return 0
      },
      Unmanaged.passUnretained(self).toOpaque(),
      UInt64.max / 2
    )
    guard called >= 0 else { return called }
    // The bus closes its own descriptor.
    let descriptor = fcntl(sd_bus_get_fd(bus), F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { return -errno }
    let readiness = Readiness(owning: descriptor)
    self.readiness = readiness
    readiness.onReadable = { [weak self] in self?.process() }
    readiness.onWritable = { [weak self] in self?.process() }
    readiness.isReading = true
    readiness.isWriting = true
    return 0
  }

  private func process() {
    guard let bus else { return }
    while outcome == nil {
      let result = sd_bus_process(bus, nil)
      if result < 0 { outcome = .noBus(Self.text(result)) }
      guard result > 0 else { break }
    }
    guard outcome == nil else { return finish() }
    readiness?.isWriting = sd_bus_get_events(bus) & Int32(POLLOUT) != 0
  }

  /// Called by `sd_bus_process`.
  private func received(_ reply: OpaquePointer?) {
    guard let error = sd_bus_message_get_error(reply), let name = error.pointee.name else { return outcome = .answered }
    let text = String(cString: error.pointee.message ?? name)
    let isRefused = String(cString: name) == "org.freedesktop.DBus.Error.AccessDenied"
    // Calls on a connection that was never established fail, too.
    outcome = isRefused || sd_bus_is_ready(bus) <= 0 ? .noBus(text) : .failed(text)
  }

  private func timedOut() {
    let isOnBus = bus.map { sd_bus_is_ready($0) > 0 } ?? false
    outcome = outcome ?? (isOnBus ? .failed("no answer in time") : .noBus("no answer in time"))
    finish()
  }

  private func finish() {
    let completion = completion
    close()
    if let outcome { completion?(outcome) }
  }

  private func close() {
    completion = nil
    timer = nil
    readiness?.close()
    readiness = nil
    // Pending calls are dropped, and their handlers are not called.
    sd_bus_close(bus)
    bus = sd_bus_unref(bus)
  }

  private static func text(_ error: Int32) -> String { String(cString: strerror(-error)) }
}
