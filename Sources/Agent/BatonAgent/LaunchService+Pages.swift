// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import Systemd
import Varlink
import VarlinkClient

/// Web pages. The limits on the way add up to less than `Limits.launchTime`: `fetchTime`, `associationTime`, twice
/// `scopeTime` (for the variables and for the scope) and `browserTime`. So do the first two and `activationTime`.
extension LaunchService {
  func showPage(_ launch: Launch) {
    let name = launch.request.launch
    do throws(ControlError) {
      let parameters = Continue.Parameters(id: launch.request.id, deviceID: launch.request.deviceID)
      continuing[name] = try ControlCall(Continue.self, parameters, path: socket) { [weak self] result in
        guard let self else { return }
        self.continuing[name] = nil
        switch result {
        case .success(let reply): self.show(reply.activity.webpageURL, from: reply.origin, launch)
        case .failure(.failed(let failure)): self.report(launch, .failed, failure.reason)
        case .failure: self.report(launch, .failed, .internalFailure)
        }
      }
    } catch {
      report(launch, .failed, .internalFailure)
    }
  }

  private func show(_ url: String?, from origin: Origin, _ launch: Launch) {
    // The URL comes from the other machine.
    guard let page = url.flatMap(WebPage.init) else {
      return report(launch, .failed, url == nil ? .applicationNotFound : .urlInvalid)
    }
    // It would be a page of this machine's own server.
    guard origin == .local || !page.isOfThisMachineOnly else {
      return report(launch, .failed, .urlInvalid)
    }
    // A person opened the page of the host that was offered. An offer without a host opens nothing.
    guard launch.request.webpageHost.map({ $0.hasBytes(of: page.hostName) }) ?? false else {
      log.warning("Refused to open a web page, because its host isn't the one that was offered")
      return report(launch, .failed, .protocolViolation)
    }
    let claims = installed.catalog.applications(for: page, team: launch.request.team)
    confirm(page, chosen.choices.ordered(claims, page: page)) { [weak self] applications in
      self?.start(applications[...], launch, targets: [page.url]) { result in
        guard case .impossible = result else {
          self?.shown(launch, result)
          return
        }
        let browser = ApplicationCommand(id: "xdg-open", name: "Web browser", arguments: ["xdg-open", page.url])
        // xdg-open hands the page to a browser and ends, unless it becomes the browser.
        self?.start(browser, launch, patience: Limits.browserTime) { self?.shown(launch, $0) }
      }
    }
  }

  private func shown(_ launch: Launch, _ result: Start) {
    switch result {
    case .started: report(launch, .continued)
    case .ended: report(launch, .failed, .launchFailed)
    case .impossible(let reason): report(launch, .failed, reason)
    }
  }

  /// Finds the apps that their domains confirm, the preferred one first. All domains are asked at the same time, so any
  /// number of them takes at most `Limits.associationTime`.
  ///
  /// - Parameter completion: Called once, as soon as the first such app is known.
  private func confirm(
    _ page: WebPage,
    _ claims: [(application: DesktopEntry, domain: String)],
    completion: @escaping @Loop ([DesktopEntry]) -> Void
  ) {
    var claims = PageClaims(page, claims)
    var isOver = false
    let judge: @Loop () -> Void = { [log] in
      guard !isOver, let applications = claims.applications else { return }
      isOver = true
      if let domain = claims.exhaustingDomain {
        log.notice(
          "A web page wasn't compared with all rules in its domain's association file, because there are too many",
          ["domain": domain]
        )
      }
      completion(applications)
    }
    for domain in claims.domains {
      associations.find(domain) { file in
        claims.answer(domain, file)
        judge()
      }
    }
    judge()
  }
}
