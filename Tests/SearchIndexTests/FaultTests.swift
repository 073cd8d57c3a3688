// SPDX-License-Identifier: Apache-2.0

import BatonAgent
import CSQLite
import FaultyFiles
import IndexStory
import Search
import SeededGenerator
import Testing

/// The disk is full, or the machine stops, at any change of the files. Each call happens as a whole or not at all, and
/// nothing is left of what was deleted.
struct FaultTests {
  private let fixture = Fixture()

  init() {
    fixture.limits = Story.limits
    #expect(faulty_files_install() == SQLITE_OK)
    #expect(csqlite_register_erasing_files() == SQLITE_OK)
  }

  private typealias Files = [(name: String, bytes: [UInt8])]

  private func save() -> Files {
    Fixture.names(in: fixture.home).map { ($0, Fixture.bytes(of: "\(fixture.home)/\($0)")) }
  }

  private func restore(_ files: Files) {
    for name in Fixture.names(in: fixture.home) { Fixture.remove("\(fixture.home)/\(name)") }
    for (name, bytes) in files { Fixture.write(bytes, to: "\(fixture.home)/\(name)") }
  }

  private func expectErased(_ model: Model, _ comment: Comment) {
    // A log without a whole page lets SQLite write memory that was never used to the index of the log. In the process
    // of a test, it contains what was there before the stop.
    let bytes = save().filter { !$0.name.hasSuffix("-shm") }.flatMap(\.bytes)
    let left = Secrets.find(model.erased, except: model.secrets.union(model.replaced), in: bytes)
    #expect(left == [], comment)
  }

  /// Checks one step with one fault.
  ///
  /// - Returns: How many changes of files there were.
  private func run(
    _ step: Step,
    from files: Files,
    _ before: Model,
    _ after: Model,
    failing number: Int,
    _ code: Int32,
    isLast: Bool
  ) throws -> Int {
    let comment: Comment = "step \(step.number), \(step.action), change \(number), \(code), \(isLast)"
    restore(files)
    var index = try fixture.index()
    faulty_files_fail(Int32(number), code, isLast ? 1 : 0)
    var hasFailed = false
    do { try step.run(index) } catch { hasFailed = true }
    let changes = Int(faulty_files_changes())
    if isLast { fixture.close() }
    faulty_files_fail(0, 0, 0)
    index = try fixture.index()
    #expect(index.damage == nil, comment)
    let titles = try fixture.titles()
    #expect(titles == after.titles || hasFailed && titles == before.titles, comment)
    if isLast { expectErased(titles == before.titles ? before : after, comment) }
    if hasFailed {
      try step.run(index)
      #expect(try fixture.titles() == after.titles, comment)
    }
    expectErased(after, comment)
    fixture.close()
    return changes
  }

  @Test(arguments: 0..<1) func stepsHappenAsAWholeOrNotAtAll(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = Model(entriesPerApplication: Story.limits.entriesPerApplication)
    for number in 0..<16 {
      let step = Step(seed: seed, number: number)
      let before = model
      model.run(step)
      // As after a crash.
      _ = try fixture.index()
      let files = save()
      fixture.close()
      let changes = try run(step, from: files, before, model, failing: 0, 0, isLast: false)
      guard changes > 0 else { continue }
      for (code, isLast) in [(SQLITE_FULL, false), (SQLITE_IOERR, false), (SQLITE_IOERR, true), (SQLITE_IOERR, true)] {
        let failing = Int.random(in: 1...changes, using: &random)
        _ = try run(step, from: files, before, model, failing: failing, code, isLast: isLast)
      }
      restore(files)
      try step.run(try fixture.index())
    }
  }

  /// Opening makes the tables, recovers the log, or completes a deletion. Closing overwrites replaced text.
  @Test(arguments: 0..<1) func openingAndClosingFailAndCanBeRepeated(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = Model(entriesPerApplication: Story.limits.entriesPerApplication)
    for number in 0..<12 {
      let files = save()
      _ = try fixture.index()
      fixture.close()
      let changes = Int(faulty_files_changes())
      for code in [SQLITE_FULL, SQLITE_IOERR] {
        for isLast in [false, true] {
          let failing = Int.random(in: 1...max(changes, 1), using: &random)
          let comment: Comment = "before step \(number), change \(failing) of \(changes), \(code), \(isLast)"
          restore(files)
          faulty_files_fail(Int32(failing), code, isLast ? 1 : 0)
          _ = try? fixture.index()
          if isLast { fixture.close() }
          faulty_files_fail(0, 0, 0)
          let index = try fixture.index()
          #expect(index.damage == nil, comment)
          #expect(try fixture.titles() == model.titles, comment)
          expectErased(model, comment)
          fixture.close()
        }
      }
      restore(files)
      let step = Step(seed: seed, number: number)
      model.run(step)
      try step.run(try fixture.index())
      let after = save()
      fixture.close()
      restore(after)
      faulty_files_fail(0, 0, 0)
    }
  }

  /// The file system may keep the blocks of what is cut off or removed.
  @Test func whatIsCutOffIsOverwritten() throws {
    let index = try fixture.index()
    faulty_files_fail(0, 0, 0)
    for number in 0..<20 { try Step(seed: 0, number: number).run(index) }
    let text = String(repeating: "whale ", count: 2500)
    // So large that the database shrinks.
    let entries = (0..<400).map { number in item("\(number)") { $0.textContent = "\(number) \(text)" } }
    try index.put(entries, application: "app", now: 1e9)
    try index.delete(.allItems, application: "app")
    #expect(faulty_files_left() == 0)
    fixture.close()
    #expect(faulty_files_left() == 0)
  }
}
