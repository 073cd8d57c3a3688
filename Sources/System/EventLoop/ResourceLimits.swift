// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The resources that the kernel allows this process (getrlimit(2)). They are checked at the start, because a program
/// that runs out of memory, stack or descriptors can only crash.
package struct ResourceLimits: Sendable {
  /// In bytes: the address space, the data, and the stack of each thread. Descriptors are counted.
  let addressSpace: UInt64
  let data: UInt64
  let stack: UInt64
  let descriptors: UInt64

  /// What `batond` needs. It serves a client with 80 MiB of address space, 24 MiB of data, 128 KiB of stack and 14
  /// descriptors. Peers and streams need more. So does each thread that allocates, for which Glibc reserves 64 MiB of
  /// address space.
  package static let batond = ResourceLimits(
    addressSpace: 384 << 20,
    data: 64 << 20,
    stack: 512 << 10,
    descriptors: 32
  )
  /// What `baton` needs. It shows the daemon's status with 24 MiB, 4 MiB, 64 KiB and 4 descriptors. Two threads copy a
  /// stream.
  package static let baton = ResourceLimits(
    addressSpace: 64 << 20,
    data: 32 << 20,
    stack: 512 << 10,
    descriptors: 10
  )

  /// The number of descriptors that this process can have.
  package static var descriptors: Int {
    var limit = rlimit()
    guard getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Returns a sentence about the first limit that is lower than it must be; nil if none is.
  package static func fault(_ least: ResourceLimits) -> String? {
    fault(RLIMIT_AS, "address space", "RLIMIT_AS, `ulimit -v`", least.addressSpace)
      ?? fault(RLIMIT_DATA, "data", "RLIMIT_DATA, `ulimit -d`", least.data)
      ?? fault(RLIMIT_STACK, "stack", "RLIMIT_STACK, `ulimit -s`", least.stack)
      ?? fault(RLIMIT_NOFILE, "open files", "RLIMIT_NOFILE, `ulimit -n`", least.descriptors, isBytes: false)
  }

  private static func fault(
    _ resource: __rlimit_resource,
    _ name: String,
    _ places: String,
    _ least: UInt64,
    isBytes: Bool = true
  ) -> String? {
    var limit = rlimit()
    guard getrlimit(Int32(resource.rawValue), &limit) == 0, limit.rlim_cur < least else { return nil }
    let unit = isBytes ? " KiB" : ""
    let (value, needed) = isBytes ? (UInt64(limit.rlim_cur) >> 10, least >> 10) : (UInt64(limit.rlim_cur), least)
    return "The limit for \(name) (\(places)) is \(value)\(unit). Raise it to \(needed)\(unit) or more."
  }
}
