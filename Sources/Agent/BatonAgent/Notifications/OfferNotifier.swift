// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Systemd

/// Carries out what `OfferNotifications` decides, and reports events to it.
@Loop
final class OfferNotifier {
  /// Lets an app continue the activity, if it is still what was shown. The second argument is the token that lets the
  /// app take the focus. The third must be called with the result.
  typealias Opener = @Loop (OfferNotice, String?, @escaping @Loop (Opening) -> Void) -> Void

  enum Opening {
    case opened
    /// The offer is no longer what was shown.
    case changed
    /// The text is for people.
    case failed(String)
  }

  private let shell: NotificationShell<OfferNotifications>
  private let open: Opener
  private let decline: @Loop (OfferNotice.ID) -> Void
  private let mute: @Loop (DeviceID, _ name: String) -> Void
  private let log: Log

  /// - Parameters:
  ///   - decline: Called when the user does not want files that a machine sends.
  ///   - mute: Called when the user no longer wants to hear of a machine.
  init(
    log: Log,
    open: @escaping Opener,
    decline: @escaping @Loop (OfferNotice.ID) -> Void,
    mute: @escaping @Loop (DeviceID, _ name: String) -> Void
  ) {
    self.log = log
    self.open = open
    self.decline = decline
    self.mute = mute
    shell = NotificationShell(log: log)
    shell.perform = { [weak self] in self?.perform($0) }
  }

  func start() { shell.server.start() }

  /// See `NotificationShell.stop(completion:)`.
  func stop(completion: @escaping @Loop () -> Void) { shell.stop(completion: completion) }

  /// - Parameter notices: What is offered and may be shown, the newest first.
  func offersChanged(_ notices: [OfferNotice]) { shell.handle(.offersChanged(notices)) }

  /// Passes on whether the screen is locked. Nothing is shown on a locked screen.
  func screenChanged(isLocked: Bool) { shell.handle(.locked(isLocked)) }

  private func perform(_ effect: OfferNotifications.Effect) {
    let server = shell.server
    switch effect {
    case .ask: server.ask()
    case .show(let request, let content, let replaced, let isQuiet):
      let text = NotificationText(content, capabilities: server.capabilities, server.habits)
      let manner = NotificationManner(content.kind, isQuiet: isQuiet, isChange: replaced != nil, server.habits)
      let category = content.failure == nil ? "x-baton.offer" : "x-baton.failure"
      server.show(
        request,
        ShownNotification(
          summary: text.summary,
          body: text.body,
          actions: server.habits.actions(text.actions),
          category: category,
          manner: manner
        ),
        replacing: replaced
      )
    case .close(let id): shell.close(id)
    case .open(let notice, let token):
      let offer = notice.id
      log.info("The user continued an activity from a notification", ["activity": offer.activity.description])
      open(notice, token) { [weak self] opening in
        switch opening {
        case .opened: self?.shell.handle(.opened(offer))
        case .changed: self?.shell.handle(.offerChanged(offer))
        case .failed(let why): self?.shell.handle(.openFailed(offer, why: why))
        }
      }
    case .decline(let offer): decline(offer)
    case .mute(let device, let name): mute(device, name)
    case .silent: shell.complainOfSilence()
    case .wake(let instant): shell.wake(at: instant)
    }
  }
}
