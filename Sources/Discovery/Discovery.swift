import EventLoop

/// Announces this daemon's instances on the local network and finds those of others.
///
/// Everything here returns at once; what comes of it arrives in ``onEvent``. Nothing is trusted: names, texts and
/// addresses are whatever somebody on the network sent.
@Loop
package protocol Discovery: AnyObject {
  /// Called on the loop. Set it before ``start()``.
  var onEvent: (@Loop (DiscoveryEvent) -> Void)? { get set }

  /// Begins to announce and to look, and keeps at it whatever becomes of Avahi.
  func start()

  /// Announces an instance until it is withdrawn or its name collides. One of the same name is replaced.
  func publish(_ publication: Publication)

  /// Gives a published instance other TXT strings, in place. The newest win; pacing is the caller's.
  func update(instance: String, text: [[UInt8]])

  func withdraw(instance: String)

  /// Asks for the addresses of an instance that was found; the answer is one ``DiscoveryEvent/resolved(instance:addresses:)``,
  /// at most ``Limits/resolveTime`` later.
  func resolve(instance: String)

  /// Says how much an instance that was found matters: where there is no room for all, those that matter least give way.
  func rank(instance: String, as rank: InstanceRank)

  /// Looks for instances anew, without trusting what Avahi remembers of them: those that are still there stay, the others
  /// are lost at most `Limits.refreshTime` later.
  func refresh()

  /// Announces and looks over other interfaces from now on. What is published now, and what was found, follows with the
  /// next names and the next ``refresh()``.
  func use(_ interfaces: InterfacePolicy)

  /// Looks how D-Bus, Avahi and the interfaces are just now.
  ///
  /// - Parameter completion: Called once, on the loop, never before this returns, and at most
  ///   `Limits.discoveryCheckTime` later.
  func examine(completion: @escaping @Loop (Examination) -> Void)

  /// Withdraws everything. No event comes after this call.
  ///
  /// - Parameter completion: Called once, on the loop, when peers were told or after `Limits.discoveryStopTime`.
  func stop(completion: @escaping @Loop () -> Void)
}
