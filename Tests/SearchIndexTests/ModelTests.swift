// SPDX-License-Identifier: Apache-2.0

import BatonAgent
import IndexStory
import Search
import SeededGenerator
import Testing

/// Random stories, of which a model knows the end.
struct ModelTests {
  private let fixture = Fixture()

  init() { fixture.limits = Story.limits }

  @Test(arguments: seeds(0..<8)) func theIndexDoesWhatTheModelDoes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = Model(entriesPerApplication: Story.limits.entriesPerApplication)
    for number in 0..<50 {
      let step = Step(seed: seed, number: number)
      model.run(step)
      try step.run(try fixture.index())
      if Int.random(in: 0..<10, using: &random) == 0 { fixture.close() }
      #expect(try fixture.titles() == model.titles, "step \(number): \(step.action)")
      // What SQLite has in memory must not come back with the next change, either.
      if Int.random(in: 0..<3, using: &random) > 0 { continue }
      let found = Secrets.find(model.erased, except: model.secrets.union(model.replaced), in: fixture.bytes())
      #expect(found == [], "step \(number): \(step.action)")
      guard found == [] else { return }
    }
    _ = try fixture.index()
    for secret in model.secrets { #expect(try fixture.search(secret, now: 0).count == 1) }
    for secret in model.erased.subtracting(model.secrets) { #expect(try fixture.search(secret, now: 0) == []) }
    let status = try fixture.reader().status()
    #expect(status.entries == model.titles.count)
    fixture.close()
    while try fixture.index().checkNext() {}
    #expect(try fixture.index().damage == nil)
  }
}
