import EventLoop

/// What a ``Discovery`` tells.
package enum DiscoveryEvent: Equatable, Sendable {
  /// Avahi is there, though it may still be choosing a name for the machine.
  case available
  /// Avahi or D-Bus is gone, or was not there to begin with. It is tried again for ever.
  case unavailable
  /// Others can find the instance from now on. Comes again each time Avahi came back.
  case published(instance: String)
  /// Somebody else has the name: the instance is withdrawn, and is to be published under another name.
  case nameCollided(instance: String)
  /// An instance with its TXT strings, the first time and each time they are others.
  case found(instance: String, text: [[UInt8]])
  /// An instance that was found is gone on its last interface, or Avahi is.
  case lost(instance: String)
  /// The answer to ``Discovery/resolve(instance:)``; without addresses where there are none in time.
  case resolved(instance: String, addresses: [SocketAddress])
  /// This machine has other addresses, links or routes: everything is to be published anew, under new names.
  case addressesChanged
}
