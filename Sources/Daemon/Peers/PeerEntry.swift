import Activity
import EventLoop

/// What is known of one peer, and what is being done to reach it.
@Loop
final class PeerEntry {
  /// For people.
  var name = ""
  /// Its instances that discovery sees now, the newest last. Of a daemon that was killed the records stay for minutes.
  var instances: [String] = []
  /// The key that each instance's advert was sealed with.
  var discoveryKeys: [String: [UInt8]] = [:]
  /// The key to dial with; nil for the team's newest.
  var discoveryKey: [UInt8]?
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
  /// The instances that were tried since the last pause.
  var triedInstances: Set<String> = []
  var dialer: Dialer?
  /// Dialled, and in its handshake.
  var dialled: TLSConnection?
  var backoff = Backoff(Limits.dialBackoff)
  let timer: Timer

  init(whenDue: @escaping @Loop () -> Void) { timer = Timer(whenDue) }

  var isDialling: Bool {
    awaitedInstance != nil || dialer != nil || dialled != nil || opening.contains { $0.isDialler }
  }

  /// The newest instance that was not tried since the last pause.
  var nextInstance: String? { instances.last { !triedInstances.contains($0) } }

  func cancelDialling() {
    timer.set(nil)
    awaitedInstance = nil
    dialer?.cancel()
    dialer = nil
    dialled?.finish()
    dialled = nil
  }
}
