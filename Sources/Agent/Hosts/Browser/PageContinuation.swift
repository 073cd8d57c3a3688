// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import JSONCoding
import Localization
import VarlinkClient

/// Continues a page of another machine: fetches the activity and, if it is in a stream, the state.
@Loop
final class PageContinuation {
  /// What the browser has to open.
  struct Page {
    let page: BrowserPage
    let state: PageState
    let device: String
    /// Pages on other hosts. The person has not seen these hosts yet.
    let others: [BrowserPage]
  }

  struct Failure: Error {
    let message: String
  }

  private let id: ActivityID
  private let host: String
  private let path: String?
  private var call: ControlCall<Continue>?
  private var client: DocumentClient?
  private var deadline: EventLoop.Timer?
  private var handler: (@Loop (Result<Page, Failure>) -> Void)?

  /// - Parameters:
  ///   - host: That of the page which the person has chosen. No other is opened.
  ///   - handler: Called once, unless this object is released before. Never called before this returns.
  init(
    _ id: ActivityID,
    _ deviceID: DeviceID?,
    host: String,
    path: String?,
    handler: @escaping @Loop (Result<Page, Failure>) -> Void
  ) throws(ControlError) {
    self.id = id
    self.host = host
    self.path = path
    self.handler = handler
    let parameters = Continue.Parameters(id: id, deviceID: deviceID)
    call = try ControlCall(Continue.self, parameters, path: path) { [weak self] result in self?.received(result) }
  }

  private func received(_ result: Result<Continue.Reply, ControlError>) {
    switch result {
    case .failure(let error): finish(.failure(Failure(message: "\(error)")))
    case .success(let reply): received(reply.activity, from: reply.device)
    }
  }

  private func received(_ activity: ControlActivity, from device: String) {
    guard let url = activity.webpageURL.flatMap(BrowserPage.address) else {
      return finish(.failure(Failure(message: localized("The activity has no web page that can be opened."))))
    }
    guard isOffered(url) else {
      return finish(.failure(Failure(message: localized("The page isn't on the site that was offered."))))
    }
    let page = BrowserPage(url: url, title: activity.title)
    // Of other types, only the page is known.
    guard activity.activityType == OpenActivityType.webPage.rawValue else {
      return finish(.success(self.page(page, PageState(), from: device)))
    }
    let inline = self.page(page, PageState(json: activity.userInfo ?? .null), from: device)
    guard activity.supportsContinuationStreams, WebPageActivity.isStateInStream(activity.userInfo) else {
      return finish(.success(inline))
    }
    deadline = EventLoop.Timer { [weak self] in self?.finish(.success(inline)) }
    deadline?.set(Loop.now + BrowserLimits.streamTime)
    do throws(ControlError) {
      client = try DocumentClient(opening: id, path: path) { descriptor throws(DocumentStreamError) in
        try DocumentStream.fetchBytes(.pageState, over: descriptor, limit: BrowserLimits.outgoingLength).bytes
      } completion: { [weak self] result in
        let json = try? JSON(parsing: (try? result.get()) ?? [], depth: BrowserLimits.depth)
        guard let self else { return }
        self.finish(.success(json.map { self.page(page, PageState(json: $0), from: device) } ?? inline))
      } onEnd: {
      }
    } catch {
      finish(.success(inline))
    }
  }

  private func page(_ page: BrowserPage, _ state: PageState, from device: String) -> Page {
    var state = state
    let others = state.tabs.filter { !isOffered($0.url) }
    state.tabs.removeAll { !isOffered($0.url) }
    return Page(page: page, state: state, device: device, others: others)
  }

  /// Whether the page is on the host that the person has chosen.
  private func isOffered(_ url: String) -> Bool { WebPage(url)?.hostName.hasBytes(of: host) ?? false }

  private func finish(_ result: Result<Page, Failure>) {
    let handler = handler
    self.handler = nil
    deadline = nil
    call = nil
    handler?(result)
  }
}
