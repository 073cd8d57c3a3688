// SPDX-License-Identifier: Apache-2.0

extension InterfaceDescription {
  /// The interface that every Varlink service implements (UAPI.20, "The Service Interface").
  package static let service = InterfaceDescription(
    name: "org.varlink.service",
    text: """
      # What every Varlink service says of itself.
      interface org.varlink.service

      # Which service this is, and which interfaces it implements.
      method GetInfo() -> (
        vendor: string,
        product: string,
        version: string,
        url: string,
        interfaces: []string
      )

      # The definition of an interface.
      method GetInterfaceDescription(interface: string) -> (description: string)

      # The service does not implement the interface.
      error InterfaceNotFound (interface: string)

      # The service does not implement the interface of the method, or the interface has no such method.
      error MethodNotFound (method: string)

      # The interface has the method, but the service does not implement it.
      error MethodNotImplemented (method: string)

      # A parameter is unknown, missing, or of a wrong type.
      error InvalidParameter (parameter: string)

      # The caller may not do that.
      error PermissionDenied ()

      # The method can only be called with `more`.
      error ExpectedMore ()

      # The method can only be called with `upgrade`.
      error ExpectedUpgrade ()

      """
  )
}
