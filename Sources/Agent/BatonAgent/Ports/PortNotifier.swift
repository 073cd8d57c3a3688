// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Desktop
import EventLoop
import Localization
import Systemd

/// Asks the user in notifications whether other machines may use ports. There are few, and a command answers them, too.
@Loop
final class PortNotifier {
  typealias Question = AllowedPorts.Entry

  /// Called with the user's answer.
  var onAnswer: (@Loop (Question, _ isAllowed: Bool) -> Void)?

  private let server: NotificationServer
  /// What is to be shown, with the name of the machine.
  private var wanted: [Question: String] = [:]
  private var requests: [NotificationServer.Request: Question] = [:]
  private var shown: [NotificationServer.ID: Question] = [:]
  private var last: NotificationServer.Request = 0
  private var isReady = false
  private var isLocked = false

  private static let allowKey = "allow"
  private static let refuseKey = "refuse"

  init(log: Log) {
    server = NotificationServer(log: log, complains: false)
    server.onEvent = { [weak self] in self?.handle($0) }
  }

  func ask(_ question: Question, device: String) {
    wanted[question] = device
    if isReady { show(question) } else { server.ask() }
  }

  /// It is answered, or too old.
  func withdraw(_ question: Question) {
    wanted[question] = nil
    for (id, other) in shown where other == question { close(id) }
  }

  func stop() { server.stop() }

  private func close(_ id: NotificationServer.ID) {
    shown[id] = nil
    server.close(id) {}
  }

  private func handle(_ event: NotificationServer.Event) {
    switch event {
    case .serverChanged, .serverLost:
      (isReady, requests, shown) = (false, [:], [:])
      if case .serverChanged = event, !wanted.isEmpty { server.ask() }
    case .serverMissing, .serverIs, .tokenGiven: break
    case .serverReady:
      isReady = true
      for question in wanted.keys { show(question) }
    case .shown(let request, let id):
      guard let question = requests.removeValue(forKey: request) else { return }
      shown[id] = question
      if wanted[question] == nil { close(id) }
    case .refused(let request): requests[request] = nil
    case .closed(let id, _): shown[id] = nil
    case .invoked(let id, let key):
      guard let question = shown[id], key == Self.allowKey || key == Self.refuseKey else { return }
      onAnswer?(question, key == Self.allowKey)
    }
  }

  private func show(_ question: Question) {
    guard let device = wanted[question].map({ Printable.text($0) }), !requests.values.contains(question),
      !shown.values.contains(question)
    else { return }
    last += 1
    requests[last] = question
    let port = String(question.port)
    let capabilities: Set<String> = server.capabilities
    let hasActions = capabilities.contains("actions")
    let body =
      hasActions
      ? localized("It shows a page of a server on this machine.")
      : localized("To allow it, run `baton ports --allow \(port)`.")
    server.show(
      last,
      ShownNotification(
        summary: localized("May \(device) use port \(port)?"),
        body: body,
        actions: hasActions ? [(Self.allowKey, localized("Allow")), (Self.refuseKey, localized("Don't allow"))] : [],
        category: "network",
        manner: NotificationManner(.question(isRead: false), isQuiet: false, isChange: false, server.habits)
      ),
      replacing: nil
    )
  }
}
