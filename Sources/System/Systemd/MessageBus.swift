// SPDX-License-Identifier: Apache-2.0

import Activity
import CSystemd
import EventLoop
import Glibc

/// One connection to the system's D-Bus or the user's, or to the user's systemd, on the loop. Nothing here blocks.
///
/// It ends once, by itself if the bus goes away, and is not used again. Handlers are called on the loop, never from
/// within a call to this object, and not after ``close()``.
@Loop
package final class MessageBus {
  /// The time from a call on D-Bus to its reply, which takes milliseconds. If the bus does not reply, the connection is
  /// closed and made again.
  private static let busReplyTime = Duration.seconds(20)

  /// The maximum number of bus messages that are handled in one turn of the loop, because others wait for the loop,
  /// too.
  private static let busBatch = 64

  /// A call of sd-bus that failed, and its error number.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let call: String
    package let code: Int32

    package var description: String { "\(call): \(String(cString: strerror(code)))" }
  }

  /// The handler of one call, one match rule or one object, which sd-bus calls.
  @Loop
  private final class Handler {
    unowned let bus: MessageBus
    let isOnce: Bool
    /// Who alone is heard. Nil: who is called, or whoever calls.
    let sender: String?
    let body: @Loop (BusMessage) -> Void

    init(
      _ bus: MessageBus,
      isOnce: Bool = false,
      from sender: String? = nil,
      _ body: @escaping @Loop (BusMessage) -> Void
    ) {
      self.bus = bus
      self.isOnce = isOnce
      self.sender = sender
      self.body = body
    }
  }

  private var pointer: OpaquePointer?
  private var readiness: Readiness?
  private var timer: Timer?
  private var handlers: [ObjectIdentifier: Handler] = [:]
  /// Of the match rules that can be removed. Each keeps the `sd_bus`.
  private var slots: [ObjectIdentifier: OpaquePointer] = [:]
  /// The unique names of the services that are listened to; empty if there is none, or it is not known yet.
  private var owners: [String: String] = [:]
  private let kind: Kind
  private var isProcessing = false
  /// Called once, when the bus is gone or does not work properly. Not called after ``close()``.
  private var onEnd: (@Loop (Failure) -> Void)?

  /// Starts connecting.
  ///
  /// - Throws: `Failure` if there is no bus.
  package init(_ kind: Kind = .system, onEnd: @escaping @Loop (Failure) -> Void) throws(Failure) {
    (self.kind, self.onEnd) = (kind, onEnd)
    var bus: OpaquePointer?
    let result = kind.open(&bus)
    guard result >= 0, let bus else { throw Failure(call: kind.name, code: -result) }
    pointer = bus
    sd_bus_set_exit_on_disconnect(bus, 0)
    sd_bus_set_method_call_timeout(bus, UInt64(Self.busReplyTime.components.seconds) * 1_000_000)
    // sd-bus closes its own descriptor.
    let descriptor = fcntl(sd_bus_get_fd(bus), F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else {
      close()
      throw Failure(call: "fcntl", code: errno)
    }
    readiness = Readiness(owning: descriptor)
    readiness?.onReadable = { [weak self] in self?.process() }
    readiness?.onWritable = { [weak self] in self?.process() }
    timer = Timer { [weak self] in self?.process() }
    arm()
  }

  isolated deinit { close() }

  /// Can be called more than once, and from handlers.
  package func close() {
    onEnd = nil
    readiness?.close()
    timer?.set(nil)
    handlers = [:]
    guard !isProcessing, let pointer else { return }
    self.pointer = nil
    for slot in slots.values { sd_bus_slot_unref(slot) }
    slots = [:]
    // Unsent messages stay unsent, because sending them could block.
    sd_bus_close_unref(pointer)
  }

  /// Calls a method.
  ///
  /// - Parameter reply: Receives the reply, or an error in its place; also an error if there was no reply in time.
  package func call(_ call: BusCall, reply: @escaping @Loop (BusMessage) -> Void) throws(Failure) {
    guard let pointer, onEnd != nil else { throw Failure(call: call.member, code: ENOTCONN) }
    var message: OpaquePointer?
    let interface = call.interface
    var result = sd_bus_message_new_method_call(
      pointer,
      &message,
      call.destination,
      call.path,
      interface,
      call.member
    )
    defer { sd_bus_message_unref(message) }
    if result >= 0 { result = sd_bus_message_set_auto_start(message, call.startsService ? 1 : 0) }
    for argument in call.arguments where result >= 0 { result = argument.append(to: message) }
    guard result >= 0 else { throw Failure(call: call.member, code: -result) }
    let handler = Handler(self, isOnce: true, reply)
    let context = Unmanaged.passUnretained(handler).toOpaque()
    // Zero stands for the connection's time.
    let time = UInt64((call.replyTime ?? .zero).components.seconds) * 1_000_000
    result = sd_bus_call_async(pointer, nil, message, Self.callback, context, time)
    guard result >= 0 else { throw Failure(call: call.member, code: -result) }
    handlers[ObjectIdentifier(handler)] = handler
    arm()
  }

  /// Listens for signals as long as the connection lasts.
  ///
  /// Ask a service for its state only after this: what it says before the bus has named its owner is not heard.
  package func match(_ signal: BusSignal, _ body: @escaping @Loop (BusMessage) -> Void) throws(Failure) {
    guard let pointer, onEnd != nil else { throw Failure(call: "AddMatch", code: ENOTCONN) }
    let handler = Handler(self, from: signal.sender, body)
    // If the bus refuses the rule, sd-bus closes the connection.
    let result = sd_bus_add_match_async(
      pointer,
      nil,
      signal.rule,
      Self.callback,
      nil,
      Unmanaged.passUnretained(handler).toOpaque()
    )
    guard result >= 0 else { throw Failure(call: "AddMatch", code: -result) }
    handlers[ObjectIdentifier(handler)] = handler
    try followOwner(of: signal.sender)
    arm()
  }

  /// Keeps the unique name of a service. The bus answers before it passes on what is sent afterwards.
  private func followOwner(of name: String) throws(Failure) {
    guard kind != .userManager, !name.starts(withBytesOf: ":"), name != BusSignal.bus, owners[name] == nil else {
      return
    }
    owners[name] = ""
    try match(.ownerChanged(name)) { [weak self] message in
      _ = (message.string(), message.string())
      self?.owners[name] = message.string() ?? ""
    }
    try call(BusCall(BusSignal.bus, "/org/freedesktop/DBus", BusSignal.bus, "GetNameOwner", name)) {
      [weak self] reply in
      self?.owners[name] = reply.errorName == nil ? reply.string() ?? "" : ""
    }
  }

  /// Whether a message is from the one that a handler listens to.
  private func isHeard(_ message: BusMessage, by handler: Handler) -> Bool {
    // systemd's own socket has only systemd at the other end.
    guard let sender = handler.sender, kind != .userManager else { return true }
    return !message.sender.isEmpty && message.sender.hasBytes(of: owners[sender] ?? sender)
  }

  /// Listens for signals until the match is given to ``remove(_:)``, or the connection ends.
  package func removableMatch(
    _ signal: BusSignal,
    _ body: @escaping @Loop (BusMessage) -> Void
  ) throws(Failure) -> Match {
    guard let pointer, onEnd != nil else { throw Failure(call: "AddMatch", code: ENOTCONN) }
    let handler = Handler(self, from: signal.sender, body)
    var slot: OpaquePointer?
    let context = Unmanaged.passUnretained(handler).toOpaque()
    let result = sd_bus_add_match_async(pointer, &slot, signal.rule, Self.callback, nil, context)
    guard result >= 0, let slot else { throw Failure(call: "AddMatch", code: -result) }
    handlers[ObjectIdentifier(handler)] = handler
    slots[ObjectIdentifier(handler)] = slot
    try followOwner(of: signal.sender)
    arm()
    return Match(handler: ObjectIdentifier(handler))
  }

  /// Names one match rule of this connection.
  package struct Match {
    fileprivate let handler: ObjectIdentifier
  }

  /// Hears no more of a rule's signals. Can be called from its handler, and more than once.
  package func remove(_ match: Match) {
    guard let slot = slots.removeValue(forKey: match.handler) else { return }
    // The bus is told when there is time.
    sd_bus_slot_unref(slot)
    handlers[match.handler] = nil
    arm()
  }

  /// Answers calls to an object as long as the connection lasts. Others find the object under a name that this program
  /// has on the bus; see ``requestName(_:completion:)``.
  ///
  /// - Parameter body: Receives each call. It must answer each request, now or later.
  package func serve(_ path: String, _ body: @escaping @Loop (BusRequest) -> Void) throws(Failure) {
    guard let pointer, onEnd != nil else { throw Failure(call: "sd_bus_add_object", code: ENOTCONN) }
    let handler = Handler(self) { [unowned self] message in
      body(BusRequest(message) { [weak self] in self?.arm() })
    }
    let context = Unmanaged.passUnretained(handler).toOpaque()
    let result = sd_bus_add_object(pointer, nil, path, Self.request, context)
    guard result >= 0 else { throw Failure(call: "sd_bus_add_object", code: -result) }
    handlers[ObjectIdentifier(handler)] = handler
  }

  /// Asks for a name on the bus. If another program has it, this one gets it when the other gives it up or ends.
  ///
  /// - Parameter completion: Receives whether this program already has the name; nil if the bus refuses it, or ends the
  ///   connection.
  package func requestName(_ name: String, completion: @escaping @Loop (Bool?) -> Void) throws(Failure) {
    let bus = BusSignal.bus
    let arguments = [BusArgument.string(name), .number(0)]
    try call(BusCall(bus, "/org/freedesktop/DBus", bus, "RequestName", arguments: arguments)) { reply in
      // 1: this program has the name now. 4: it already had it.
      completion(reply.errorName == nil ? reply.number().map { $0 == 1 || $0 == 4 } : nil)
    }
  }

  private static let request: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let context else { return 0 }
    let handler = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
    handler.bus.heard(BusMessage(borrowed: message), handler)
    return 1
  }

  private static let callback: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let context else { return 0 }
    let handler = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
    handler.bus.heard(BusMessage(borrowed: message), handler)
    return 0
  }

  private func heard(_ message: BusMessage, _ handler: Handler) {
    guard onEnd != nil, handlers[ObjectIdentifier(handler)] === handler, isHeard(message, by: handler) else { return }
    if handler.isOnce { handlers[ObjectIdentifier(handler)] = nil }
    handler.body(message)
  }

  private func process() {
    guard let pointer, onEnd != nil else { return }
    isProcessing = true
    var result: Int32 = 1
    for _ in 0..<Self.busBatch where result > 0 && onEnd != nil { result = sd_bus_process(pointer, nil) }
    isProcessing = false
    guard let onEnd else { return close() }
    // sd-bus reports a lost bus by closing, not by failing.
    guard result >= 0, sd_bus_is_open(pointer) > 0 else {
      close()
      return onEnd(Failure(call: "sd_bus_process", code: result < 0 ? -result : ECONNRESET))
    }
    arm()
  }

  /// Waits for what sd-bus needs next.
  private func arm() {
    guard let pointer, let readiness, !isProcessing else { return }
    let events = sd_bus_get_events(pointer)
    readiness.isReading = events < 0 || events & Int32(POLLIN) != 0
    readiness.isWriting = events >= 0 && events & Int32(POLLOUT) != 0
    var deadline = UInt64.max
    guard sd_bus_get_timeout(pointer, &deadline) > 0, deadline != UInt64.max else {
      timer?.set(nil)
      return
    }
    // In microseconds of CLOCK_MONOTONIC.
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = UInt64(clamping: time.tv_sec) &* 1_000_000 &+ UInt64(clamping: time.tv_nsec / 1000)
    timer?.set(Loop.now + .microseconds(Int64(clamping: deadline > now ? deadline - now : 0)))
  }
}
