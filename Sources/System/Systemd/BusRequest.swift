// SPDX-License-Identifier: Apache-2.0

import CSystemd
import EventLoop

/// A call that another program made to one of our objects. It is answered once, now or later.
@Loop
package final class BusRequest {
  /// The call. Read its arguments only in the handler that received it.
  package let call: BusMessage
  private let onSent: @Loop () -> Void
  private var isAnswered = false

  /// - Parameter onSent: Called when an answer waits to be written.
  init(_ call: BusMessage, onSent: @escaping @Loop () -> Void) {
    self.call = call
    self.onSent = onSent
    sd_bus_message_ref(call.pointer)
  }

  isolated deinit {
    if !isAnswered { fail("org.freedesktop.DBus.Error.Failed", "The call wasn't answered.") }
    sd_bus_message_unref(call.pointer)
  }

  package func reply(_ arguments: BusArgument...) {
    guard !isAnswered else { return }
    isAnswered = true
    var message: OpaquePointer?
    defer { sd_bus_message_unref(message) }
    var result = sd_bus_message_new_method_return(call.pointer, &message)
    for argument in arguments where result >= 0 { result = argument.append(to: message) }
    guard result >= 0 else {
      isAnswered = false
      return fail("org.freedesktop.DBus.Error.Failed", "The answer couldn't be sent.")
    }
    // The caller may want no answer, or be gone.
    sd_bus_send(nil, message, nil)
    onSent()
  }

  /// Answers with an error.
  ///
  /// - Parameter name: `org.freedesktop.DBus.Error.InvalidArgs`, for example.
  package func fail(_ name: String, _ text: String) {
    guard !isAnswered else { return }
    isAnswered = true
    var message: OpaquePointer?
    defer { sd_bus_message_unref(message) }
    var error = sd_bus_error()
    let result = name.withCString { name in
      text.withCString { text in
        error.name = name
        error.message = text
        return sd_bus_message_new_method_error(call.pointer, &message, &error)
      }
    }
    if result >= 0 { sd_bus_send(nil, message, nil) }
    onSent()
  }

  /// Answers a call whose arguments have the wrong types.
  package func refuseArguments() {
    fail("org.freedesktop.DBus.Error.InvalidArgs", "\(call.interface).\(call.member) takes different arguments.")
  }

  /// Answers a call that the object does not know.
  package func refuse() {
    fail("org.freedesktop.DBus.Error.UnknownMethod", "The object has no method \(call.interface).\(call.member).")
  }
}
