import Activity
import Continuation
import ControlInterface
import EventLoop
import VarlinkServer

extension ControlServer {
  func registerApplication(
    _ parameters: RegisterApplication.Parameters,
    _ exchange: Exchange<RegisterApplication>
  ) {
    guard parameters.activityTypes.count <= Limits.applicationTypes else { return exchange.fail(.limitReached) }
    let types = Set(parameters.activityTypes)
    let application = Application(user: exchange.user, types: types) { id, type in
      exchange.replyContinuing(RegisterApplication.Reply(event: .continueRequested, id: id, activityType: type))
    }
    exchange.replyContinuing(RegisterApplication.Reply(event: .registered))
    guard !exchange.isFinished else { return }
    applications.append(application)
    exchange.onClosed = { [weak self] in self?.applications.removeAll { $0 === application } }
  }
}

/// A program that continues activities of some types.
@Loop
final class Application {
  let user: UserID
  let types: Set<String>
  let requestContinuation: @Loop (ActivityID, String) -> Void

  init(user: UserID, types: Set<String>, requestContinuation: @escaping @Loop (ActivityID, String) -> Void) {
    self.user = user
    self.types = types
    self.requestContinuation = requestContinuation
  }
}
