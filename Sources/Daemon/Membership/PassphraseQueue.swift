import Activity
import EventLoop
import TLS
import Team

/// Makes keys of passphrases, on a thread of their own and one at a time: each takes 64 MiB, and some 100 ms of a processor.
///
/// A user may have one under way or waiting, so that none waits longer than all the others take.
@Loop
final class PassphraseQueue {
  private struct Entry {
    let user: UInt32
    /// nil: a new one is to be made up.
    let salt: [UInt8]?
    let passphrase: String
    let completion: @Loop (Result<PassphraseKey, Reason>) -> Void
  }

  /// The first is under way.
  private var entries: [Entry] = []

  /// - Parameters:
  ///   - salt: That of the file that is to be opened; nil to make one up.
  ///   - completion: Called once, after this returns.
  /// - Throws: `limitReached`.
  func makeKey(
    _ passphrase: String,
    salt: [UInt8]? = nil,
    for user: UInt32,
    completion: @escaping @Loop (Result<PassphraseKey, Reason>) -> Void
  ) throws(Reason) {
    guard entries.count < Limits.passphrases, !entries.contains(where: { $0.user == user }) else { throw .limitReached }
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
