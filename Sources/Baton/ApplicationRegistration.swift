import Activity
import ControlClient
import ControlInterface
import EventLoop
import Foundation
import Varlink

/// Tells the daemon which types this app continues, for as long as this object exists. Receives the offers that the
/// user wants the app to continue.
@Loop
final class ApplicationRegistration {
  private let types: [String]
  private let handler: @Loop (OfferName, String) -> Void
  private var call: ControlCall<RegisterApplication>?
  private var backoff = Backoff(Limits.reconnectBackoff)
  private var timer: EventLoop.Timer?

  /// - Parameter handler: Gets an offer that the app must continue, and its type.
  init(_ types: Set<String>, handler: @escaping @Loop (OfferName, String) -> Void) {
    self.types = types.sorted()
    self.handler = handler
    timer = EventLoop.Timer { [weak self] in self?.connect() }
    connect()
  }

  private func connect() {
    do throws(ControlError) {
      let parameters = RegisterApplication.Parameters(activityTypes: types)
      call = try ControlCall(RegisterApplication.self, parameters, mode: .more) { [weak self] result in
        switch result {
        case .success(let reply): self?.told(reply)
        // A daemon that does not know the method will not do anything else either.
        case .failure(.refused), .failure(.failed): self?.call = nil
        case .failure: self?.connectLater()
        }
      }
    } catch {
      connectLater()
    }
  }

  private func told(_ reply: RegisterApplication.Reply) {
    backoff.reset()
    guard let id = reply.id.flatMap({ UUID(uuidString: $0.description) }), let type = reply.activityType else { return }
    handler(OfferName(id: id, device: reply.deviceID?.text), type)
  }

  private func connectLater() {
    call = nil
    timer?.set(Loop.now + backoff.next())
  }
}
