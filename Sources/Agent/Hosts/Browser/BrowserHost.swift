// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import Glibc
import JSONCoding
import Localization
import VarlinkClient

/// Speaks for one browser, whose extension is at the other end of standard input and output. It lives as long as the
/// extension's connection, and everything that it offers ends with it.
@Loop
package final class BrowserHost {
  private let path: String?
  private let onFault: @Loop (String) -> Void
  private let onEnd: @Loop (String?) -> Void
  private var port: NativePort?
  /// Nil until the extension has introduced itself.
  private var session: BrowserSession?
  private var timer: EventLoop.Timer?
  private var offered: OfferedPage?
  /// Pages that other machines have continued, the newest first.
  private var handedOver: [OfferedPage] = []
  /// Pages that were sent to single machines, the newest first.
  private var sent: [(number: Int, page: SentPage)] = []
  private var registration: StandingCall<RegisterApplication>?
  private var lists: BrowserLists?
  private var continuations: [ActivityID: PageContinuation] = [:]
  /// What brings a window of the browser to the front, and the token for that, until the extension asks for it.
  private var front: (browser: RunningBrowser, token: String)?
  private var openings: [ActivityID: ControlCall<OpenOffer>] = [:]
  private var renewal: ProgramRenewal?

  /// - Parameters:
  ///   - path: The path of the control socket. Nil for the user's default daemon.
  ///   - input: Where the browser's messages come from. This object closes both descriptors.
  ///   - onFault: Called when something was wrong that the host can do without. Its argument describes it.
  ///   - onEnd: Called once, when the browser has gone. Its argument says what was wrong, if something was.
  package init(
    path: String? = nil,
    input: Int32 = STDIN_FILENO,
    output: Int32 = STDOUT_FILENO,
    onFault: @escaping @Loop (String) -> Void,
    onEnd: @escaping @Loop (String?) -> Void
  ) {
    self.path = path
    self.onFault = onFault
    self.onEnd = onEnd
    port = NativePort(input: input, output: output) { [weak self] json in
      self?.received(json)
    } onEnd: { [weak self] fault in
      self?.end(fault)
    }
    timer = EventLoop.Timer { [weak self] in self?.handle(.wake) }
    // The extension starts the next host, and tells it the page.
    renewal = ProgramRenewal { [weak self] in
      self?.isIdle ?? false
    } renew: { [weak self] _ in
      self?.port?.close()
    }
  }

  /// Whether nothing of a person is in this process only.
  private var isIdle: Bool {
    openings.isEmpty && continuations.isEmpty && sent.allSatisfy(\.page.isFinished)
      && ([offered].compactMap(\.self) + handedOver).allSatisfy(\.isIdle)
  }

  private func end(_ fault: String?) {
    (offered, handedOver, sent, registration, lists, session) = (nil, [], [], nil, nil, nil)
    (continuations, openings, front) = ([:], [:], nil)
    timer?.set(nil)
    WithheldNote.write(nil)
    BrowserFocus.note(false)
    onEnd(fault)
  }

  private func received(_ message: BrowserMessage) {
    guard session != nil else {
      if case .hello(let isTaken, let url) = message { begin(isTaken: isTaken, url) }
      return
    }
    switch message {
    case .hello: break
    case .page(let page?, let isChosen) where PortFile.isOfOtherMachine(page):
      handle(.page(nil, isChosen: isChosen))
      port?.send(PageStatus.refused(Self.otherMachines).json)
    case .page(let page, let isChosen): handle(.page(page, isChosen: isChosen))
    case .focus(let isOn): BrowserFocus.note(isOn)
    case .withheld(let page): WithheldNote.write(page)
    case .state(let request, let url, let state):
      report(state, from: "The browser")
      handle(.state(request: request, url: url, state))
      for page in [offered].compactMap(\.self) + handedOver { page.received(state, of: url, for: request) }
    case .watch(let isOn):
      guard isOn else { return lists = nil }
      lists = lists ?? BrowserLists(path: path) { [weak self] lists in self?.port?.send(lists) }
    case .open(let request, let id, let deviceID, let shown): open(id, deviceID, shown, request)
    case .send(let request, let page, let state, let deviceID):
      report(state, from: "The browser")
      send(page, state, deviceID, request)
    case .front(let url):
      if let front { front.browser.bringToFront(opening: url, token: front.token) }
      front = nil
    }
  }

  private func received(_ json: JSON) {
    guard let message = BrowserMessage(json: json) else { return refuse(json) }
    received(message)
    if case .page(nil, _) = message { refusePage(json) }
  }

  /// Answers a message that this program cannot read. A newer extension may know more.
  private func refuse(_ json: JSON) {
    guard session != nil else { return }
    let request = json.object?["request"]?.int64.flatMap { Int(exactly: $0) }
    answer(request, localized("Baton can't read the browser's request. Upgrade Baton, and restart the browser."))
  }

  /// Says so if there is a page, but not one that this program can read.
  private func refusePage(_ json: JSON) {
    guard session != nil, json.object?["page"]?.object != nil else { return }
    port?.send(PageStatus.refused(localized("Baton can't read its address.")).json)
  }

  /// Describes what was left out of a state. It's not answered, because the page is worth having without it.
  private func report(_ state: PageState?, from sender: String) {
    guard let parts = state?.malformed, !parts.isEmpty else { return }
    let names = parts.map(\.rawValue).joined(separator: ", ")
    onFault("\(sender) sent a page state with malformed parts, which Baton ignores: \(names)")
  }

  private func begin(isTaken: Bool, _ url: String?) {
    session = BrowserSession(isTaken: isTaken, url: url)
    // One that was killed had the same number.
    WithheldNote.write(nil)
    port?.send(["type": "hello", "version": .string(Version.current)])
    let parameters = RegisterApplication.Parameters(
      activityTypes: [OpenActivityType.webPage.rawValue],
      application: "io.baton.browser"
    )
    registration = StandingCall(RegisterApplication.self, parameters, path: path) { [weak self] event in
      guard case .replied(let reply) = event else { return }
      if reply.event == .registered { self?.renewal?.check() }
      guard reply.event == .continueRequested, let id = reply.id else { return }
      self?.continuePage(id, reply.deviceID, host: reply.webpageHost, token: reply.activationToken)
    }
    registration?.begin()
  }

  // MARK: Offering

  private func handle(_ event: BrowserSession.Event) {
    let effects = session?.handle(event, at: Loop.now) ?? []
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: BrowserSession.Effect) {
    switch effect {
    case .publish: if let page = session?.page { publish(page) }
    case .change: if let page = session?.page { offered?.change(page, session?.state) }
    case .withdraw:
      offered?.resign()
      offered = nil
    case .getState(let request): port?.send(["type": "getState", "request": .integer(Int64(request))])
    case .saved: offered?.saved(session?.page, session?.state, lateRequest: session?.lateRequest)
    case .handOver:
      if let offered { handedOver.insert(offered, at: 0) }
      if handedOver.count > BrowserLimits.handedOver { handedOver.removeLast() }
      offered = nil
    case .tell(let status): port?.send(status.json)
    case .wake(let instant): timer?.set(instant)
    }
  }

  private func publish(_ page: BrowserPage) {
    let id = ActivityID.random()
    // What an earlier page reports late does not concern this one.
    let handle: @Loop (BrowserSession.Event) -> Void = { [weak self] event in
      guard let self, self.offered?.id == id else { return }
      self.handle(event)
    }
    offered = OfferedPage(id, page, path: path, handler: handle)
  }

  /// Why a page that has come here from the machine of its server goes no further.
  private static var otherMachines: String {
    localized("The server of this page runs on another machine. Open the page there to continue it elsewhere.")
  }

  private func send(_ page: BrowserPage, _ state: PageState, _ deviceID: DeviceID, _ request: Int) {
    guard !PortFile.isOfOtherMachine(page) else { return answer(request, Self.otherMachines) }
    if sent.count >= BrowserLimits.sent {
      // What has arrived is kept for its stream only. What waits for its machine is not lost for another page.
      guard let arrived = sent.lastIndex(where: \.page.isContinued) else {
        return answer(request, localized("Too many pages are waiting to be delivered. Try again later."))
      }
      sent.remove(at: arrived)
    }
    let number = (sent.first?.number ?? 0) &+ 1
    let page = SentPage(page, state, to: deviceID, path: path) { [weak self] failure in
      self?.answer(request, failure)
    } onEnd: { [weak self] in
      self?.sent.removeAll { $0.number == number }
    }
    sent.insert((number, page), at: 0)
    page.begin()
  }

  // MARK: Continuing

  /// The person continues an offer from the browser.
  private func open(_ id: ActivityID, _ deviceID: DeviceID, _ shown: ShownOffer, _ request: Int) {
    if shown.activityType == OpenActivityType.webPage.rawValue {
      guard lists?.offers(shown, id, deviceID) == true else {
        return answer(request, Reason.activityChanged.explanation)
      }
      return continuePage(id, deviceID, host: shown.webpageHost, request)
    }
    guard openings[id] == nil, openings.count < BrowserLimits.continuations else {
      return answer(request, localized("This is already being opened."))
    }
    do throws(ControlError) {
      let parameters = OpenOffer.Parameters(id: id, deviceID: deviceID, shown: shown)
      openings[id] = try ControlCall(OpenOffer.self, parameters, path: path) { [weak self] result in
        self?.openings[id] = nil
        if case .failure(let error) = result { self?.answer(request, "\(error)") } else { self?.answer(request, nil) }
      }
    } catch { answer(request, "\(error)") }
  }

  /// - Parameters:
  ///   - token: See `OpenOffer`.
  ///   - request: What the browser is answered. Nil if another program asks.
  private func continuePage(
    _ id: ActivityID,
    _ deviceID: DeviceID?,
    host: String?,
    token: String? = nil,
    _ request: Int? = nil
  ) {
    guard let host else { return answer(request, localized("The offer doesn't specify a site.")) }
    guard continuations[id] == nil, continuations.count < BrowserLimits.continuations else {
      return answer(request, localized("This is already being opened."))
    }
    do throws(ControlError) {
      continuations[id] = try PageContinuation(id, deviceID, host: host, path: path) { [weak self] result in
        self?.continuations[id] = nil
        self?.continued(result, token, request)
      }
    } catch { answer(request, "\(error)") }
  }

  private func continued(
    _ result: Result<PageContinuation.Page, PageContinuation.Failure>,
    _ token: String?,
    _ request: Int?
  ) {
    switch result {
    case .failure(let failure): answer(request, failure.message)
    case .success(let page):
      report(page.state, from: Printable.text(page.device))
      let tabs = page.state.tabs
      var state = page.state
      state.tabs = []
      var message: [String: JSON] = ["type": "openPage", "page": page.page.json, "device": .string(page.device)]
      if let token, let browser = RunningBrowser.parent {
        front = (browser, token)
        message["hasToken"] = true
      }
      message["tabs"] = .array(tabs.map(\.json))
      message["others"] = .array(page.others.map(\.json))
      message["state"] = state.isEmpty ? .null : state.json
      if port?.send(.object(message)) == false {
        message["state"] = .null
        port?.send(.object(message))
      }
      answer(request, nil)
    }
  }

  private func answer(_ request: Int?, _ failure: String?) {
    guard let request else { return }
    let message = failure.map { JSON.string(Printable.text($0, limit: 1000)) }
    port?.send(["type": "result", "request": .integer(Int64(request)), "message": message ?? .null])
  }
}
