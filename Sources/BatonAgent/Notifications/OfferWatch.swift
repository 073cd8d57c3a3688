import Activity
import ControlClient
import ControlInterface
import EventLoop
import Varlink

/// The offers of other machines, as the daemon reports them.
@Loop
final class OfferWatch {
  /// Receives the whole list, the newest first: once at the start, then at each change. The list is empty when the
  /// daemon goes away.
  var onChange: (@Loop ([ControlOffer]) -> Void)?

  private let socket: String?
  private var call: ControlCall<ListOffers>?
  private var backoff = Backoff(Limits.reconnectBackoff)
  private var timer: EventLoop.Timer?
  private var isStopped = false

  /// - Parameter socket: The daemon's socket; nil for the default one.
  init(socket: String?) {
    self.socket = socket
    timer = EventLoop.Timer { [weak self] in self?.connect() }
  }

  func start() { connect() }

  func stop() {
    isStopped = true
    onChange = nil
    call = nil
    timer?.set(nil)
  }

  private func connect() {
    guard !isStopped else { return }
    do throws(ControlError) {
      call = try ControlCall(ListOffers.self, ListOffers.Parameters(), mode: .more, path: socket) {
        [weak self] result in
        switch result {
        case .success(let reply):
          self?.backoff.reset()
          self?.onChange?(reply.offers)
        case .failure:
          self?.onChange?([])
          self?.connectLater()
        }
      }
    } catch {
      connectLater()
    }
  }

  private func connectLater() {
    call = nil
    if !isStopped { timer?.set(Loop.now + backoff.next()) }
  }
}
