// SPDX-License-Identifier: Apache-2.0

/// Where a document of another machine is on this one. `how` says it in words for people, in a part of a sentence: "in
/// the shared folder Notes".
package enum DocumentFinding: Equatable, Sendable {
  /// It is at this absolute path.
  case found(path: String, how: String)
  /// It is at one of these paths, at least two. The user chooses.
  case ambiguous(paths: [String], how: String)
  /// It is not on this machine, and can be fetched from the other one.
  case fetchable(how: String)
  case notFound(how: String)

  package var how: String {
    switch self {
    case .found(_, let how), .ambiguous(_, let how), .fetchable(let how), .notFound(let how): how
    }
  }
}
