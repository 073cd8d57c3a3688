// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import VarlinkClient

/// A page that the person has sent to one machine. It waits for that machine for as long as this object exists.
@Loop
final class SentPage {
  private let content: WebPageActivity
  private let localPage: LocalPageActivity?
  private var call: StandingCall<SendActivity>?
  private let streams: PageStateServers
  private let localStreams: LocalPageStreams
  private(set) var isContinued = false
  /// Called with the first answer: nil if the page is on its way, otherwise why it is not.
  private var answer: (@Loop (String?) -> Void)?
  private let onEnd: @Loop () -> Void

  /// - Parameters:
  ///   - answer: Called once.
  ///   - onEnd: Called when nobody can take the page any longer.
  init(
    _ page: BrowserPage,
    _ state: PageState,
    to deviceID: DeviceID,
    path: String?,
    answer: @escaping @Loop (String?) -> Void,
    onEnd: @escaping @Loop () -> Void
  ) {
    content = WebPageActivity(icon: page.icon, state: state)
    localPage = page.localPage.map { LocalPageActivity($0, state: state) }
    streams = PageStateServers(path: path)
    localStreams = LocalPageStreams(path: path)
    self.answer = answer
    self.onEnd = onEnd
    // The ID stays the same if the daemon restarts.
    let others = state.tabs.count { !$0.url.hasBytes(of: page.url) }
    let activity =
      localPage.map { ControlActivity.localPage($0, title: page.title, id: .random(), needsSave: false) }
      ?? ControlActivity.page(page.counting(others), content, id: .random(), needsSave: false)
    let parameters = SendActivity.Parameters(activity: activity, deviceID: deviceID, team: page.team)
    call = StandingCall(SendActivity.self, parameters, path: path) { [weak self] event in self?.handle(event) }
  }

  /// Whether the page and its state have arrived.
  var isFinished: Bool { isContinued && streams.isIdle }

  /// Sends the page.
  func begin() { call?.begin() }

  private func handle(_ event: StandingCall<SendActivity>.Event) {
    switch event {
    case .replied(let reply): received(reply)
    case .failed(.failed(let failure)) where failure.reason != .shuttingDown: end(failure.localizedMessage)
    // What was sent once is sent again as soon as there is a daemon.
    case .failed(let error): if answer != nil { end("\(error)") }
    case .lost: if isContinued { end(nil) }
    }
  }

  private func received(_ reply: SendActivity.Reply) {
    switch reply.event {
    case .sent: tell(nil)
    case .resigned: if reply.reason != .shuttingDown { end(reply.reason?.explanation) }
    case .willSave: break
    case .continued: isContinued = true
    case .streamRequested:
      guard let stream = reply.stream else { return }
      guard let localPage else { return streams.serve(stream, content.streamed) }
      localStreams.serve(stream, by: reply.device ?? "", in: reply.team, localPage)
    }
  }

  private func tell(_ failure: String?) {
    let answer = answer
    self.answer = nil
    answer?(failure)
  }

  private func end(_ failure: String?) {
    call = nil
    tell(failure)
    onEnd()
  }
}
