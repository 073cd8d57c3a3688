import Activity
import ControlClient
import ControlInterface
import Varlink

/// A team's key that has a passphrase.
enum LockedKey {
  static let thing = "the team's key"

  /// Calls what takes the team's key; where that is locked, and somebody can be asked for the passphrase, asks and calls
  /// again.
  ///
  /// - Parameter asked: The options that may name a file with the passphrase; nil where they name another's.
  static func call<M: Method>(
    _ method: M.Type,
    _ parameters: M.Parameters,
    team: String?,
    _ asked: ArgumentList?,
    on connection: ControlConnection
  ) throws -> M.Reply {
    do throws(ControlError) {
      return try connection.call(method, parameters)
    } catch {
      guard case .failed(let failure) = error, failure.reason == .passphraseNeeded,
        asked?.value(Passphrase.option.name) != nil || PassphrasePrompt.isPossible
      else { throw error }
    }
    let passphrase =
      try asked.map { try Passphrase.read($0, isNew: false, of: thing) } ?? Passphrase.ask(of: "\(thing) until now")
    let unlock = UnlockTeam.Parameters(team: team, passphrase: passphrase)
    _ = try connection.call(UnlockTeam.self, unlock)
    return try connection.call(method, parameters)
  }
}
