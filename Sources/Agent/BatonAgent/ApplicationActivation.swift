// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Systemd

/// Starts an app over D-Bus (Desktop Entry Specification 1.5, section 11). The bus starts the app if it is not running.
/// The app opens the pages, or shows itself and registers the activity's type.
@Loop
final class ApplicationActivation {
  enum Outcome: Equatable {
    /// The app did what was asked, or was asked and has not replied yet. Then it is starting.
    case activated
    /// Nothing was started: there is no bus, or nobody on it has the name.
    case unavailable(String)
    /// The app was asked, and failed or ended.
    case failed(String)
  }

  private static let interface = "org.freedesktop.Application"
  private nonisolated static let prefix = "org.freedesktop.DBus.Error."
  /// Errors that mean that nothing was asked and nothing runs.
  private nonisolated static let harmless = [
    "ServiceUnknown", "NameHasNoOwner", "UnknownMethod", "UnknownObject", "UnknownInterface", "AccessDenied",
    "NotSupported",
  ]

  private let name: String
  private var bus: MessageBus?
  private var timer: Timer?
  private var completion: (@Loop (Outcome) -> Void)?

  /// - Parameter name: The name on the bus, from the desktop entry.
  init(_ name: String) { self.name = name }

  /// - Parameters:
  ///   - targets: The URLs to open. If there are none, the app shows itself.
  ///   - platformData: What else the app may know, such as its activation token.
  ///   - completion: Called once, perhaps before this returns.
  func begin(targets: [String], platformData: [String: String], completion: @escaping @Loop (Outcome) -> Void) {
    self.completion = completion
    let data = BusArgument.array(
      contents: "{sv}",
      platformData.sorted { $0.key < $1.key }.map { .entry(.string($0.key), .variant(.string($0.value))) }
    )
    let urls = BusArgument.array(contents: "s", targets.map(BusArgument.string))
    var call = BusCall(
      name,
      Self.path(name),
      Self.interface,
      targets.isEmpty ? "Activate" : "Open",
      arguments: targets.isEmpty ? [data] : [urls, data]
    )
    call.startsService = true
    // Our own timer notices a missing reply. The bus would report the same for an app that ends.
    call.replyTime = Limits.activationTime * 2
    timer = Timer { [self] in finish(.activated) }
    timer?.set(Loop.now + Limits.activationTime)
    do throws(MessageBus.Failure) {
      let bus = try MessageBus(.user) { [self] in finish(.unavailable($0.description)) }
      self.bus = bus
      try bus.call(call) { [self] message in finish(Self.outcome(message.errorName)) }
    } catch {
      finish(.unavailable(error.description))
    }
  }

  /// The object path: for `org.example.My-App` it is `/org/example/My_App`.
  nonisolated static func path(_ name: String) -> String {
    "/" + String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 }))
  }

  nonisolated static func outcome(_ error: String?) -> Outcome {
    guard let error else { return .activated }
    let isHarmless = harmless.contains { error == prefix + $0 } || error.starts(withBytesOf: prefix + "Spawn.")
    return isHarmless ? .unavailable(error) : .failed(error)
  }

  private func finish(_ outcome: Outcome) {
    let completion = completion
    self.completion = nil
    timer?.set(nil)
    timer = nil
    bus?.close()
    bus = nil
    completion?(outcome)
  }
}
