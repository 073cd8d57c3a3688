// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Localization
import Systemd

/// Adds rules to a zone of firewalld over D-Bus: to its permanent configuration, and to the rules that apply now.
/// If one can't be added, those before it are removed again.
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
    var permanent: [FirewallGap.Rule] = [], now: [FirewallGap.Rule] = []
    do throws(WaitingBus.Refusal) {
      for rule in gap.rules where try opening.change(.add, permanently: rule) { permanent.append(rule) }
      for rule in gap.rules where try opening.change(.add, now: rule) { now.append(rule) }
    } catch {
      now.removeAll { rule in
        opening.removes { () throws(WaitingBus.Refusal) in try opening.change(.remove, now: rule) }
      }
      permanent.removeAll { rule in
        opening.removes { () throws(WaitingBus.Refusal) in try opening.change(.remove, permanently: rule) }
      }
      return .failed(cause(error), undoing: FirewallGap.undoing(zone: zone, permanent: permanent, now: now))
    }
    return .opened(undoing: FirewallGap.undoing(zone: zone, permanent: permanent, now: now))
  }

  private enum Change: String {
    case add, remove

    /// firewalld's name for the error that there is nothing to change.
    var needless: Substring { self == .add ? "ALREADY_ENABLED" : "NOT_ENABLED" }
  }

  /// Whether a change that removes something could be made.
  private func removes(_ change: () throws(WaitingBus.Refusal) -> Bool) -> Bool {
    do throws(WaitingBus.Refusal) { _ = try change() } catch { return false }
    return true
  }

  /// - Returns: Whether there was something to change.
  private func change(_ change: Change, permanently rule: FirewallGap.Rule) throws(WaitingBus.Refusal) -> Bool {
    let config = "\(FirewalldReader.name).config"
    var find = BusCall(FirewalldReader.name, "\(FirewalldReader.path)/config", config, "getZoneByName", zone)
    find.replyTime = Self.passwordTime
    guard let path = try bus.answer(to: find, { $0.string(.path) }) else {
      throw WaitingBus.Refusal(name: "", message: localized("firewalld gave an unexpected reply"))
    }
    return try call(path, "\(config).zone", change, rule, [])
  }

  /// - Returns: Whether there was something to change.
  private func change(_ change: Change, now rule: FirewallGap.Rule) throws(WaitingBus.Refusal) -> Bool {
    // No time after which firewalld removes the rule.
    let after: [BusArgument] = change == .add ? [.integer(0)] : []
    return try call(FirewalldReader.path, FirewalldReader.zone, change, rule, after, before: [.string(zone)])
  }

  private func call(
    _ path: String,
    _ interface: String,
    _ change: Change,
    _ rule: FirewallGap.Rule,
    _ after: [BusArgument],
    before: [BusArgument] = []
  ) throws(WaitingBus.Refusal) -> Bool {
    let (kind, arguments): (String, [BusArgument]) =
      switch rule {
      case .service(let name): ("Service", [.string(name)])
      case .port(let number): ("Port", [.string("\(number)"), .string("tcp")])
      }
    let member = change.rawValue + kind
    var call = BusCall(FirewalldReader.name, path, interface, member, arguments: before + arguments + after)
    call.replyTime = Self.passwordTime
    do throws(WaitingBus.Refusal) {
      _ = try bus.answer(to: call) { _ in true }
    } catch {
      guard Self.code(error) == change.needless else { throw error }
      return false
    }
    return true
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
