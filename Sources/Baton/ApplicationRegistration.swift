import Activity
import ControlClient
import ControlInterface
import EventLoop
import Foundation

/// Tells the daemon which types this app continues, for as long as this object exists. Receives the offers that the
/// user wants the app to continue.
@Loop
final class ApplicationRegistration {
  private let handler: @Loop (OfferName, String) -> Void
  private var call: StandingCall<RegisterApplication>?

  /// - Parameter handler: Gets an offer that the app must continue, and its type.
  init(_ types: Set<String>, handler: @escaping @Loop (OfferName, String) -> Void) {
    self.handler = handler
    let parameters = RegisterApplication.Parameters(activityTypes: types.sorted())
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
    handler(OfferName(id: id, device: reply.deviceID?.text), type)
  }
}
