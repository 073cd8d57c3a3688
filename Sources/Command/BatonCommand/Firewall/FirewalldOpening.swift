// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Localization
import Systemd

/// Adds rules to a zone of firewalld over D-Bus: to its permanent configuration, and to the rules that apply now.
/// firewalld lets polkit ask for an administrator's password.
struct FirewalldOpening {
  /// How long a person may take for the password.
  private static let passwordTime = Duration.seconds(180)
  private static let time = Duration.seconds(5)

  private let bus: WaitingBus
  private let zone: String

  static func open(_ zone: String, _ gap: FirewallGap) -> FirewallOpening.Outcome {
    let bus: WaitingBus
    do throws(MessageBus.Failure) { bus = try WaitingBus(.system, time: time) } catch { return .failed("\(error)") }
    let agent = Polkit.allows("\(FirewalldReader.name).config", bus) ? nil : PolkitTerminalAgent()
    defer { agent?.end() }
    let opening = FirewalldOpening(bus: bus, zone: zone)
    do throws(WaitingBus.Refusal) {
      for rule in gap.rules { try opening.addPermanently(rule) }
    } catch {
      return .failed(cause(error))
    }
    do throws(WaitingBus.Refusal) {
      for rule in gap.rules { try opening.addNow(rule) }
    } catch {
      return .failed(localized("the rule applies only after `sudo firewall-cmd --reload` (\(cause(error)))"))
    }
    return .opened
  }

  private func addPermanently(_ rule: FirewallGap.Rule) throws(WaitingBus.Refusal) {
    let config = "\(FirewalldReader.name).config"
    var find = BusCall(FirewalldReader.name, "\(FirewalldReader.path)/config", config, "getZoneByName", zone)
    find.replyTime = Self.passwordTime
    guard let path = try bus.answer(to: find, { $0.string(.path) }) else {
      throw WaitingBus.Refusal(name: "", message: localized("firewalld gave an unexpected reply"))
    }
    try call(path, "\(config).zone", rule, [])
  }

  private func addNow(_ rule: FirewallGap.Rule) throws(WaitingBus.Refusal) {
    // No time after which firewalld removes the rule.
    try call(FirewalldReader.path, FirewalldReader.zone, rule, [.integer(0)], before: [.string(zone)])
  }

  private func call(
    _ path: String,
    _ interface: String,
    _ rule: FirewallGap.Rule,
    _ after: [BusArgument],
    before: [BusArgument] = []
  ) throws(WaitingBus.Refusal) {
    let (member, arguments): (String, [BusArgument]) =
      switch rule {
      case .service(let name): ("addService", [.string(name)])
      case .port(let number): ("addPort", [.string("\(number)"), .string("tcp")])
      }
    var call = BusCall(FirewalldReader.name, path, interface, member, arguments: before + arguments + after)
    call.replyTime = Self.passwordTime
    do throws(WaitingBus.Refusal) {
      _ = try bus.answer(to: call) { _ in true }
    } catch {
      guard Self.code(error) == "ALREADY_ENABLED" else { throw error }
    }
  }

  /// firewalld's own name for the error, such as `ALREADY_ENABLED`.
  private static func code(_ error: WaitingBus.Refusal) -> Substring {
    error.message.split(atScalar: ":").first?.trimmed ?? ""
  }

  private static func cause(_ error: WaitingBus.Refusal) -> String {
    error.name.ends(withBytesOf: ".NotAuthorizedException")
      ? localized("nobody confirmed it with an administrator's password") : error.message
  }
}
