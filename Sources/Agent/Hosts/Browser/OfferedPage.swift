// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import JSONCoding
import VarlinkClient

/// A page that is offered, or that was handed over and whose state can still be fetched.
@Loop
final class OfferedPage: ActivityHolder {
  let id: ActivityID
  let team: String?
  /// Is told what happens to the page.
  private let handler: @Loop (BrowserSession.Event) -> Void
  private var page: BrowserPage
  private var content: WebPageActivity
  private var held: HeldActivity?
  private var completion: (@Loop (Bool) -> Void)?
  private let streams: PageStateServers
  private let localStreams: LocalPageStreams
  private var state = PageState()
  /// The request whose answer the streams wait for, which are here.
  private var late: (request: Int, waiting: [String])?

  init(
    _ id: ActivityID,
    _ page: BrowserPage,
    path: String?,
    handler: @escaping @Loop (BrowserSession.Event) -> Void
  ) {
    self.id = id
    self.page = page
    self.team = page.team
    streams = PageStateServers(path: path)
    localStreams = LocalPageStreams(path: path)
    self.handler = handler
    content = WebPageActivity(icon: page.icon, state: PageState())
    held = HeldActivity(id, path: path, holder: self)
    held?.becomeCurrent()
  }

  func change(_ page: BrowserPage, _ state: PageState?) {
    set(page, state)
    held?.changed()
  }

  /// What was asked for with `saveRequested` is there.
  ///
  /// - Parameter lateRequest: See `BrowserSession`.
  func saved(_ page: BrowserPage?, _ state: PageState?, lateRequest: Int?) {
    if let page { set(page, state) }
    if let lateRequest {
      late = (lateRequest, [])
      content = WebPageActivity(icon: self.page.icon, lateState: nil)
    }
    let completion = completion
    self.completion = nil
    completion?(true)
  }

  /// The state has come late. Nil if it does not come.
  func received(_ state: PageState?, of url: String?, for request: Int) {
    guard let late, late.request == request else { return }
    self.late = nil
    let state = url?.hasBytes(of: page.url) == true ? state : nil
    content = WebPageActivity(icon: page.icon, lateState: state)
    for stream in late.waiting { streams.serve(stream, content.streamed) }
  }

  func resign() { held?.resign() }

  /// Whether no other machine is fetching it.
  var isIdle: Bool { completion == nil && late == nil && streams.isIdle }

  private func set(_ page: BrowserPage, _ state: PageState?) {
    for stream in late?.waiting ?? [] { streams.serve(stream, nil) }
    late = nil
    self.page = page
    self.state = state ?? PageState()
    content = WebPageActivity(icon: page.icon, state: self.state)
  }

  private var localPage: LocalPageActivity? { page.localPage.map { LocalPageActivity($0, state: state) } }

  func published() -> ControlActivity? {
    if let localPage { return .localPage(localPage, title: page.title, id: id, needsSave: true) }
    return .page(page, content, id: id, needsSave: true)
  }

  func takeChange() {}

  func save(_ completion: @escaping @Loop (Bool) -> Void) {
    self.completion = completion
    handler(.saveRequested)
  }

  func wasRefused(_ failure: ControlFailure) { handler(.refused(failure.localizedMessage)) }

  func wasContinued(on device: String?) { handler(.continued(device: device)) }

  func wasResigned(_ reason: Reason?) { if reason != .shuttingDown { handler(.displaced) } }

  func streamWasRequested(_ stream: String, by device: String, in team: String?) {
    guard let localPage else { return streamWasRequested(stream) }
    localStreams.serve(stream, by: device, in: team, localPage)
  }

  func streamWasRequested(_ stream: String) {
    guard let late else { return streams.serve(stream, content.streamed) }
    if late.waiting.count < BrowserLimits.streams { self.late?.waiting.append(stream) }
  }
}

extension ControlActivity {
  /// The activity of a page whose server runs on this machine.
  static func localPage(_ page: LocalPageActivity, title: String?, id: ActivityID?, needsSave: Bool) -> Self {
    var activity = ControlActivity(id: id, activityType: OpenActivityType.localPage.rawValue)
    activity.title = title
    activity.userInfo = page.userInfo
    activity.needsSave = needsSave
    activity.supportsContinuationStreams = true
    return activity
  }

  /// The activity of a page.
  static func page(_ page: BrowserPage, _ content: WebPageActivity, id: ActivityID?, needsSave: Bool) -> Self {
    var activity = ControlActivity(id: id, activityType: OpenActivityType.webPage.rawValue)
    activity.title = page.title
    activity.webpageURL = page.url
    activity.userInfo = content.userInfo
    activity.needsSave = needsSave
    activity.supportsContinuationStreams = needsSave || content.streamed != nil
    return activity
  }
}
