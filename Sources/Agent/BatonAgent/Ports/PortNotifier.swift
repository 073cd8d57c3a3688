// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Desktop
import EventLoop
import Localization
import Systemd

/// Asks the user in notifications whether other machines may use ports, and says why a page can't be shown. There are
/// few questions, and a command answers them, too.
@Loop
final class PortNotifier {
  typealias Question = PortQuestions.ID

  private struct Text: Equatable {
    let ports: [UInt16]
    let device: String
    let team: String
  }

  /// Called with the user's answer.
  var onAnswer: (@Loop (Question, _ isAllowed: Bool) -> Void)?

  private let server: NotificationServer
  /// What is to be shown, with the names of the machine and the team.
  private var wanted: [Question: Text] = [:]
  /// The failure that waits for the server: only the last one, because the others are older than what the user wants.
  private var failure: (summary: String, body: String)?
  private var requests: [NotificationServer.Request: (question: Question, text: Text)] = [:]
  private var shown: [NotificationServer.ID: (question: Question, text: Text)] = [:]
  private var last: NotificationServer.Request = 0
  private var isReady = false

  private static let allowKey = "allow"
  private static let refuseKey = "refuse"

  init(log: Log) {
    server = NotificationServer(log: log, complains: false)
    server.onEvent = { [weak self] in self?.handle($0) }
  }

  /// - Parameters:
  ///   - state: If the question is shown already, this takes its place.
  ///   - team: The team's name.
  func ask(_ question: Question, _ state: PortQuestions.Question, team: String) {
    wanted[question] = Text(ports: state.ports, device: Printable.text(state.device), team: Printable.text(team))
    if isReady { show(question) } else { server.ask() }
  }

  /// Shows that something has failed. The texts have nothing invisible; the body says what to do.
  func tell(_ summary: String, _ body: String) {
    failure = (summary, body)
    if isReady { showFailure() } else { server.ask() }
  }

  /// It is answered, or too old.
  func withdraw(_ question: Question) {
    wanted[question] = nil
    for (id, other) in shown where other.question == question { close(id) }
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
      if case .serverChanged = event, !wanted.isEmpty || failure != nil { server.ask() }
    case .serverMissing: failure = nil
    case .serverIs, .tokenGiven: break
    case .serverReady:
      isReady = true
      for question in wanted.keys { show(question) }
      showFailure()
    case .shown(let request, let id):
      guard let one = requests.removeValue(forKey: request) else { return }
      // A server that can't replace one shows another.
      for (other, old) in shown where other != id && old.question == one.question { close(other) }
      shown[id] = one
      if wanted[one.question] == nil { close(id) } else { show(one.question) }
    case .refused(let request): requests[request] = nil
    case .closed(let id, _): shown[id] = nil
    case .invoked(let id, let key):
      guard let question = shown[id]?.question, key == Self.allowKey || key == Self.refuseKey else { return }
      onAnswer?(question, key == Self.allowKey)
    }
  }

  private func show(_ question: Question) {
    let place = shown.first { $0.value.question == question }
    guard let text = wanted[question], place?.value.text != text,
      !requests.values.contains(where: { $0.question == question })
    else { return }
    last += 1
    requests[last] = (question, text)
    let capabilities: Set<String> = server.capabilities
    let hasActions = capabilities.contains("actions")
    let body =
      hasActions
      ? localized("They show a page of a server on this machine. Baton remembers your answer.")
      : localized("To allow it, run `\(PortList.command("allow", text.ports))`.")
    let ports = PortList.text(text.ports)
    let summary = localized(
      text.ports.count,
      one: "May \(text.device) and your other machines in the team \(text.team) use port \(ports)?",
      other: "May \(text.device) and your other machines in the team \(text.team) use ports \(ports)?"
    )
    server.show(
      last,
      ShownNotification(
        summary: summary,
        body: body,
        actions: hasActions ? [(Self.allowKey, localized("Allow")), (Self.refuseKey, localized("Don't allow"))] : [],
        category: "network",
        manner: NotificationManner(.question(isRead: false), isQuiet: false, isChange: place != nil, server.habits)
      ),
      replacing: place?.key
    )
  }

  private func showFailure() {
    guard let failure else { return }
    self.failure = nil
    last += 1
    let capabilities: Set<String> = server.capabilities
    server.show(
      last,
      ShownNotification(
        summary: failure.summary,
        body: capabilities.contains("body-markup") ? NotificationText.escaped(failure.body) : failure.body,
        // Without it, a click would start the agent in GNOME.
        actions: capabilities.contains("actions") ? [(NotificationText.clickKey, localized("Close"))] : [],
        category: "x-baton.failure",
        manner: NotificationManner(.outcome, isQuiet: false, isChange: false, server.habits)
      ),
      replacing: nil
    )
  }
}
