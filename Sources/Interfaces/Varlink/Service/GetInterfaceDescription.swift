// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// org.varlink.service.GetInterfaceDescription: the definition of an interface.
package enum GetInterfaceDescription: Method {
  package static let name = "org.varlink.service.GetInterfaceDescription"

  package struct Parameters: Structure {
    package let interface: String

    package init(interface: String) { self.interface = interface }
  }

  package struct Reply: Structure {
    package let description: String

    package init(description: String) { self.description = description }
  }
}
