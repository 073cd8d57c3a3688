// SPDX-License-Identifier: Apache-2.0

/// Which signals a ``MessageBus`` listens for, and whose.
///
/// Each user of a machine can send any signal to any program on the system bus, whatever that program listens for.
/// sd-bus does not know who has a service's name, and takes every sender for the service. So ``MessageBus`` looks at
/// the sender of each signal, and there are no rules without one.
package struct BusSignal: Equatable, Sendable {
  /// The name of the bus itself.
  package static let bus = "org.freedesktop.DBus"

  let sender: String
  /// As in the D-Bus Specification, "Match Rules".
  let rule: String

  /// - Parameters:
  ///   - sender: The name of a service, a unique name, or that of the bus.
  ///   - conditions: Further ones of the rule, such as the path.
  package init(
    from sender: String,
    _ interface: String,
    _ member: String,
    _ conditions: KeyValuePairs<String, String> = [:]
  ) {
    self.sender = sender
    rule =
      "type='signal',sender='\(sender)',interface='\(interface)',member='\(member)'"
      + conditions.map { ",\($0.key)='\($0.value)'" }.joined()
  }

  /// That a name on the bus has another owner.
  ///
  /// - Parameter key: `arg0`, or `arg0namespace`, which includes the names below it.
  package static func ownerChanged(_ name: String, _ key: String = "arg0") -> BusSignal {
    BusSignal(from: bus, bus, "NameOwnerChanged", [key: name])
  }
}
