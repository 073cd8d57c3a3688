// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Glibc

/// Describes documents of this machine for others, and finds those of other machines on this one. Its functions block.
package enum DocumentFinder {
  /// Describes a file or a directory.
  ///
  /// - Parameters:
  ///   - path: Absolute, or relative to the working directory.
  ///   - sharedFolders: If the path leads into one of them through a link, the URL names the place there.
  ///   - mayBeNew: Whether the file need not exist yet.
  ///   - environment: The variables that say which git to ask, and how it is set up.
  /// - Throws: If there is no such file, or its path is not text (`EILSEQ`).
  package static func describe(
    path: String,
    sharedFolders: SharedFolders = SharedFolders(),
    mayBeNew: Bool = false,
    places: DocumentPlaces? = nil,
    environment: ProcessEnvironment = .current
  ) throws(SystemError) -> DocumentReference {
    let places = places ?? DocumentPlaces(environment)
    return try DocumentDescription(path, sharedFolders, mayBeNew, places, GitProgram(environment: environment))
      .reference
  }

  /// Looks for a document of another machine.
  ///
  /// - Parameters:
  ///   - sharedFolders: Those of this machine; see ``SharedFolders.ofDaemon(path:)``.
  ///   - canFetch: Whether the other machine serves the document through a stream.
  package static func find(
    _ reference: DocumentReference,
    sharedFolders: SharedFolders,
    canFetch: Bool = true,
    places: DocumentPlaces = .current
  ) -> DocumentFinding {
    let looker = DocumentLookup(reference, sharedFolders, places)
    var search = DocumentSearch(reference, sharedFolders: sharedFolders, canFetch: canFetch)
    while true {
      switch search.step {
      case .sharedFolder(_, let root, let path): search.answer(looker.file(root, path).map { [$0] } ?? [])
      case .clones(let repositories, let path):
        let (candidates, isComplete) = looker.clones(of: repositories, path)
        search.answer(candidates, isComplete: isComplete)
      case .home(let path): search.answer(looker.home(path).map { [$0] } ?? [])
      case .arrived: search.answer(looker.arrivedBefore().map { [$0] } ?? [])
      case .content(let size, let sha256):
        let (candidates, isComplete) = looker.content(size, sha256)
        search.answer(candidates, isComplete: isComplete)
      case .ended(let finding): return finding
      }
    }
  }
}
