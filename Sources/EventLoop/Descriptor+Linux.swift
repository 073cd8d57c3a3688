import CLinux

/// What Linux alone has. No type of Glibc is named here: beside CLinux it would be taken for one of that module.
extension Descriptor {
  /// One that is readable while one of the signals waits.
  ///
  /// - Parameter blocked: A `sigset_t`.
  /// - Returns: -1 with `errno`.
  package static func ofSignals(_ blocked: UnsafeRawPointer) -> Int32 { clinux_signal_descriptor(blocked) }

  /// Renames a file where nothing has the new name.
  ///
  /// - Returns: 0, or -1 with `errno`: EEXIST where something has, EINVAL where the file system cannot.
  package static func rename(_ path: String, toNew name: String) -> Int32 { clinux_rename_new(path, name) }
}
