// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// A connection to a bus for a program that does nothing else meanwhile: each call blocks until its reply.
package final class WaitingBus {
  private let pointer: OpaquePointer
  private let time: Duration

  /// - Parameter time: How long connecting and each call may take.
  /// - Throws: `MessageBus.Failure` if there is no bus, or it does not answer in time.
  package init(_ kind: MessageBus.Kind, time: Duration) throws(MessageBus.Failure) {
    var bus: OpaquePointer?
    let result = kind.open(&bus)
    guard result >= 0, let bus else { throw MessageBus.Failure(call: kind.name, code: -result) }
    (pointer, self.time) = (bus, time)
    sd_bus_set_exit_on_disconnect(bus, 0)
    let code = connect(until: .now + time)
    guard code == 0 else { throw MessageBus.Failure(call: kind.name, code: code) }
  }

  /// Waits until the bus has accepted this program. A call would wait for that longer than for its reply.
  ///
  /// - Returns: 0, or why it has not.
  private func connect(until deadline: ContinuousClock.Instant) -> Int32 {
    while sd_bus_is_ready(pointer) == 0 {
      let processed = sd_bus_process(pointer, nil)
      guard processed >= 0 else { return -processed }
      if processed > 0 { continue }
      let rest = ContinuousClock.now.duration(to: deadline) / .microseconds(1)
      guard rest > 0 else { return ETIMEDOUT }
      sd_bus_wait(pointer, UInt64(rest))  // Checked: the time that was given.
    }
    return 0
  }

  // Unsent messages stay unsent, because sending them could block.
  deinit { sd_bus_close_unref(pointer) }

  /// The name of this connection on the bus, such as `:1.42`.
  package var uniqueName: String? {
    var name: UnsafePointer<CChar>?
    guard sd_bus_get_unique_name(pointer, &name) >= 0, let name else { return nil }
    return String(cString: name)
  }

  /// Why a call has no result.
  package struct Refusal: Error, Equatable {
    /// The name of the D-Bus error. sd-bus makes up one if there was no reply.
    package let name: String
    package let message: String

    package init(name: String, message: String) {
      self.name = name
      self.message = message
    }
  }

  /// - Parameter read: Reads the reply, which it must not keep.
  /// - Returns: Nil if the call fails or has no reply in time, too.
  package func ask<T>(_ call: BusCall, _ read: (BusMessage) -> T?) -> T? {
    do throws(Refusal) { return try answer(to: call, read) } catch { return nil }
  }

  /// - Parameter read: Reads the reply, which it must not keep.
  /// - Returns: Nil if the reply is not what `read` expects.
  package func answer<T>(to call: BusCall, _ read: (BusMessage) -> T?) throws(Refusal) -> T? {
    var message: OpaquePointer?
    defer { sd_bus_message_unref(message) }
    var result = sd_bus_message_new_method_call(
      pointer,
      &message,
      call.destination,
      call.path,
      call.interface,
      call.member
    )
    if result >= 0 { result = sd_bus_message_set_auto_start(message, call.startsService ? 1 : 0) }
    for argument in call.arguments where result >= 0 { result = argument.append(to: message) }
    var reply: OpaquePointer?
    defer { sd_bus_message_unref(reply) }
    var error = sd_bus_error()
    defer { sd_bus_error_free(&error) }
    let time = call.replyTime ?? time
    let microseconds = UInt64(clamping: time.components.seconds) * 1_000_000  // Checked: some minutes at most.
    if result >= 0 { result = sd_bus_call(pointer, message, microseconds, &error, &reply) }
    guard result >= 0, let reply else {
      func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
      throw Refusal(
        name: text(error.name) ?? "",
        message: text(error.message) ?? String(cString: strerror(result < 0 ? -result : EPROTO))
      )
    }
    return read(BusMessage(borrowed: reply))
  }

  /// Reads a property of an object.
  package func property<T>(
    _ destination: String,
    _ path: String,
    _ interface: String,
    _ name: String,
    _ contents: String,
    _ read: (BusMessage) -> T?
  ) -> T? {
    ask(BusCall(destination, path, "org.freedesktop.DBus.Properties", "Get", interface, name)) { message in
      message.enter(.variant, contents) { read(message) } ?? nil
    }
  }
}
