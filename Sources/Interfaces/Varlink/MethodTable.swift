// SPDX-License-Identifier: Apache-2.0

/// The interfaces that a service implements, and what handles each of their methods.
package struct MethodTable<Handler> {
  private var descriptions: [String: InterfaceDescription] = [:]
  private var handlers: [String: Handler] = [:]

  package init() {}

  /// Adds an interface. Traps if it was added already.
  package mutating func add(_ interface: InterfaceDescription) {
    precondition(descriptions.updateValue(interface, forKey: interface.name) == nil, "\(interface.name) added twice")
  }

  /// Adds a method. Traps if it was added already, or if its interface was not added before.
  package mutating func add<M: Method>(_ method: M.Type, _ handler: Handler) {
    let interface = method.name.unicodeScalars.lastIndex(of: ".").map { String(method.name[..<$0]) }
    precondition(interface.flatMap { descriptions[$0] } != nil, "\(method.name) belongs to no interface that was added")
    precondition(handlers.updateValue(handler, forKey: method.name) == nil, "\(method.name) added twice")
  }

  /// The names of the interfaces, in order.
  package var interfaces: [String] { descriptions.keys.sorted() }

  package func description(of interface: String) -> InterfaceDescription? { descriptions[interface] }

  /// - Parameter method: The name with its interface.
  package func handler(of method: String) -> Handler? { handlers[method] }
}
