// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// What systemd passes to a service at its start (sd_listen_fds(3)). The holder of this value owns it.
package struct PassedDescriptors: Sendable {
  /// The listening sockets of the service's socket units, whatever their names.
  package var listeners: [Int32] = []
  /// The listening TCP sockets: of the previous process, whose copies the descriptor store keeps, and of socket units.
  package var ports: [Int32] = []
  /// The descriptors that the previous process left in the descriptor store, which has forgotten them.
  package var stored: [StoredDescriptor] = []

  package init() {}

  /// Takes everything that was passed; nothing on a second call.
  package static func take() -> PassedDescriptors {
    var passed = PassedDescriptors()
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    guard count > 0, let names else { return passed }
    defer { free(names) }
    for index in 0..<Int(count) {
      let name = names[index].map { String(cString: $0) } ?? ""
      free(names[index])
      let descriptor = SD_LISTEN_FDS_START + Int32(index)
      if sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 {
        passed.listeners.append(descriptor)
      } else if sd_is_socket_inet(descriptor, AF_UNSPEC, Int32(SOCK_STREAM.rawValue), 1, 0) > 0 {
        passed.ports.append(descriptor)
      } else {
        DescriptorStore.forget(name)
        passed.stored.append(StoredDescriptor(name: name, descriptor: descriptor))
      }
    }
    return passed
  }
}
