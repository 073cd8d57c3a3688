import Activity
import ControlClient
import ControlInterface
import EventLoop
import Varlink

/// The offers of other machines, as the daemon reports them, for as long as this object exists.
@Loop
final class OfferList {
  private let handler: @Loop ([UserActivityOffer]) -> Void
  private var call: ControlCall<ListOffers>?
  private var backoff = Backoff(Limits.reconnectBackoff)
  private var timer: EventLoop.Timer?

  /// - Parameter handler: Gets the whole list now and at each change, and an empty list when the daemon goes away.
  init(handler: @escaping @Loop ([UserActivityOffer]) -> Void) {
    self.handler = handler
    timer = EventLoop.Timer { [weak self] in self?.connect() }
    connect()
  }

  private func connect() {
    do throws(ControlError) {
      call = try ControlCall(ListOffers.self, ListOffers.Parameters(), mode: .more) { [weak self] result in
        switch result {
        case .success(let reply):
          self?.backoff.reset()
          self?.handler(reply.offers.compactMap(UserActivityOffer.init))
        case .failure:
          self?.handler([])
          self?.connectLater()
        }
      }
    } catch {
      connectLater()
    }
  }

  private func connectLater() {
    call = nil
    timer?.set(Loop.now + backoff.next())
  }
}
