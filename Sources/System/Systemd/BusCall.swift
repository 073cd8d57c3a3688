// SPDX-License-Identifier: Apache-2.0

/// A method call on the bus.
package struct BusCall: Equatable, Sendable {
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [BusArgument]
  /// Whether the bus starts the service if it is not running.
  package var startsService = false
  /// How long to wait for the reply; nil for the usual time of the connection.
  package var replyTime: Duration?

  /// - Parameter arguments: Strings.
  package init(_ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: String...) {
    self.init(destination, path, interface, member, arguments: arguments.map(BusArgument.string))
  }

  package init(
    _ destination: String,
    _ path: String,
    _ interface: String,
    _ member: String,
    arguments: [BusArgument]
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}
