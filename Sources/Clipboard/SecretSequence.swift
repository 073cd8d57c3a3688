import Activity

/// Recognizes a secret that something puts back without its mark, by what came before it.
///
/// Clipboard managers take over what programs have copied, some at once, and some when its program ends. Few of them
/// keep the marks. Nothing is read of a secret, so what they put back cannot be compared with it. What is selected soon
/// after a secret, or soon after one has gone, counts as the same secret.
package struct SecretSequence: Sendable {
  // Checked now: an instant of the clock.

  /// What is selected may be a secret. What was selected at first is not known.
  private var mayBeSecret = true
  private var distrustedUntil: ContinuousClock.Instant?

  package init() {}

  /// Something is selected.
  ///
  /// - Parameter names: Of its types. None if they are not known, so that a mark can be among them.
  /// - Returns: Whether it must be treated as a secret.
  package mutating func selected(_ names: [String], at now: ContinuousClock.Instant) -> Bool {
    let isMarked = names.isEmpty || SecretHint.isSecret(names)
    mayBeSecret = isMarked || distrustedUntil.map { now < $0 } == true
    if isMarked { distrustedUntil = now + Limits.secretEchoTime }
    return mayBeSecret
  }

  /// Nothing is selected any longer.
  package mutating func unselected(at now: ContinuousClock.Instant) {
    if mayBeSecret { distrustedUntil = now + Limits.secretEchoTime }
    mayBeSecret = false
  }

  /// From now on, nothing is known about what is selected.
  mutating func lost() { mayBeSecret = true }
}
