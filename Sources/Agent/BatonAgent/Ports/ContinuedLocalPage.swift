// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import VarlinkClient

/// The stream of a page of another machine's server: it opens connections to the page's ports.
@Loop
final class ContinuedLocalPage {
  let page: LocalPageActivity
  private var stream: ProgramStream?
  private var tunnel: PortTunnel?
  /// Why there are no connections, once it is over.
  private(set) var failure = ForwardingFailure.away
  private var completion: (@Loop (ControlFailure?) -> Void)?

  /// - Parameter completion: Called once, unless ``close()`` is called before: with nil as soon as connections can be
  ///   opened, and otherwise with what failed. Not called before this returns.
  /// - Throws: If no daemon can be called.
  init(
    _ page: LocalPageActivity,
    opening id: ActivityID,
    socket: String?,
    completion: @escaping @Loop (ControlFailure?) -> Void
  ) throws(ControlError) {
    (self.page, self.completion) = (page, completion)
    stream = try ProgramStream(.opening(id), path: socket) { [weak self] in self?.handle($0) }
  }

  /// Whether connections can be opened.
  var isOpen: Bool { tunnel != nil }
  /// Whether it waits for the other machine.
  var isBeginning: Bool { completion != nil }

  func open(_ port: UInt16) -> Result<TunnelConnection, ForwardingFailure> {
    guard let tunnel else { return .failure(failure) }
    return tunnel.open(port: port).map { .success($0) } ?? .failure(.tooMany)
  }

  func close() {
    completion = nil
    leave()
  }

  private func leave() {
    let tunnel = tunnel
    self.tunnel = nil
    // Those who wait for the other machine are told.
    tunnel?.end()
    stream?.close()
    stream = nil
  }

  private func handle(_ event: ProgramStream.Event) {
    switch event {
    case .began(let socket):
      guard let tunnel = try? PortTunnel(socket, isOrigin: false) else { return end(ControlFailure(.internalFailure)) }
      self.tunnel = tunnel
      tunnel.onRefused = { [weak self] in self?.failure = $0 }
      tunnel.onEnd = { [weak self] in self?.leave() }
      finish(nil)
    case .ended(let reason): end(ControlFailure(reason ?? .streamInterrupted))
    case .failed(.failed(let failure)): end(failure)
    case .failed(let error): end(ControlFailure(.streamInterrupted, message: error.description))
    }
  }

  private func end(_ failure: ControlFailure) {
    leave()
    finish(failure)
  }

  private func finish(_ failure: ControlFailure?) {
    let completion = completion
    self.completion = nil
    completion?(failure)
  }
}
