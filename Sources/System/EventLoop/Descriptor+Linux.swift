// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Functions that exist on Linux only. This file names no Glibc types, because next to CLinux, they would be taken for
/// types of that module.
extension Descriptor {
  /// Returns a descriptor that is readable while one of the signals is pending.
  ///
  /// - Parameter blocked: A `sigset_t`.
  /// - Returns: -1 with `errno`.
  package static func ofSignals(_ blocked: UnsafeRawPointer) -> Int32 { clinux_signal_descriptor(blocked) }

  /// Renames a file unless the new name exists.
  ///
  /// - Returns: 0, or -1 with `errno`: EEXIST if the name exists, EINVAL if the file system does not support this.
  package static func rename(_ path: String, toNew name: String) -> Int32 { clinux_rename_new(path, name) }

  /// Does the same with a file in a directory.
  package static func rename(_ name: String, toNew other: String, in directory: Int32) -> Int32 {
    clinux_rename_new_in(directory, name, other)
  }

  /// Opens what is below a directory. No part of the path leads out of the directory, or is a symbolic link.
  ///
  /// - Parameters:
  ///   - path: Relative. Empty for the directory itself.
  ///   - flags: Those of open(2). The descriptor is closed on exec in any case.
  ///   - staysOnFileSystem: Whether no part of the path may be on another file system.
  /// - Returns: -1 with `errno`.
  package static func openBeneath(
    _ directory: Int32,
    _ path: String,
    _ flags: Int32,
    staysOnFileSystem: Bool = false
  ) -> Int32 {
    clinux_open_beneath(directory, path.isEmpty ? "." : path, flags | 0o2000000, staysOnFileSystem ? 1 : 0)
  }

  /// Closes all descriptors from `first` on. Call this before anything of this process has opened one.
  package static func closeAll(from first: Int32) { clinux_close_from(first) }

  /// Returns a descriptor that becomes readable when the process has ended.
  ///
  /// - Returns: -1 with `errno`.
  package static func ofProcess(_ process: Int32) -> Int32 { clinux_process_descriptor(process) }
}
