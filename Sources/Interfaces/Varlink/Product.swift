// SPDX-License-Identifier: Apache-2.0

/// How a service describes itself in org.varlink.service.GetInfo.
package struct Product: Codable, Equatable, Sendable {
  package let vendor: String
  package let product: String
  package let version: String
  package let url: String

  package init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
  }
}
