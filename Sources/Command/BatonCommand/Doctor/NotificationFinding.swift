// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Hosts
import Localization
import Systemd

/// What the doctor finds out about notifications, from the user's bus.
enum NotificationFinding {
  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  /// How long each question may take.
  private static let time = Duration.seconds(2)
  /// The total length in bytes of the names of the services that a bus can start.
  private static let namesLength = 64 * 1024
  /// The length in bytes of what one of GNOME's settings says.
  private static let settingLength = 1024

  /// - Returns: Nil if there is nothing to say.
  static func finding(
    _ environment: ProcessEnvironment = .current,
    _ running: RunningPrograms = .ofThisUser()
  ) -> Diagnose.Reply? {
    let isDesktop = environment["WAYLAND_DISPLAY"] != nil || environment["DISPLAY"] != nil
    let isOff = running.hasHost("agent", with: "--no-notifications")
    func verdict(_ server: Verdict.Notifications.Server) -> Diagnose.Reply? {
      Verdict.notifications(Verdict.Notifications(server, isDesktop: isDesktop, isOff: isOff))
    }
    let bus: WaitingBus
    do throws(MessageBus.Failure) { bus = try WaitingBus(.user, time: time) } catch {
      return verdict(.noBus("\(error)"))
    }
    func ask<T>(_ member: String, _ arguments: [BusArgument], _ read: (BusMessage) -> T?) -> T? {
      let name = "org.freedesktop.DBus"
      return bus.ask(BusCall(name, "/org/freedesktop/DBus", name, member, arguments: arguments), read)
    }
    guard let startable = ask("ListActivatableNames", [], { $0.strings(limit: namesLength) }) else {
      return verdict(.noBus(localized("it isn't responding")))
    }
    guard let owner = ask("GetNameOwner", [.string(name)], { $0.string() }) else {
      return verdict(startable.contains(name) ? .startable : .missing)
    }
    guard let server = bus.ask(BusCall(name, path, name, "GetServerInformation"), { $0.string() }) else {
      return verdict(.silent)
    }
    let program = ask("GetConnectionUnixProcessID", [.string(owner)]) { $0.number() }.flatMap {
      Int32(exactly: $0).flatMap(running.name(of:))
    }
    return Verdict.notifications(
      Verdict.Notifications(
        .running(name: server),
        mute: mute(of: server, on: bus, environment),
        others: Verdict.otherServers(than: server, program: program, running),
        isDesktop: isDesktop,
        isOff: isOff
      )
    )
  }

  /// Why a server shows no notifications at the moment; nil if it shows them.
  private static func mute(
    of server: String,
    on bus: WaitingBus,
    _ environment: ProcessEnvironment
  ) -> Verdict.Notifications.Mute? {
    switch server {
    case "dunst":
      return bus.property(name, path, "org.dunstproject.cmd0", "paused", "b") { $0.boolean() } == true ? .dunst : nil
    case "Plasma": return bus.property(name, path, name, "Inhibited", "b") { $0.boolean() } == true ? .plasma : nil
    case "gnome-shell": return gnomeMute(environment)
    case "mako":
      let mako = "fr.emersion.Mako"
      let modes =
        bus.ask(BusCall(name, "/fr/emersion/Mako", mako, "ListModes")) { $0.strings(limit: namesLength) } ?? []
      let others = modes.filter { $0 != "default" }
      return others.isEmpty ? nil : .mako(modes: others)
    case "SwayNotificationCenter":
      let control = "org.erikreider.swaync.cc"
      let call = BusCall(control, "/org/erikreider/swaync/cc", control, "GetDnd")
      return bus.ask(call) { $0.boolean() } == true ? .swaync : nil
    case "Xfce Notify Daemon":
      let settings = "org.xfce.Xfconf"
      let call = BusCall(settings, "/org/xfce/Xfconf", settings, "GetProperty", "xfce4-notifyd", "/do-not-disturb")
      let isMuted = bus.ask(call) { reply in reply.enter(.variant, "b") { reply.boolean() } ?? nil }
      return isMuted == true ? .xfce : nil
    default: return nil
    }
  }

  /// GNOME's settings are in its database, which only its own programs read.
  private static func gnomeMute(_ environment: ProcessEnvironment) -> Verdict.Notifications.Mute? {
    guard let program = environment.program("gsettings") else { return nil }
    let schema = "org.gnome.desktop.notifications"
    func isOff(_ schema: String, _ key: String) -> Bool {
      let options = ChildProgram.Options(environment: environment.list)
      let words = [program, "get", schema, key]
      let result = try? BlockingProgram.run(words, options, limit: settingLength, time: time)
      return result?.status == 0 && result.map { String(decoding: $0.output, as: UTF8.self).trimmed } == "false"
    }
    // The name of our desktop entry, as GNOME writes it in paths.
    let own = "\(schema).application:/org/gnome/desktop/notifications/application/io-baton-agent/"
    if isOff(own, "enable") || isOff(own, "show-banners") { return .gnomeForBaton }
    return isOff(schema, "show-banners") ? .gnome : nil
  }
}
