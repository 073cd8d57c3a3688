// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// A descriptor that systemd keeps for the service's next process.
package struct StoredDescriptor: Sendable {
  /// At most 255 bytes, without control characters and colons.
  package let name: String
  /// The holder of this value owns it.
  package let descriptor: Int32

  package init(name: String, descriptor: Int32) {
    self.name = name
    self.descriptor = descriptor
  }
}

/// The file descriptor store of a service with `FileDescriptorStoreMax=` (systemd.service(5)). Descriptors in it stay
/// open while the service restarts, and are closed when it stops for good.
package enum DescriptorStore {
  /// How long systemd may take to accept the descriptors, in microseconds.
  private static let time: UInt64 = 5_000_000

  /// How many descriptors fit: `$FDSTORE`, which systemd sets since version 254. For older versions, our unit sets it.
  package static var capacity: Int {
    guard ServiceManager.isBelieved, let text = getenv("FDSTORE") else { return 0 }
    return Int(String(cString: text)) ?? 0
  }

  /// Makes systemd close its copy of a descriptor that it passed to this process.
  static func forget(_ name: String) { ServiceManager.notify("FDSTOREREMOVE=1\nFDNAME=\(name)") }

  /// Gives systemd a copy of a descriptor, in place of those with the same name.
  package static func hold(_ descriptor: Int32, as name: String) {
    guard ServiceManager.isBelieved else { return }
    forget(name)
    var descriptor = descriptor
    _ = sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDPOLL=0\nFDNAME=\(name)", &descriptor, 1)
  }

  /// Gives descriptors to systemd, which has copies of them when this returns. Closes them here.
  package static func keep(_ descriptors: [StoredDescriptor]) {
    let isBelieved = ServiceManager.isBelieved
    for item in descriptors {
      var descriptor = item.descriptor
      // By default, systemd drops a descriptor when its other end is closed. Ours must tell the next process
      // themselves.
      if isBelieved { _ = sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDPOLL=0\nFDNAME=\(item.name)", &descriptor, 1) }
      _ = close(descriptor)
    }
    if isBelieved { _ = sd_notify_barrier(0, time) }
  }
}
