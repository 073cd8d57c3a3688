// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Localization
import Systemd

/// Tells people on the desktop that something cannot be played, long after they wanted that.
@Loop
final class PlaybackNotice {
  private static let name = "org.freedesktop.Notifications"
  private let log: Log
  /// While it is shown, because GNOME withdraws what a program has shown when its connection ends.
  private var bus: MessageBus?
  private var timer: Timer?

  init(log: Log) {
    self.log = log
    timer = Timer { [weak self] in self?.end() }
  }

  private func end() {
    timer?.set(nil)
    bus?.close()
    bus = nil
  }

  /// - Parameters:
  ///   - device: The name of the machine where it was played.
  ///   - why: In words, as a sentence.
  func show(title: String?, device: String, _ why: String) {
    let summary = title.flatMap(VisibleText.line) ?? localized("Playback")
    let body = NotificationText.failure(VisibleText.line(device) ?? localized("another machine"), why)
    let hints = BusArgument.properties([
      "category": .string("x-baton.failure"), "desktop-entry": .string("io.baton.Agent"),
    ])
    // A body could have markup, and the title is what another machine says.
    let arguments = [
      BusArgument.string("Baton"), .number(0), .string(NotificationText.icon), .string("\(summary): \(body)"),
      .string(""),
      // Without it, a click would start the agent in GNOME.
      .array(contents: "s", [.string("default"), .string(localized("Close"))]), hints, .integer(-1),
    ]
    do throws(MessageBus.Failure) {
      if bus == nil { bus = try MessageBus(.user) { [weak self] _ in self?.end() } }
      timer?.set(Loop.now + Limits.failureNotificationTime)
      let call = BusCall(Self.name, "/org/freedesktop/Notifications", Self.name, "Notify", arguments: arguments)
      try bus?.call(call) { _ in }
    } catch {
      log.debug("A notification couldn't be shown: \(error.description)")
    }
  }
}
