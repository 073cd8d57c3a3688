// SPDX-License-Identifier: Apache-2.0

import CAvahi

/// Full names of instances in Avahi's escaped form.
enum ServiceName {
  /// - Returns: Nil if the name is not a valid DNS label.
  static func join(_ instance: String) -> String? {
    guard (1...RecordData.labelLength).contains(instance.utf8.count) else { return nil }
    var name = [CChar](repeating: 0, count: Int(AVAHI_DOMAIN_NAME_MAX))
    guard avahi_service_name_join(&name, name.count, instance, ServiceType.name, ServiceType.domain) == 0 else {
      return nil
    }
    return name.withUnsafeBufferPointer { $0.baseAddress.flatMap { String(validatingCString: $0) } }
  }
}
