// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Hosts

/// What another machine offers and the desktop is given. Each type is fetched once, when a local program wants it.
@Loop
final class MirroredCopy {
  typealias Fetch = @Loop (MediaType, @escaping @Loop (CopiedContent?) -> Void) -> Void

  /// Tells contents from each other.
  private struct Digest: Hashable {
    let size: Int
    /// In hexadecimal digits.
    let sha256: String
  }

  private let types: [String: MediaType]
  private let fetch: Fetch
  private var contents: [MediaType: CopiedContent] = [:]
  private var waiting: [MediaType: [@Loop (CopiedContent?) -> Void]] = [:]
  /// What local programs have read, which is remembered longer than the contents.
  private var digests: Set<Digest> = []
  private var lastRead: ContinuousClock.Instant?
  /// The other machine still offers it.
  private(set) var isOffered = true

  init(_ names: [(name: String, type: MediaType)], fetch: @escaping Fetch) {
    types = Dictionary(names.map { ($0.name, $0.type) }) { first, _ in first }
    self.fetch = fetch
  }

  func get(_ name: String, completion: @escaping @Loop (CopiedContent?) -> Void) {
    guard isOffered, let type = types[name] else { return completion(nil) }
    if let content = contents[type] {
      lastRead = Loop.now
      return completion(content)
    }
    waiting[type, default: []].append(completion)
    guard waiting[type]?.count == 1 else { return }
    // This object stays until all are answered, even if something else is mirrored meanwhile.
    fetch(type) { content in
      if self.isOffered { self.contents[type] = content }
      if content != nil { self.lastRead = Loop.now }
      if let content { self.digests.insert(Digest(size: content.size, sha256: content.sha256)) }
      for body in self.waiting.removeValue(forKey: type) ?? [] { body(content) }
    }
  }

  /// The contents are forgotten.
  func end() {
    isOffered = false
    contents = [:]
  }

  /// How long ago local programs have read any of it.
  var sinceRead: Duration? { lastRead.map { Loop.now - $0 } }

  /// Whether this is what local programs have read.
  func has(_ content: CopiedContent) -> Bool { has(size: content.size, sha256: content.sha256) }

  func has(size: Int, sha256: String) -> Bool { digests.contains(Digest(size: size, sha256: sha256)) }
}
