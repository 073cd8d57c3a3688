// SPDX-License-Identifier: Apache-2.0

import BatonAgent
import ChildProcess
import Glibc
import IndexStory
import Search
import SeededGenerator
import Testing

/// A process that changes the index is killed at any moment. Nothing that it said is lost, and nothing is left of what
/// was deleted.
struct KillTests {
  private let fixture = Fixture()

  init() { fixture.limits = Story.limits }

  /// The program next to this one.
  private static var writer: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/index-writer"
  }

  /// Starts the writer, and kills it after it has done some steps and a moment.
  ///
  /// - Returns: What it said.
  private func write(_ seed: UInt64, _ first: Int, killedAfter lines: Int, _ moment: UInt32) throws -> [String] {
    let (reading, writing) = try ChildProcess.pipe()
    let child = try ChildProcess(
      [Self.writer, fixture.home, "\(seed)", "\(first)", "\(first + 1000)"],
      standardOutput: writing
    )
    close(writing)
    var said: [UInt8] = []
    var byte: UInt8 = 0
    while said.count(where: { $0 == UInt8(ascii: "\n") }) < lines, read(reading, &byte, 1) == 1 { said.append(byte) }
    usleep(moment)
    child.send(SIGKILL)
    _ = child.waitUntilExit()
    said += ChildProcess.readToEnd(reading)
    return String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(arguments: seeds(0..<8)) func nothingIsLostAndNothingIsLeft(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = Model(entriesPerApplication: Story.limits.entriesPerApplication)
    var next = 0
    for round in 0..<12 {
      let said = try write(
        seed,
        next,
        killedAfter: Int.random(in: 0...8, using: &random),
        UInt32.random(in: 0...4000, using: &random)
      )
      #expect(said.allSatisfy { $0 == "open" || Int($0) != nil }, "\(said)")
      for number in said.compactMap(Int.init) {
        model.run(Step(seed: seed, number: number))
        next = number + 1
      }
      // The step that was being done happened as a whole, or not at all.
      var other = model
      other.run(Step(seed: seed, number: next))
      let index = try fixture.index()
      #expect(index.damage == nil)
      let titles = try fixture.titles()
      #expect(titles == model.titles || titles == other.titles, "round \(round), step \(next)")
      if titles != model.titles {
        model = other
        next += 1
      }
      // What was deleted is overwritten before the index answers anything.
      let left = Secrets.find(model.erased, except: model.secrets.union(model.replaced), in: fixture.bytes())
      #expect(left == [], "round \(round), step \(next)")
      while try index.checkNext() {}
      #expect(index.damage == nil)
      try index.eraseReplaced()
      let rest = Secrets.find(model.erased.union(model.replaced), except: model.secrets, in: fixture.bytes())
      #expect(rest == [], "round \(round), step \(next)")
      for secret in model.secrets.prefix(5) { #expect(try fixture.search(secret, now: 0).count == 1) }
      fixture.close()
    }
  }
}
