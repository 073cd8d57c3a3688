// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Glibc

/// Answers the questions of a search on this machine.
struct DocumentLookup {
  private let reference: DocumentReference
  private let sharedFolders: SharedFolders
  private let places: DocumentPlaces
  private let arrived: ArrivedFiles
  private let git = GitProgram()

  /// The maximum time for one question. People wait for it.
  private static let time = Duration.seconds(5)
  /// The levels of directories in which clones are looked for: `~/src/github.com/ada/baton` is the fourth.
  private static let cloneDepth = 6
  private static let folderDepth = 32
  /// The maximum number of entries of directories that are looked at.
  private static let entries = 200_000
  /// The maximum number of clones that git is asked about.
  private static let clones = 500
  /// The size from which no other film has the same name and the same size, in bytes. Films are not always hashed.
  private static let largeSize = 16 << 20
  /// The maximum number of files that arrived under one name and are compared.
  private static let copies = 8
  /// The maximum number of files of the right size that are read.
  private static let candidates = 64

  init(_ reference: DocumentReference, _ sharedFolders: SharedFolders, _ places: DocumentPlaces) {
    self.reference = reference
    self.sharedFolders = sharedFolders
    self.places = places
    arrived = places.arrived
  }

  /// Looks below a directory.
  func file(_ root: String, _ path: String, in clone: DocumentSearch.Clone? = nil) -> DocumentSearch.Candidate? {
    guard let file = FileBeneath(root, path), reference.size == nil || !file.isDirectory else { return nil }
    // A prompt asks git about the directory in which a shell is, and git obeys what the directory says.
    guard !file.isDirectory || !arrived.contains(file.absolutePath) else { return nil }
    return DocumentSearch.Candidate(path: file.absolutePath, clone: clone, hasSameContent: hasSameContent(file))
  }

  private func hasSameContent(
    _ file: FileBeneath,
    until deadline: ContinuousClock.Instant = .now + Self.time
  ) -> Bool? {
    guard let size = reference.size, let sha256 = reference.sha256 else { return nil }
    guard file.size == size else { return false }
    return file.hash(until: deadline).map { $0 == sha256 }
  }

  /// Looks at the same path below the home directory. A directory there is the person's own, and counts; a file only if
  /// it is the same.
  func home(_ path: String) -> DocumentSearch.Candidate? {
    guard let found = FileBeneath(places.home, path), let candidate = file(places.home, path) else { return nil }
    guard !arrived.contains(candidate.path) else { return nil }
    let directories = found.isDirectory ? PathComponents.split(path) : Array(PathComponents.split(path).dropLast())
    guard isOrdinary(directories), found.isDirectory || isSame(found, path, candidate.hasSameContent) else {
      return nil
    }
    return candidate
  }

  /// What makes a directory a repository whose configuration prompts obey.
  private static let repositories = [".git", ".hg", ".jj", ".svn", ".bzr"]

  /// Whether no more than one of the directories, from the home directory on, is a clone, and none has what makes it a
  /// repository without `.git`. Otherwise, whoever wrote a clone's files could have written the configuration that
  /// prompts obey.
  private func isOrdinary(_ names: [String]) -> Bool {
    let paths = names.indices.map { names[...$0].joined(separator: "/") }
    let clones = paths.count { path in Self.repositories.contains { DirectoryWalk.has($0, places.home, path) } }
    return clones <= 1 && !paths.contains { DirectoryWalk.has("HEAD", places.home, $0) }
  }

  /// Looks for the same file among those that were fetched.
  func arrivedBefore() -> DocumentSearch.Candidate? {
    guard let folder = HandoffFolder.real("\(places.home)/Handoff") else { return nil }
    let name = HandoffName(reference.name)
    // All of them together have the time of one question.
    let deadline = ContinuousClock.now + Self.time
    for number in 1...Self.copies {
      guard let found = FileBeneath(folder, name.text(number)) else { return nil }
      guard !found.isDirectory, isSame(found, name.text(1), hasSameContent(found, until: deadline)) else { continue }
      return DocumentSearch.Candidate(path: found.absolutePath)
    }
    return nil
  }

