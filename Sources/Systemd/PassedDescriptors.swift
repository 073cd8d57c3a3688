import CSystemd
import Glibc

/// What systemd gives a service as it starts it (sd_listen_fds(3)). Owned by whoever has this value.
package struct PassedDescriptors: Sendable {
  /// The listening sockets of the service's socket units, whatever these call them.
  package var listeners: [Int32] = []
  /// What the process before this one has left in the descriptor store, which has forgotten it.
  package var stored: [StoredDescriptor] = []

  package init() {}

  /// All there is; nothing when it is called again.
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
      // Nothing that listens is ever stored.
      if sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 {
        passed.listeners.append(descriptor)
      } else {
        DescriptorStore.forget(name)
        passed.stored.append(StoredDescriptor(name: name, descriptor: descriptor))
      }
    }
    return passed
  }
}
