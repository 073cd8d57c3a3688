import Activity

extension Limits {
  /// The maximum number of machines that a rule names.
  package static let deviceRules = 256
  /// The maximum length of a folder's path in bytes.
  package static let folderPathLength = 4095
}
