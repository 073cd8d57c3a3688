import Activity

extension Limits {
  /// How long what was copied is offered to other machines. A person pastes soon after copying, and forgets later what
  /// is still offered.
  package static let clipboardTime = Duration.seconds(120)
  /// The maximum length of what is copied, in bytes. It is kept in memory. A photo of a camera has 20 MB.
  package static let clipboardLength = 64 << 20
  /// The maximum number of media types of one copy, as the schema says.
  package static let clipboardTypes = 16
  /// The maximum number of names that a program gives to the types of one selection. Office programs have about 40.
  package static let selectionNames = 256
  /// The maximum length of a media type or such a name in bytes.
  package static let mediaTypeLength = 127
  /// The maximum number of copies of other machines whose order is remembered.
  package static let knownCopies = 64
  /// The maximum number of these that a copy says it came after.
  package static let earlierCopies = 16
  /// How often another machine can take the desktop's selection: at any time, and from a program of this machine.
  /// People copy a few things in a row.
  package static let mirrorRate = TokenBucket.Rate(perSecond: 0.5, burst: 10)
  package static let mirrorOverOwnRate = TokenBucket.Rate(perSecond: 0.1, burst: 4)
  /// For how long what was copied here stays in any case.
  package static let ownSelectionTime = Duration.seconds(2)
  /// How long a local program may take to give what it has copied.
  package static let selectionTime = Duration.seconds(10)
  /// How long after a secret, and after the end of one, what is selected counts as the same secret. Clipboard managers
  /// put back what has gone within one second; a person rarely copies something else that soon.
  package static let secretEchoTime = Duration.seconds(5)
  /// How long a text is selected until every clipboard manager has taken it over. Some look once per second.
  package static let managerTime = Duration.seconds(2)
  /// How long after something that makes clipboard managers and other mirrors put back what they have, what is selected
  /// is compared with that.
  package static let echoTime = Duration.seconds(5)
  /// How long the comparison of two machines' copies may take.
  package static let comparisonTime = Duration.seconds(2)
  /// How long the clipboard may have no owner until that counts as empty.
  package static let selectionGap = Duration.seconds(1)
  /// How many requests of local programs wait in that time for what is copied next.
  package static let heldRequests = 64
  /// For how long, and how many, contents that were mirrored or offered are remembered.
  package static let knownContentTime = Duration.seconds(300)
  package static let knownContents = 64
  /// How long `baton copy` waits for the daemon, which offers what was copied.
  package static let clipboardOfferTime = Duration.seconds(3)
  /// The first and the longest pause before the clipboard's helper is started again.
  package static let clipboardHelperBackoff = Duration.seconds(1)...Duration.seconds(60)
}
