import Activity
import Continuation
import ControlInterface
import VarlinkService

extension ControlServer {
  func registerApplication(
    _ parameters: RegisterApplication.Parameters,
    _ exchange: Exchange<RegisterApplication>
  ) {
    guard parameters.activityTypes.count <= Limits.applicationTypes else { return exchange.fail(.limitReached) }
    exchange.replyContinuing(RegisterApplication.Reply(event: .registered))
    guard !exchange.isFinished else { return }
    let client = launching.addApplication(Set(parameters.activityTypes), exchange.user) { offer in
      exchange.replyContinuing(
        RegisterApplication.Reply(
          event: .continueRequested,
          id: offer.id,
          deviceID: offer.peer.device,
          activityType: offer.activityType
        )
      )
    }
    exchange.onClosed = { [weak launching] in launching?.remove(client) }
  }
}
