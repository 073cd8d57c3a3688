// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import Varlink
import VarlinkClient

/// A team's key that is sealed with a passphrase.
enum LockedKey {
  /// Calls a method that needs the team's key. If the key is locked and the passphrase is available, from a file or a
  /// terminal, unlocks the key and calls again.
  ///
  /// - Parameter asked: The options that can name a file with the passphrase; nil if their file has another passphrase.
  static func call<M: Method>(
    _ method: M.Type,
    _ parameters: M.Parameters,
    team: String?,
    _ asked: ParsedArguments?,
    on connection: ControlConnection
  ) throws -> M.Reply {
    do throws(ControlError) {
      return try connection.call(method, parameters)
    } catch {
      guard case .failed(let failure) = error, failure.reason == .passphraseNeeded,
        asked?[Passphrase.option] != nil || PassphrasePrompt.isPossible
      else { throw error }
    }
    let passphrase =
      try asked.map { try Passphrase.read($0, isNew: false, of: .key) } ?? Passphrase.askForCurrent(of: .key)
    let unlock = UnlockTeam.Parameters(team: team, passphrase: passphrase)
    _ = try connection.call(UnlockTeam.self, unlock)
    return try connection.call(method, parameters)
  }
}
