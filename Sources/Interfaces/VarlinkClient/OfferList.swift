// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import EventLoop

/// The offers of other machines, as the daemon reports them, for as long as this object exists.
@Loop
package final class OfferList {
  private let call: StandingCall<ListOffers>

  /// - Parameters:
  ///   - path: The path of the control socket. Nil for the user's default daemon.
  ///   - handler: Gets the whole list, the newest first: now, and at each change. The list is empty when the daemon
  ///     disconnects. Never called before this returns.
  package init(path: String? = nil, handler: @escaping @Loop ([ControlOffer]) -> Void) {
    call = StandingCall(ListOffers.self, ListOffers.Parameters(), path: path) { event in
      switch event {
      case .replied(let reply): handler(reply.offers)
      case .lost: handler([])
      case .failed: break
      }
    }
    call.begin()
  }
}
