import Activity

/// Recognizes a secret that something puts back without its mark, by what came before it.
///
/// Clipboard managers take over what programs have copied, some at once, and some when its program ends. Few of them
/// keep the marks. Nothing is read of a secret, so what they put back cannot be compared with it. What is selected soon
/// after a secret, or soon after one has gone, counts as the same secret.
///
/// A manager puts back the last thing that it has, which can be older than what has gone: a text that was copied before
/// a picture, or before something that was there too briefly. So what is selected soon after such a thing has gone
/// counts as a secret, too. Managers put back plain text, also where the program gave better types that are gone.
package struct SecretSequence: Sendable {
  // Checked now: an instant of the clock.

  /// What is selected may be a secret. What was selected at first is not known.
  private var mayBeSecret = true
  private var distrustedUntil: ContinuousClock.Instant?
  private var isSelected = true
  /// Since when there is a text, which managers put back rather than something older.
  private var keptSince: ContinuousClock.Instant?

  package init() {}

  /// Something is selected.
  ///
  /// - Parameter names: Of its types. None if they are not known, so that a mark can be among them.
  /// - Returns: Whether it must be treated as a secret.
  package mutating func selected(_ names: [String], at now: ContinuousClock.Instant) -> Bool {
    let isMarked = names.isEmpty || SecretHint.isSecret(names)
    // Managers that are asked by a program that ends put its secret in the place of the secret.
    let isPutBack = isSelected && mayBeSecret && SelectionTypes.isPutBack(names)
    mayBeSecret = isMarked || isPutBack || distrustedUntil.map { now < $0 } == true
    if isMarked { distrustedUntil = now + Limits.secretEchoTime }
    let isText = SelectionTypes.offered(names).first?.type.essence == "text/plain"
    (isSelected, keptSince) = (true, isText && !mayBeSecret ? now : nil)
    return mayBeSecret
  }

  /// Nothing is selected any longer, or an empty text, which managers replace as well.
  package mutating func unselected(at now: ContinuousClock.Instant) {
    guard isSelected else { return }
    let isKept = keptSince.map { now - $0 >= Limits.managerTime } ?? false
    if mayBeSecret || !isKept { distrustedUntil = now + Limits.secretEchoTime }
    (mayBeSecret, isSelected, keptSince) = (false, false, nil)
  }

  /// From now on, nothing is known about what is selected.
  mutating func lost() { (mayBeSecret, isSelected, keptSince) = (true, true, nil) }
}
