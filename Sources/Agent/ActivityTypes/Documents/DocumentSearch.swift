// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

/// The search for a document of another machine: what to look for next, and what the answers mean. It looks in a shared
/// folder, in the clones of the document's repositories, at the same path below the home directory, and for the same
/// content in the shared folders and among what has arrived. The first of these that has the document decides.
package struct DocumentSearch {
  package enum Step: Equatable, Sendable {
    /// Whether there is something at `path` below the root of a shared folder.
    case sharedFolder(name: String, root: String, path: String)
    /// The clones of one of these repositories that have `path`.
    case clones(of: [RepositoryName], path: String)
    /// The directory at `path` below the home directory, or the same file there.
    case home(path: String)
    /// The files in the shared folders with this content.
    case content(size: Int, sha256: String)
    /// The same file in `~/Handoff`, under one of the names that it gets there.
    case arrived
    case ended(DocumentFinding)
  }

  /// Something that was found.
  package struct Candidate: Equatable, Sendable {
    /// Its absolute path.
    package let path: String
    /// In a clone: the clone.
    package let clone: Clone?
    /// Whether its content is the same as on the other machine. Nil if that is not known.
    package let hasSameContent: Bool?

    package init(path: String, clone: Clone? = nil, hasSameContent: Bool? = nil) {
      self.path = path
      self.clone = clone
      self.hasSameContent = hasSameContent
    }
  }

  /// A clone on this machine.
  package struct Clone: Equatable, Sendable {
    package let repository: RepositoryName
    package let root: String
    /// The commit that is checked out. Nil if there is none yet.
    package let commit: String?

    package init(repository: RepositoryName, root: String, commit: String?) {
      self.repository = repository
      self.root = root
      self.commit = commit
    }
  }

  package private(set) var step: Step
  private let reference: DocumentReference
  private let canFetch: Bool
  private var remaining: [Step]
  /// Whether no step stopped at a limit.
  private var isComplete = true

  /// - Parameter canFetch: Whether the other machine serves the document through a stream.
  package init(_ reference: DocumentReference, sharedFolders: SharedFolders, canFetch: Bool) {
    self.reference = reference
    self.canFetch = canFetch
    remaining = []
    if let place = reference.url.flatMap(sharedFolders.place(of:)) {
      remaining.append(.sharedFolder(name: place.name, root: place.root, path: place.path))
    }
    if !reference.repositories.isEmpty, let path = reference.repositoryPath {
      remaining.append(.clones(of: reference.repositories, path: path))
    }
    if let path = reference.homePath { remaining.append(.home(path: path)) }
    // Many files are empty, and they have nothing to do with each other.
    if let size = reference.size, size > 0 {
      if let sha256 = reference.sha256, !sharedFolders.all.isEmpty {
        remaining.append(.content(size: size, sha256: sha256))
      }
      remaining.append(.arrived)
    }
    step = .ended(.notFound(how: ""))
    advance()
  }

  /// Takes the answer to the current step.
  ///
  /// - Parameter isComplete: False if a limit stopped the search.
  package mutating func answer(_ candidates: [Candidate], isComplete: Bool = true) {
    if !isComplete { self.isComplete = false }
    if case .ended = step { return }
    guard let first = candidates.first else { return advance() }
    let limit = isComplete ? [] : [localized("the search reached its limit, so there may be others")]
    if candidates.count == 1 {
      step = .ended(.found(path: first.path, how: Self.words(place(first), limit)))
    } else {
      step = .ended(.ambiguous(paths: candidates.map(\.path), how: Self.words([places(candidates)], limit)))
    }
  }

  private mutating func advance() {
    guard remaining.isEmpty else { return step = remaining.removeFirst() }
    let reason =
      isComplete
      ? localized("it isn't on this machine") : localized("it wasn't found before the search reached its limit")
    step = .ended(canFetch ? .fetchable(how: reason) : .notFound(how: reason))
  }

  // MARK: Words

  private static func words(_ place: [String], _ limit: [String]) -> String {
    [place, limit].joined().joined(separator: "; ")
  }

  private func place(_ candidate: Candidate) -> [String] {
    switch step {
    case .sharedFolder(let name, _, _): [localized("in the shared folder \(name)")] + differences(candidate)
    case .clones, .ended:
      candidate.clone.map { clone in
        [localized("in the clone of \(clone.repository.text) at \(clone.root)")] + differences(candidate)
      } ?? []
    case .home: [localized("at the same path in your home directory")]
    case .content: [localized("the file with the same content in a shared folder")]
    case .arrived: [localized("the copy that was received earlier")]
    }
  }

  private func differences(_ candidate: Candidate) -> [String] {
    var words: [String] = []
    if let clone = candidate.clone, let there = reference.commit?.prefix(12), clone.commit != reference.commit {
      let here = clone.commit?.prefix(12)
      words.append(
        here.map { localized("a different commit is checked out: \($0) here, \(there) there") }
          ?? localized("no commit is checked out here, \(there) there")
      )
    }
    if candidate.hasSameContent == false { words.append(localized("its content is different there")) }
    return words
  }

  private func places(_ candidates: [Candidate]) -> String {
    switch step {
    case .content: localized("\(candidates.count) files in the shared folders have the same content")
    default:
      localized(
        "\(candidates.count) clones of \(reference.repositories.map(\.text).joined(separator: ", ")) contain it"
      )
    }
  }
}
