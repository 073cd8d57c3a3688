// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// A file or a directory on one machine, described so that another machine can find the same one there
/// (ActivityTypes.md, "Documents"). What another machine has sent is checked when it is decoded.
package struct DocumentReference: Structure {
  /// The absolute path on the machine it comes from. It is never opened on another machine.
  @Coded<AbsolutePath> package var path: String
  /// The same as a file URL, which arrives as the local path if it is in a shared folder.
  @Coded<URLMember?> package var url: String?
  /// The path below the home directory of the user that it comes from. Empty for that directory itself.
  @Coded<RelativePath?> package var homePath: String?
  /// The repositories that the file's clone fetches from.
  @Coded<Repositories> package var repositories: [RepositoryName]
  /// The path in the clone. Empty for its root.
  @Coded<RelativePath?> package var repositoryPath: String?
  /// The commit that is checked out in the clone: 40 or 64 hexadecimal digits.
  @Coded<ObjectName?> package var commit: String?
  /// The length of the file in bytes. Nil for a directory.
  @Coded<Count?> package var size: Int?
  /// The hash of the file's content: 64 hexadecimal digits.
  @Coded<SHA256Text?> package var sha256: String?

  package init(
    path: String,
    url: String? = nil,
    homePath: String? = nil,
    repositories: [RepositoryName] = [],
    repositoryPath: String? = nil,
    commit: String? = nil,
    size: Int? = nil,
    sha256: String? = nil
  ) {
    self.path = path
    self.url = url
    self.homePath = homePath
    self.repositories = repositories
    self.repositoryPath = repositoryPath
    self.commit = commit
    self.size = size
    self.sha256 = sha256
  }

  /// The maximum number of repositories. People have two: their own, and the one that they forked.
  package static let mostRepositories = 8
  /// The maximum length of a path in bytes: PATH_MAX of Linux.
  package static let pathLength = 4096

  /// The last component of the path, for people and for a new file.
  package var name: String { PathComponents.last(path) ?? path }

  /// Returns the reference without what is least useful, so that it takes at most `count` bytes as JSON. Nil if even
  /// the rest is longer.
  package func fitted(in count: Int) -> DocumentReference? {
    var result = self
    let isLonger = { result.json.bytes.count > count }
    if isLonger() { result.repositories = Array(repositories.prefix(1)) }
    if isLonger() { result.url = nil }
    if isLonger() { result.homePath = nil }
    if isLonger() { (result.repositories, result.repositoryPath, result.commit) = ([], nil, nil) }
    return isLonger() ? nil : result
  }
}

/// An absolute path.
package enum AbsolutePath: MemberCoding {
  package static func decode(_ json: JSON?) -> String? {
    json?.string.flatMap { path in
      path.utf8.first == UInt8(ascii: "/") && path.utf8.count <= DocumentReference.pathLength
        && !path.utf8.contains(0) ? path : nil
    }
  }

  package static func encode(_ path: String) -> JSON? { .string(path) }
}

/// A path that stays below its directory: no `..`, and nothing of git's own files.
package enum RelativePath: MemberCoding {
  package static func decode(_ json: JSON?) -> String? {
    json?.string.flatMap { isValid($0) ? $0 : nil }
  }

  package static func encode(_ path: String) -> JSON? { .string(path) }

  package static func isValid(_ path: String) -> Bool {
    guard path.utf8.count <= DocumentReference.pathLength, !path.utf8.contains(0) else { return false }
    return path.isEmpty
      || path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { component in
        !component.isEmpty && !component.elementsEqual(".".utf8) && !component.elementsEqual("..".utf8)
          && String(Substring(component)).lowercased() != ".git"
      }
  }
}

/// A URL in the form of `userInfo`.
package enum URLMember: MemberCoding {
  /// The maximum length in bytes: the longest path, with each byte percent-encoded.
  private static let length = 3 * DocumentReference.pathLength + 32

  package static func decode(_ json: JSON?) -> String? {
    guard let members = json?.object, members.count == 1, let text = members["$url"]?.string,
      text.utf8.count <= length
    else { return nil }
    return text
  }

  package static func encode(_ url: String) -> JSON? { ["$url": .string(url)] }
}

/// Names of repositories. The member is absent if there are none.
package enum Repositories: MemberCoding {
  package static func decode(_ json: JSON?) -> [RepositoryName]? {
    guard let json else { return [] }
    guard let elements = json.array, elements.count <= DocumentReference.mostRepositories else { return nil }
    let names = elements.compactMap { $0.string.flatMap(RepositoryName.init(text:)) }
    return names.count == elements.count ? names : nil
  }

  package static func encode(_ names: [RepositoryName]) -> JSON? {
    names.isEmpty ? .none : .some(.array(names.map { .string($0.text) }))
  }
}

/// The name of a commit in a repository with SHA-1 or SHA-256.
package enum ObjectName: MemberCoding {
  package static func decode(_ json: JSON?) -> String? {
    json?.string.flatMap { isValid($0) ? $0 : nil }
  }

  package static func encode(_ name: String) -> JSON? { .string(name) }

  package static func isValid(_ name: String) -> Bool { [40, 64].contains(name.utf8.count) && isHexadecimal(name) }

  static func isHexadecimal(_ text: String) -> Bool { text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) } }
}

/// A SHA-256 hash in hexadecimal digits.
package enum SHA256Text: MemberCoding {
  package static func decode(_ json: JSON?) -> String? {
    json?.string.flatMap { $0.utf8.count == 64 && ObjectName.isHexadecimal($0) ? $0 : nil }
  }

  package static func encode(_ hash: String) -> JSON? { .string(hash) }
}
