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
}
