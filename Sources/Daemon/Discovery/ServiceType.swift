// SPDX-License-Identifier: Apache-2.0

/// The service that daemons announce.
enum ServiceType {
  static let name = "_baton._tcp"
  static let domain = "local"
  /// The labels of the type's full name.
  static let labels = ["_baton", "_tcp", "local"]
  static var fullName: String { "\(name).\(domain)" }
}
