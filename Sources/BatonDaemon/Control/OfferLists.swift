import Activity
import Continuation
import ControlInterface
import EventLoop
import VarlinkService

/// The lists of offers that clients get. Each is made and encoded once for all who see the same, however many they are.
@Loop
final class OfferLists {
  /// What a client sees.
  struct View: Hashable {
    let user: UserID
    /// Nil for all.
    let activityType: String?
    let team: TeamID?
  }

  let watchers: Watchers
  private let shell: ContinuationShell
  private let launching: LaunchingShell
  private var lists = RecentTable<View, List>(limit: Limits.offerLists)

  private struct List {
    let reply: SharedReply<ListOffers>
    /// The watchers' number of changes when it was made.
    let changes: UInt64
  }

  /// How many entries can be sent in the time that it takes to make one.
  private static let entriesSent = 16

  init(_ watchers: Watchers, _ shell: ContinuationShell, _ launching: LaunchingShell) {
    (self.watchers, self.shell, self.launching) = (watchers, shell, launching)
  }

  /// - Parameter isFirst: Whether the client gets its first list. That one is always made anew.
  /// - Returns: The same object as long as the list is the same, and how many entries it cost.
  func list(_ view: View, isFirst: Bool) -> (SharedReply<ListOffers>, cost: Int) {
    let earlier = lists[view]
    if !isFirst, let earlier, earlier.changes == watchers.changes {
      return (earlier.reply, 1 + earlier.reply.content.offers.count / Self.entriesSent)
    }
    let all = shell.offers(for: view.user)
    let content = ListOffers.Reply(
      offers: all.filter(view.shows).map { offer in
        ControlOffer(
          offer,
          hasApplication: launching.machine.hasApplication(for: offer.activity.activityType, user: view.user)
        )
      }
    )
    let reply = earlier.flatMap { $0.reply.content == content ? $0.reply : nil } ?? SharedReply(content)
    lists[view] = List(reply: reply, changes: watchers.changes)
    // The offers that the filter drops take time, too.
    return (reply, 1 + all.count)
  }
}

extension OfferLists.View {
  fileprivate func shows(_ offer: VisibleOffer) -> Bool {
    (activityType ?? offer.activity.activityType) == offer.activity.activityType
      && (team ?? offer.peer.team) == offer.peer.team
  }
}
