// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import VarlinkClient

/// Tells the daemon the app's name and which types it continues, for as long as this object exists. Receives the
/// activities that the user wants the app to continue.
@Loop
final class ApplicationRegistration {
  private let handler: @Loop (Request) -> Void
  private var call: StandingCall<RegisterApplication>?

  /// What the app must continue.
  struct Request: Sendable {
    let offer: OfferName
    let activityType: String
    /// Whether it is for this app, whatever its types.
    let isOurs: Bool
  }

  init(_ types: Set<String>, handler: @escaping @Loop (Request) -> Void) {
    self.handler = handler
    let parameters = RegisterApplication.Parameters(
      activityTypes: types.sorted(),
      application: ApplicationIdentifier.current
    )
    call = StandingCall(RegisterApplication.self, parameters) { [weak self] event in
      switch event {
      case .replied(let reply): self?.told(reply)
      // A daemon that does not know the method will not do anything else either.
      case .failed(.refused), .failed(.failed): self?.call?.cancel()
      case .lost, .failed: break
      }
    }
    call?.begin()
  }

  private func told(_ reply: RegisterApplication.Reply) {
    guard let id = reply.id.flatMap({ UUID(uuidString: $0.description) }), let type = reply.activityType else { return }
    let offer = OfferName(id: id, device: reply.deviceID?.text)
    handler(Request(offer: offer, activityType: type, isOurs: reply.application != nil))
  }
}
