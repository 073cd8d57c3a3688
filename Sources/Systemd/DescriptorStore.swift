import CSystemd
import Glibc

/// A descriptor that systemd keeps for the next process of the service.
package struct StoredDescriptor: Sendable {
  /// At most 255 bytes, no control characters and no colon.
  package let name: String
  /// Owned by whoever has this value.
  package let descriptor: Int32

  package init(name: String, descriptor: Int32) {
    self.name = name
    self.descriptor = descriptor
  }
}

/// The file descriptor store of a service with `FileDescriptorStoreMax=` (systemd.service(5)): what is in it stays open while the
/// service is started again, and is closed when it stops for good.
package enum DescriptorStore {
  /// How long systemd may take to take the descriptors.
  private static let time: UInt64 = 5_000_000

  /// How many descriptors fit: `$FDSTORE`, which systemd sets from version 254 on, and our unit before.
  package static var capacity: Int {
    guard getenv("NOTIFY_SOCKET") != nil, let text = getenv("FDSTORE") else { return 0 }
    return Int(String(cString: text)) ?? 0
  }

  /// Lets systemd close its copy of what it gave to this process.
  static func forget(_ name: String) { _ = sd_notify(0, "FDSTOREREMOVE=1\nFDNAME=\(name)") }

  /// Gives descriptors to systemd, which has copies of them when this returns. They are closed here.
  package static func keep(_ descriptors: [StoredDescriptor]) {
    for item in descriptors {
      var descriptor = item.descriptor
      // Watched descriptors are dropped from the store when their other end goes; ours tell the next process by themselves.
      _ = sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDPOLL=0\nFDNAME=\(item.name)", &descriptor, 1)
      _ = close(descriptor)
    }
    _ = sd_notify_barrier(0, time)
  }
}
