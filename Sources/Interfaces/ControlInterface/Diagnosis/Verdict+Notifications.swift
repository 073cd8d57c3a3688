// SPDX-License-Identifier: Apache-2.0

import Localization

extension Verdict {
  /// Who shows the user's notifications, and whether it shows Baton's at the moment.
  package struct Notifications: Equatable, Sendable {
    package enum Server: Equatable, Sendable {
      /// With what the system says.
      case noBus(String)
      case missing
      /// The bus starts one for the first notification.
      case startable
      case silent
      /// - Parameter name: As it calls itself.
      case running(name: String)
    }

    /// Why notifications do not appear on the screen.
    package enum Mute: Equatable, Sendable {
      case dunst
      case gnome
      case gnomeForBaton
      case plasma
      case swaync
      case xfce
      /// - Parameter modes: All but the default one.
      case mako(modes: [String])
    }

    package let server: Server
    package let mute: Mute?
    /// Other programs that could show notifications and run, too.
    package let others: [String]
    /// Whether there is a desktop on which they could appear.
    package let isDesktop: Bool
    /// Whether the agent was told to show none.
    package let isOff: Bool

    package init(
      _ server: Server,
      mute: Mute? = nil,
      others: [String] = [],
      isDesktop: Bool = true,
      isOff: Bool = false
    ) {
      (self.server, self.mute, self.others) = (server, mute, others)
      (self.isDesktop, self.isOff) = (isDesktop, isOff)
    }
  }

  /// A program that shows notifications: for people, as it calls itself on the bus, and by the kernel's name of it.
  private static let servers: [(title: String, name: String, program: String)] = [
    ("GNOME Shell", "gnome-shell", "gnome-shell"), ("Plasma", "Plasma", "plasmashell"), ("dunst", "dunst", "dunst"),
    ("mako", "mako", "mako"), ("xfce4-notifyd", "Xfce Notify Daemon", "xfce4-notifyd"),
    ("swaync", "SwayNotificationCenter", "swaync"), ("fnott", "fnott", "fnott"),
    ("lxqt-notificationd", "lxqt-notificationd", "lxqt-notificati"),
    ("mate-notification-daemon", "Notification Daemon", "mate-notificati"),
    ("notification-daemon", "Notification Daemon", "notification-da"), ("notify-osd", "notify-osd", "notify-osd"),
  ]

  /// The titles of the programs that run and are not the one that shows notifications.
  ///
  /// - Parameters:
  ///   - name: What the one that shows them calls itself.
  ///   - program: The kernel's name of it, if it is known.
  package static func otherServers(than name: String, program: String?, _ running: RunningPrograms) -> [String] {
    servers.filter { $0.name != name && $0.program != program && running.isRunning([$0.program]) }.map(\.title)
  }

  /// - Returns: Nil if there is nothing to say.
  package static func notifications(_ notifications: Notifications) -> Finding? {
    func note(_ detail: String, _ advice: String) -> Finding { Finding(.notifications, .note, detail, advice: advice) }
    let lists = localized("`baton list` shows offers, and `baton` shows everything that needs your approval.")
    switch notifications.server {
    case .noBus where !notifications.isDesktop, .missing where !notifications.isDesktop: return nil
    case .noBus(let detail):
      return note(
        localized("No notifications are shown, because there's no session bus: \(detail)."),
        localized("Install dbus-user-session, and log in again.") + " \(lists)"
      )
    case .missing:
      return note(
        localized("No notifications are shown, because this desktop has no program that shows them."),
        localized("Install and start one, such as dunst, or mako on Wayland.") + " \(lists)"
      )
    case _ where notifications.isOff:
      return note(
        localized("The agent doesn't show notifications, because it runs with --no-notifications."),
        localized(
          "To change that, run `systemctl --user revert baton-agent`, and then `systemctl --user restart baton-agent`."
        )
      )
    case .silent:
      return note(
        localized("The program that shows notifications isn't responding."),
        localized("Restart it.") + " \(lists)"
      )
    case .startable:
      return Finding(
        .notifications,
        .passed,
        localized("The program that shows notifications will start when the first one arrives.")
      )
    case .running(let name):
      let title = servers.first { $0.name == name }?.title ?? name
      if let mute = notifications.mute {
        let (detail, advice) = text(mute)
        return note(detail, "\(advice) \(lists)")
      }
      guard notifications.others.isEmpty else {
        let others = list(notifications.others)
        return note(
          localized(
            "\(title) shows notifications, and \(others) could as well. The one that starts first shows them all."
          ),
          localized(
            "Keep the one you want, and disable the other in your desktop's autostart and in systemd's user units."
          )
        )
      }
      return Finding(.notifications, .passed, localized("\(title) shows notifications."))
    }
  }

  private static func text(_ mute: Notifications.Mute) -> (detail: String, advice: String) {
    switch mute {
    case .dunst:
      (localized("dunst is paused, so no notifications appear."), localized("Run `dunstctl set-paused false`."))
    case .gnome:
      (
        localized("GNOME is set to Do Not Disturb, so notifications appear only in its list."),
        localized(
          "Turn it off below that list, or run `gsettings set org.gnome.desktop.notifications show-banners true`."
        )
      )
    case .gnomeForBaton:
      (
        localized("Baton's notifications are turned off in GNOME's settings."),
        localized("Turn them on in Settings, under Notifications, Baton.")
      )
    case .plasma:
      (
        localized("Plasma is set to Do Not Disturb, so notifications appear only in its history."),
        localized("Turn it off under Notifications in the panel.")
      )
    case .swaync:
      (
        localized("swaync is set to Do Not Disturb, so no notifications appear."),
        localized("Run `swaync-client --dnd-off`.")
      )
    case .xfce:
      (
        localized("xfce4-notifyd is set to Do Not Disturb, so no notifications appear."),
        localized("Run `xfconf-query -c xfce4-notifyd -p /do-not-disturb -s false`.")
      )
    case .mako(let modes):
      (
        localized("mako is in the mode \(list(modes)), in which its configuration may hide notifications."),
        localized("Run `makoctl mode -s default`.")
      )
    }
  }
}
