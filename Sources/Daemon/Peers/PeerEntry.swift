import Activity
import EventLoop

/// What is known of one peer, and what is being done to reach it.
@Loop
final class PeerEntry {
  /// For people.
  var name = ""
  /// Its instances that discovery sees now; the last one, the newest at first, is tried next.
  var instances: [String] = []
  /// Where it may be reached; the one that worked last is the first.
  var addresses: [SocketAddress] = []
  /// Ready.
  var session: PeerConnection?
  /// Established and not ready.
  var opening: [PeerConnection] = []
  /// The peer has ended the session for another connection that is not ready here yet.
  var isHandingOver = false
  /// Why the last attempt or session ended.
  var reason: Reason?

  /// The instance whose addresses were asked for.
  var awaitedInstance: String?
  /// The instance that was tried last.
  var triedInstance: String?
  var dialer: Dialer?
  /// Dialled, and in its handshake.
  var dialled: TLSConnection?
  var schedule = DialSchedule()
  let timer: Timer

  init(whenDue: @escaping @Loop () -> Void) { timer = Timer(whenDue) }

  var isDialling: Bool {
    awaitedInstance != nil || dialer != nil || dialled != nil || opening.contains { $0.isDialler }
  }

  func cancelDialling() {
    timer.set(nil)
    awaitedInstance = nil
    dialer?.cancel()
    dialer = nil
    dialled?.finish()
    dialled = nil
  }
}