  /// Whether a file is the one that the other machine means. Whoever knows the size of another one must not get it
  /// opened, and so offered: without its hash, only films and sound count, and only under the name that was offered.
  private func isSame(_ file: FileBeneath, _ path: String, _ hasSameContent: Bool?) -> Bool {
    guard reference.sha256 == nil else { return hasSameContent == true }
    let names = PathComponents.split(path)
    guard let name = names.last, name.hasBytes(of: reference.name), PlayableType.ofFile(name) != nil else {
      return false
    }
    guard !names.contains(where: { $0.utf8.first == UInt8(ascii: ".") }) else { return false }
    return file.size == reference.size && file.size >= Self.largeSize
  }

  /// Looks in the clones that were used, and in those below the home directory.
  func clones(of repositories: [RepositoryName], _ path: String) -> ([DocumentSearch.Candidate], isComplete: Bool) {
    let deadline = ContinuousClock.now + Self.time
    let list = CloneList(path: places.cloneList)
    var roots = list.load()
    var walk = DirectoryWalk(depth: Self.cloneDepth, entries: Self.entries, deadline: deadline)
    walk.run(places.home) { listing in
      if listing.hasRepository {
        roots.append(listing.path.isEmpty ? places.home : "\(places.home)/\(listing.path)")
      }
    }
    var isComplete = !walk.isStopped
    var seen: Set<FileBeneath.Identity> = []
    var questions = 0
    var found: [DocumentSearch.Candidate] = []
    for root in roots where !arrived.contains(root) {
      // Most clones do not have the path, which is quicker to find out than their repositories.
      guard let directory = FileBeneath(root, ""), directory.isDirectory, FileBeneath(root, path) != nil,
        seen.insert(directory.identity).inserted
      else { continue }
      guard questions < Self.clones, ContinuousClock.now < deadline + Self.time else {
        isComplete = false
        break
      }
      questions += 1
      guard let repository = git.repositories(of: root).first(where: repositories.contains),
        let top = git.root(containing: root), FileBeneath(top.path, "")?.identity == directory.identity,
        let candidate = file(
          root,
          path,
          in: DocumentSearch.Clone(repository: repository, root: root, commit: top.commit)
        ), belongs(path, to: directory.identity, root)
      else { continue }
      found.append(candidate)
      list.remember(top.path)
    }
    return (found, isComplete)
  }

  /// Whether git takes a file or a directory of a clone for a part of it. A clone can contain another repository, even
  /// one without `.git`: whoever wrote the clone's files wrote its configuration, which prompts and editors obey there.
  private func belongs(_ path: String, to clone: FileBeneath.Identity, _ root: String) -> Bool {
    guard let found = FileBeneath(root, path) else { return false }
    let directory = found.isDirectory ? found.absolutePath : PathComponents.parent(found.absolutePath)
    return git.root(containing: directory).flatMap { FileBeneath($0.path, "") }?.identity == clone
  }

  /// Looks for files with this content in the shared folders.
  func content(_ size: Int, _ sha256: String) -> ([DocumentSearch.Candidate], isComplete: Bool) {
    let deadline = ContinuousClock.now + Self.time
    var isComplete = true
    var files: [FileBeneath] = []
    var seen: Set<FileBeneath.Identity> = []
    for folder in sharedFolders.all {
      var walk = DirectoryWalk(depth: Self.folderDepth, entries: Self.entries, deadline: deadline)
      walk.run(folder.path) { listing in
        for name in listing.files {
          var status = stat()
          guard fstatat(listing.directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0, Int(status.st_size) == size,
            let file = FileBeneath(folder.path, listing.path(of: name), status), !file.isDirectory,
            seen.insert(file.identity).inserted
          else { continue }
          files.append(file)
        }
      }
      if walk.isStopped { isComplete = false }
    }
    if files.count > Self.candidates { isComplete = false }
    var found: [DocumentSearch.Candidate] = []
    for file in files.prefix(Self.candidates) {
      guard let hash = file.hash(until: deadline + Self.time) else {
        isComplete = false
        continue
      }
      if hash == sha256 { found.append(DocumentSearch.Candidate(path: file.absolutePath, hasSameContent: true)) }
    }
    return (found, isComplete)
  }
}
