// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// org.varlink.service.GetInfo: which service this is, and which interfaces it implements.
package enum GetInfo: Method {
  package static let name = "org.varlink.service.GetInfo"
  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package let product: Product
    package let interfaces: [String]

    package init(product: Product, interfaces: [String]) {
      self.product = product
      self.interfaces = interfaces
    }

    private enum CodingKeys: CodingKey { case interfaces }

    /// The members of the product are next to `interfaces`.
    package init(from decoder: any Decoder) throws {
      product = try Product(from: decoder)
      interfaces = try decoder.container(keyedBy: CodingKeys.self).decode([String].self, forKey: .interfaces)
    }

    package func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      try product.encode(to: encoder)
      try members.encode(interfaces, forKey: .interfaces)
    }
  }
}
