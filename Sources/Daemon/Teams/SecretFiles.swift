// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// Files that hold secrets. They are sealed if the machine was given a key for them, and plain otherwise. All calls
/// block.
///
/// A sealed file is the mark, 12 random bytes, and the content encrypted with AES-256-GCM. The additional data are the
/// mark and the file's path below the state directory, up to the first period of its name. So a file such as an
/// invitation can be renamed when its state changes, but cannot take another file's place. The nonces are random. NIST
/// SP 800-38D allows 2^32 of them under one key.
package struct SecretFiles: Sendable {
  private static let mark = Array("baton sealed 2\n".utf8)
  /// The mark of earlier versions, whose additional data are only the mark.
  private static let unboundMark = Array("baton sealed 1\n".utf8)
  /// How many bytes a sealed file has in addition to its content.
  private static let overhead = mark.count + Sealer.nonceLength + Sealer.tagLength

  /// How far a state directory is sealed; see `SecretFiles+Stage.swift`.
  enum Stage {
    /// Not marked as sealed. Files are sealed as by earlier versions.
    case unmarked
    /// Files that are plain or sealed as by earlier versions are accepted, too.
    case sealing
    /// Only files that are sealed for their own path are accepted.
    case sealed
  }

  enum Form {
    case plain
    /// Sealed as by earlier versions, which did not bind a file to its place.
    case unbound
    case bound
  }

  let sealer: Sealer?
  let previous: Sealer?
  var stage = Stage.unmarked
  /// The directory that holds the files.
  private var directory = ""
  /// The directory's proper path below the state directory.
  private var place = ""

  /// - Parameters:
  ///   - key: A key of any length that is hard to guess; nil to write files in plain.
  ///   - previousKey: Another key with which existing files may be sealed.
  package init(key: [UInt8]? = nil, previousKey: [UInt8]? = nil) {
    sealer = key.flatMap(Self.sealer)
    previous = previousKey.flatMap(Self.sealer)
  }

  private static func sealer(_ key: [UInt8]) -> Sealer? {
    Sealer(key: HMACSHA256.derive("baton state", from: key))
  }

  /// Returns the same for the files in a directory and below.
  ///
  /// - Parameter place: The directory's proper path below the state directory; empty for the state directory itself.
  func of(_ directory: String, at place: String = "") -> SecretFiles {
    var files = self
    (files.directory, files.place) = (directory, place)
    return files
  }

  /// Returns the additional data that bind a file to its place.
  private func binding(of path: String) -> [UInt8] {
    let inside = path.rest(afterBytesOf: "\(directory)/") ?? path[...]
    let name = inside.scalarPrefix(while: { $0 != "." })
    return Self.mark + (place.isEmpty ? "\(name)" : "\(place)/\(name)").utf8
  }

  /// - Parameter limit: The maximum size of the content in bytes. Longer content is not read.
  /// - Throws: `StorageError`, also if no key opens the file.
  func read(_ path: String, limit: Int) throws(StorageError) -> [UInt8] {
    let file = try open(path, limit: limit)
    try check(file.form, path)
    return file.content
  }

  /// Replaces the content of `path`, or creates the file.
  func write(_ content: some Collection<UInt8>, to path: String, in directory: String) throws(StorageError) {
    try Files.write(sealed(content, path), to: path, in: directory)
  }

  /// Replaces the content of `path`, or creates the file.
  ///
  /// - Parameter content: Returns the content, given the new file's descriptor.
  func write(
    to path: String,
    in directory: String,
    content: (Int32) throws(StorageError) -> [UInt8]
  ) throws(StorageError) {
    try Files.write(to: path, in: directory) { descriptor throws(StorageError) in
      try sealed(content(descriptor), path)
    }
  }

  /// Creates a file that must not exist.
  func create(_ path: String, holding content: some Collection<UInt8>) throws(StorageError) {
    try Files.create(path, holding: sealed(content, path))
  }

  /// Rewrites a file that is not as ``write(_:to:in:)`` would leave it: plain, sealed with the previous key, or sealed
  /// as by an earlier version. Does nothing if there is no such file.
  ///
  /// - Parameter content: Returns the new content, given the old content and the new file's descriptor.
  func renew(
    _ path: String,
    limit: Int,
    in directory: String,
    content: ([UInt8], Int32) throws(StorageError) -> [UInt8] = { content, _ in content }
  ) throws(StorageError) {
    guard try Files.isThere(path) else { return }
    let file = try open(path, limit: limit)
    try check(file.form, path)
    guard !isAsWritten(file) else { return }
    let old = file.content
    // A sealed file that is damaged must not be sealed a second time.
    guard Self.isSecret(old) else {
      throw StorageError("read", path, because: "it's neither a sealed file nor a key, PEM or JSON")
    }
    try write(to: path, in: directory) { descriptor throws(StorageError) in try content(old, descriptor) }
  }

  /// Whether content can be one of ours: PEM, JSON or a key.
  private static func isSecret(_ content: [UInt8]) -> Bool {
    content.starts(with: "-----BEGIN ".utf8) || content.first == UInt8(ascii: "{") || content.count == Sealer.keyLength
  }

  /// Rewrites some files of a directory in the same way.
  ///
  /// - Returns: The files that could not be rewritten. They do not stop the others.
  func renew(_ paths: [String], limit: Int, in directory: String) -> [StorageError] {
    Self.failures(of: paths) { path throws(StorageError) in try renew(path, limit: limit, in: directory) }
  }

  /// Does something with each file of a directory.
  ///
  /// - Returns: The errors. A file that fails does not stop the others.
  static func forEach(
    in directory: String,
    _ body: (_ path: String) throws(StorageError) -> Void
  ) -> [StorageError] {
    do throws(StorageError) {
      return failures(of: try Files.names(in: directory).filter(Files.isInUse).map { "\(directory)/\($0)" }, body)
    } catch {
      return [error]
    }
  }

  private static func failures(
    of paths: [String],
    _ body: (_ path: String) throws(StorageError) -> Void
  ) -> [StorageError] {
    paths.compactMap { path in
      do throws(StorageError) {
        try body(path)
        return nil
      } catch {
        return error
      }
    }
  }

  private func sealed(_ content: some Collection<UInt8>, _ path: String) throws(StorageError) -> [UInt8] {
    guard let sealer else { return Array(content) }
    let nonce = SystemRandom.bytes(Sealer.nonceLength)
    let mark = stage == .unmarked ? Self.unboundMark : Self.mark
    let additional = stage == .unmarked ? mark : binding(of: path)
    do throws(TLSError) {
      return mark + nonce + (try sealer.seal(Array(content), nonce: nonce, additional: additional))
    } catch {
      throw StorageError("seal", path, because: "OpenSSL failed")
    }
  }

  // MARK: Opening files

  struct Opened {
    let content: [UInt8]
    let form: Form
    /// Whether it was sealed with the current key, not with the previous one.
    let isCurrent: Bool
  }

  func open(_ path: String, limit: Int) throws(StorageError) -> Opened {
    let bytes = try Files.read(path, limit: limit + Self.overhead)
    let isBound = bytes.starts(with: Self.mark)
    guard isBound || bytes.starts(with: Self.unboundMark) else {
      return Opened(content: bytes, form: .plain, isCurrent: false)
    }
    let nonce = Array(bytes.dropFirst(Self.mark.count).prefix(Sealer.nonceLength))
    let ciphertext = Array(bytes.dropFirst(Self.mark.count + Sealer.nonceLength))
    let additional = isBound ? binding(of: path) : Self.unboundMark
    for (sealer, isCurrent) in [(sealer, true), (previous, false)] {
      guard nonce.count == Sealer.nonceLength,
        let content = sealer?.open(ciphertext, nonce: nonce, additional: additional)
      else { continue }
      return Opened(content: content, form: isBound ? .bound : .unbound, isCurrent: isCurrent)
    }
    let isKeyMissing = sealer == nil && previous == nil
    throw StorageError(
      sealed: path,
      because: isKeyMissing ? "it's sealed, and no key was given" : "none of the keys can decrypt it at this path"
    )
  }

  func isAsWritten(_ file: Opened) -> Bool {
    guard sealer != nil else { return file.form == .plain }
    return file.isCurrent && (file.form == .bound || stage == .unmarked)
  }

  /// Throws if the stage does not allow a file of this form.
  private func check(_ form: Form, _ path: String) throws(StorageError) {
    guard stage == .sealed, form != .bound else { return }
    throw StorageError(
      sealed: path,
      because: """
        it's \(form == .plain ? "plain" : "sealed as by an earlier version"), but every file here was sealed \
        for its own path. Restore the sealed file. If you know that this file is yours, start batond once with the key \
        only as baton.previous-state-key, and then as before
        """
    )
  }
}
