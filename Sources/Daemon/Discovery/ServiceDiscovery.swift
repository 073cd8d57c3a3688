// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// Announces this daemon's instances on the local network and finds those of others.
///
/// All functions return immediately, and their results arrive in ``onEvent``. Nothing in the results is trusted: names,
/// texts and addresses are whatever somebody on the network sent.
@Loop
package protocol ServiceDiscovery: AnyObject {
  /// Called on the loop. Set it before ``start()``.
  var onEvent: (@Loop (DiscoveryEvent) -> Void)? { get set }

  /// Starts to announce and to look for instances, and continues even if Avahi comes and goes.
  func start()

  /// Announces an instance until it is withdrawn or its name collides. It replaces an instance of the same name.
  func publish(_ publication: ServiceInstance)

  /// Replaces the TXT strings of a published instance, in place. The newest strings win, and the caller sets the pace.
  func update(instance: String, text: [[UInt8]])

  func withdraw(instance: String)

  /// Looks for the instances whose names pass, and for nothing if it is nil, as at first. Any other instance costs one
  /// call of `isWanted`, and nothing of it is kept or asked for. Instances that were found and no longer pass are lost.
  ///
  /// - Parameter isWanted: Gets whatever names somebody on the network sent. It is called on any queue, and must be
  ///   quick.
  func look(for isWanted: (@Sendable (_ instance: String) -> Bool)?)

  /// Asks for the addresses of an instance that was found. The answer is one
  /// ``DiscoveryEvent/resolved(instance:addresses:)``, at most ``Limits/resolveTime`` later.
  func resolve(instance: String)

  /// Sets how much a found instance matters. If there is no room for all instances, those that matter least give way.
  func rank(instance: String, as rank: InstanceRank)

  /// Looks for instances again, without relying on what Avahi remembers of them. Instances that are still there stay,
  /// and the others are lost at most `Browsing.refreshTime` later.
  func refresh()

  /// Announces and looks for instances on other interfaces from now on. What is already published or found follows with
  /// the next names and the next ``refresh()``.
  func use(_ interfaces: InterfacePolicy)

  /// Checks the current state of D-Bus, Avahi and the interfaces.
  ///
  /// - Parameter completion: Called once, on the loop, never before this returns, and at most
  ///   `Limits.discoveryCheckTime` later.
  func examine(completion: @escaping @Loop (Examination) -> Void)

  /// Withdraws everything. No event arrives after this call.
  ///
  /// - Parameter completion: Called once, on the loop, when peers have been told or after
  ///   `AvahiDiscovery.discoveryStopTime`.
  func stop(completion: @escaping @Loop () -> Void)
}
