// SPDX-License-Identifier: Apache-2.0

import Activity

/// What one machine may make this one do for the shared index.
struct SharingPace: Sendable {
  /// The rate of lines of one machine's log that are written here. Each is some 100 kB of writing, because what it
  /// replaces is overwritten. Everything that a machine shares, twice, is written as fast as it comes.
  static let sharedLineRate = TokenBucket.Rate(perSecond: 1, burst: 4000)

  /// How many of its questions are answered per second. Sharing everything takes a few hundred.
  static let answerRate = TokenBucket.Rate(perSecond: 50, burst: 200)

  var answers: TokenBucket
  /// How many lines of its log are written here.
  var lines: TokenBucket

  init(at now: ContinuousClock.Instant) {
    answers = TokenBucket(Self.answerRate, at: now)
    lines = TokenBucket(Self.sharedLineRate, at: now)
  }

  func isFull(at now: ContinuousClock.Instant) -> Bool { answers.isFull(at: now) && lines.isFull(at: now) }
}
