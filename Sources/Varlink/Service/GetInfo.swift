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

    package init(_ members: inout Members) throws(InvalidParameter) {
      product = Product(
        vendor: try members.required("vendor", \.string),
        product: try members.required("product", \.string),
        version: try members.required("version", \.string),
        url: try members.required("url", \.string)
      )
      interfaces = try members.required("interfaces") { value in
        guard let elements = value.array else { return nil }
        let names = elements.compactMap(\.string)
        return names.count == elements.count ? names : nil
      }
    }

    package var members: [String: JSON] {
      [
        "vendor": .string(product.vendor), "product": .string(product.product), "version": .string(product.version),
        "url": .string(product.url), "interfaces": .array(interfaces.map(JSON.string)),
      ]
    }
  }
}
