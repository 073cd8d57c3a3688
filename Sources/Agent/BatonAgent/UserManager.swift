// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Systemd

/// The user's systemd, for starting one app. It is reached over the user's bus, or if that does not lead to it, over
/// systemd's own socket, as systemctl(1) does. Each call is answered once, even if there is no systemd. Nothing here
/// blocks.
@Loop
final class UserManager {
  /// The maximum size in bytes of the environment that the service manager gives to apps.
  private static let environmentLength = 256 * 1024

  private static let name = "org.freedesktop.systemd1"
  private static let path = "/org/freedesktop/systemd1"
  private static let manager = "org.freedesktop.systemd1.Manager"
  /// In bytes, without the terminating one (systemd.unit(5)).
  private nonisolated static let unitNameLength = 255

  private var kind = MessageBus.Kind.user
  private var bus: MessageBus?
  private var timer: Timer?
  /// Answers the call in progress: with the reason for its failure, or with nil.
  private var answer: (@Loop (String?) -> Void)?
  /// Asks the first question. If nobody answers on the bus, it is asked again on systemd's own socket.
  private var ask: (@Loop () -> Void)?

  /// Asks for the variables that apps get, as `NAME=value`. Call it before
  /// ``startScope(_:description:process:completion:)``.
  ///
  /// - Parameter completion: Receives the text of an error if there are none; perhaps called before this returns.
  func environment(completion: @escaping @Loop (Result<[String], Unavailable>) -> Void) {
    var variables: [String] = []
    begin { trouble in completion(trouble.map { .failure(Unavailable(description: $0)) } ?? .success(variables)) }
    // On a bus that has just started, systemd may not be there yet. The bus waits for it.
    var get = BusCall(Self.name, Self.path, "org.freedesktop.DBus.Properties", "Get", Self.manager, "Environment")
    get.startsService = true
    ask = { [weak self] in
      self?.attempt { bus throws(MessageBus.Failure) in
        try bus.call(get) { [weak self] message in
          if let error = message.errorName {
            self?.failed(error)
            return
          }
          variables = message.enter(.variant, "as") { message.strings(limit: Self.environmentLength) } ?? []
          // systemd always has variables, so there are too many of them here.
          self?.finish(variables.isEmpty ? "it didn't report its environment" : nil)
        }
      }
    }
    ask?()
  }

  /// Puts a process, which waits for that, into its own scope.
  ///
  /// - Parameter completion: Receives nil when the process is in the scope; perhaps called before this returns.
  func startScope(
    _ unit: String,
    description: String,
    process: pid_t,
    completion: @escaping @Loop (String?) -> Void
  ) {
    begin(completion)
    let removed = BusSignal(from: Self.name, Self.manager, "JobRemoved")
    let values: KeyValuePairs<String, BusArgument> = [
      "Description": .string(description),
      "Slice": .string("app.slice"),
      // A scope that failed is removed completely.
      "CollectMode": .string("inactive-or-failed"),
      "PIDs": .array(contents: "u", [.number(UInt32(bitPattern: process))]),
    ]
    // Structures, not dictionary entries.
    let properties = BusArgument.array(
      contents: "(sv)",
      values.map { .structure([.string($0.key), .variant($0.value)]) }
    )
    let start = BusCall(
      Self.name,
      Self.path,
      Self.manager,
      "StartTransientUnit",
      arguments: [.string(unit), .string("fail"), properties, .array(contents: "(sa(sv))", [])]
    )
    attempt { bus throws(MessageBus.Failure) in
      try bus.match(removed) { [weak self] message in
        guard message.number() != nil, message.string(.path) != nil, message.string() == unit else { return }
        let result = message.string()
        self?.finish(result == "done" ? nil : "the job ended with the result \(result ?? "unknown")")
      }
      // Without this, systemd sends no signals about jobs.
      try bus.call(BusCall(Self.name, Self.path, Self.manager, "Subscribe")) { _ in }
      try bus.call(start) { [weak self] message in
        if let error = message.errorName { self?.finish(error) }
      }
    }
  }

  /// Closes the connection. The object must not be used afterwards.
  func close() {
    answer = nil
    ask = nil
    timer?.set(nil)
    bus?.close()
    bus = nil
  }

  private func begin(_ completion: @escaping @Loop (String?) -> Void) {
    answer = completion
    timer = Timer { [weak self] in self?.finish("no answer in time") }
    timer?.set(Loop.now + Limits.scopeTime)
  }

  private func attempt(_ body: (MessageBus) throws(MessageBus.Failure) -> Void) {
    do throws(MessageBus.Failure) {
      if bus == nil {
        bus = try MessageBus(kind) { [weak self] in self?.failed($0.description) }
      }
      if let bus { try body(bus) }
    } catch {
      failed(error.description)
    }
  }

  private func failed(_ trouble: String) {
    bus?.close()
    bus = nil
    guard kind == .user, let ask else { return finish(trouble) }
    kind = .userManager
    ask()
  }

  private func finish(_ trouble: String?) {
    timer?.set(nil)
    ask = nil
    let answer = answer
    self.answer = nil
    answer?(trouble)
  }

  /// There is no systemd of the user, or it does not answer.
  struct Unavailable: Error { let description: String }

  /// The name of a scope as systemd's DESKTOP_ENVIRONMENTS.md demands. The ID is escaped, so that its dashes separate
  /// nothing. An ID that is too long is cut.
  nonisolated static func scopeName(_ id: String, random: UInt64 = .random(in: .min ... .max)) -> String {
    let (prefix, suffix) = ("app-baton-", ".scope")
    let digits = String(random, radix: 16)
    let number = String(repeating: "0", count: 16 - digits.count) + digits
    let limit = unitNameLength - prefix.count - suffix.count - number.count - 1
    return "\(prefix)\(escaped(id, limit: limit))-\(number)\(suffix)"
  }

  /// Escapes as `systemd-escape` does, up to this number of bytes.
  nonisolated static func escaped(_ text: String, limit: Int = .max) -> String {
    var output = ""
    for (index, byte) in text.utf8.enumerated() {
      let piece = escaped(byte, isFirst: index == 0)
      guard output.utf8.count + piece.utf8.count <= limit else { break }
      output += piece
    }
    return output
  }

  private nonisolated static func escaped(_ byte: UInt8, isFirst: Bool) -> String {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"):
      return String(Unicode.Scalar(byte))
    case UInt8(ascii: ".") where !isFirst: return "."
    default: return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
}
