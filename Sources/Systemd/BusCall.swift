/// A method call on the bus, whose arguments are strings: nothing else is sent from here.
package struct BusCall: Equatable, Sendable {
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [String]

  package init(_ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: String...) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}
