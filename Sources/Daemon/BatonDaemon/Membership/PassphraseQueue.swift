// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import TLS
import Teams

/// Derives keys from passphrases, on a separate thread and one at a time. Each takes 64 MiB of memory and some 100 ms
/// of a processor.
///
/// A user can have only one in progress or waiting, so nobody waits longer than the keys of all others take.
@Loop
final class PassphraseQueue {
  /// The maximum number of keys that are being derived from passphrases or wait for that: for all users together, one
  /// per user. Each takes 64 MiB, one at a time.
  nonisolated static let passphrases = 16

  private struct Entry {
    let user: UInt32
    /// Nil to create one.
    let salt: [UInt8]?
    let passphrase: String
    let completion: @Loop (Result<PassphraseKey, Reason>) -> Void
  }

  /// The first one is in progress.
  private var entries: [Entry] = []

  /// - Parameters:
  ///   - salt: The salt of the file to open; nil to create one.
  ///   - completion: Called once, after this returns.
  /// - Throws: `limitReached`.
  func makeKey(
    _ passphrase: String,
    salt: [UInt8]? = nil,
    for user: UInt32,
    completion: @escaping @Loop (Result<PassphraseKey, Reason>) -> Void
  ) throws(Reason) {
    guard entries.count < Self.passphrases, !entries.contains(where: { $0.user == user }) else { throw .limitReached }
    entries.append(Entry(user: user, salt: salt, passphrase: passphrase, completion: completion))
    if entries.count == 1 { begin() }
  }

  private func begin() {
    guard let entry = entries.first else { return }
    let (passphrase, salt) = (entry.passphrase, entry.salt)
    let isBegun = OwnThread.run { [weak self] in
      let key =
        try? salt.map { salt throws(TLSError) in try PassphraseKey(passphrase: passphrase, salt: salt) }
        ?? PassphraseKey(passphrase: passphrase)
      Task { @Loop in self?.ended(key.map(Result.success) ?? .failure(.internalFailure)) }
    }
    if !isBegun { Task { @Loop in ended(.failure(.internalFailure)) } }
  }

  private func ended(_ result: Result<PassphraseKey, Reason>) {
    let entry = entries.removeFirst()
    begin()
    entry.completion(result)
  }
}
