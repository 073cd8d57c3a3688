// SPDX-License-Identifier: Apache-2.0

import Activity

/// Recognizes a secret that something puts back without its mark, by what came before it.
///
/// Clipboard managers take over what programs have copied, some at once, and some when its program ends. Few of them
/// keep the marks. Nothing is read of a secret, so what they put back cannot be compared with it. What is selected soon
/// after a secret, or soon after one has gone, counts as the same secret.
///
/// A manager puts back the last thing that it has, which can be older than what has gone: a text that was copied before
/// a picture, or before something that was there too briefly. So what is selected soon after such a thing has gone
/// counts as a secret, too, unless the last text that was there for long enough was none. Managers put back plain text,
/// also where the program gave better types that are gone.
///
/// A program can be slow to give its secret to a manager. Mutter's manager then takes it for what is selected next, and
/// puts it back when that ends. So for minutes after a secret, what a manager puts into an empty clipboard counts as a
/// secret, whatever was there before.
package struct SecretSequence: Sendable {
  /// How long after a secret, and after the end of one, what is selected counts as the same secret. Clipboard managers
  /// put back what has gone within one second; a person rarely copies something else that soon.
  package static let secretEchoTime = Duration.seconds(5)
  /// How long after a secret its program may still give it to a manager.
  package static let lateSecretTime = Duration.seconds(300)

  // Checked now: an instant of the clock.

  /// What is selected may be a secret. What was selected at first is not known.
  private var mayBeSecret = true
  private var distrustedUntil: ContinuousClock.Instant?
  private var secretUntil: ContinuousClock.Instant?
  private var lateUntil: ContinuousClock.Instant?
  /// Something is selected, or was before the first event.
  private(set) var isSelected = true
  /// Since when there is a text, which managers put back rather than something older.
  private var keptSince: ContinuousClock.Instant?
  /// What managers put back may be a secret.
  private var managersMayHaveSecret = true

  package init() {}

  /// Something is selected.
  ///
  /// - Parameter names: Of its types. None if they are not known, so that a mark can be among them.
  /// - Returns: Whether it must be treated as a secret.
  package mutating func selected(_ names: [String], at now: ContinuousClock.Instant) -> Bool {
    noteKept(now)
    let isMarked = names.isEmpty || SecretHint.isSecret(names)
    // Managers that are asked by a program that ends put its secret in the place of the secret.
    let mayBePutBack = isSelected ? mayBeSecret : lateUntil.map { now < $0 } == true
    let isPutBack = mayBePutBack && SelectionTypes.isPutBack(names)
    mayBeSecret = isMarked || isPutBack || distrustedUntil.map { now < $0 } == true
    if isMarked {
      distrustedUntil = now + Self.secretEchoTime
      (secretUntil, lateUntil) = (distrustedUntil, now + Self.lateSecretTime)
    }
    if mayBeSecret { managersMayHaveSecret = true }
    let isText = SelectionTypes.offered(names).first?.type.essence == "text/plain"
    (isSelected, keptSince) = (true, isText && !mayBeSecret ? now : nil)
    return mayBeSecret
  }

  /// Nothing is selected any longer, or an empty text, which managers replace as well.
  package mutating func unselected(at now: ContinuousClock.Instant) {
    guard isSelected else { return }
    noteKept(now)
    if mayBeSecret || managersMayHaveSecret { distrustedUntil = now + Self.secretEchoTime }
    (mayBeSecret, isSelected, keptSince) = (false, false, nil)
  }

  /// Managers have the text that is selected, if it is there for long enough.
  private mutating func noteKept(_ now: ContinuousClock.Instant) {
    if let keptSince, now - keptSince >= Limits.managerTime { managersMayHaveSecret = false }
  }

  /// What is selected may be a secret that was seen.
  var isAfterSecret: Bool { isSelected && mayBeSecret && secretUntil != nil }

  /// What comes now may be the same secret.
  func isRecent(at now: ContinuousClock.Instant) -> Bool { secretUntil.map { now < $0 } ?? false }

  /// What another machine had copied is gone, and a manager puts back something older.
  mutating func dropped(at now: ContinuousClock.Instant) {
    distrustedUntil = max(distrustedUntil ?? now, now + Limits.managerTime)
  }

  /// From now on, nothing is known about what is selected.
  mutating func lost() { (mayBeSecret, isSelected, keptSince, managersMayHaveSecret) = (true, true, nil, true) }
}
