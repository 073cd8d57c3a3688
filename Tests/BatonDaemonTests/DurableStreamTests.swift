// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import TLS
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  /// Streams whose session is lost while they are in use (Protocol.md section 7).
  struct DurableStreamTests {
    @Test func everyByteArrivesThoughSessionsAreLost() throws {
      try withTwoDaemons { a, b in
        try withContinuation(a, b) { note in
          let (near, far) = try openStream(note, a, b)
          let (there, back) = (noise(6 << 20, seed: 11), noise(6 << 20, seed: 12))
          let writing = [(near, there), (far, back)].map { end, data in
            onThread {
              try end.write(data)
              end.finish()
              return true
            }
          }
          let reading = onThread { try near.readAll() }
          var received: [UInt8] = []
          for _ in 0..<4 {
            received += try far.read(1 << 20)
            Descriptors.cutConnections(ofPort: a.port)
            Descriptors.cutConnections(ofPort: b.port)
          }
          received += try far.readAll()
          #expect(received == there)
          #expect(try reading.wait() == back)
          for thread in writing { #expect(try thread.wait()) }
          #expect(try b.outcome(of: near) == nil)
          #expect(try a.outcome(of: far) == nil)
          try waitUntil("No stream is open") { try a.status().streams + b.status().streams == 0 }
        }
      }
    }

    @Test func aSideSendsWhatDidNotCome() throws {
      try withPeer { scene in
        let (peer, number) = (scene.peer, scene.peer.firstStream)
        let end = try peer.openStream(number, scene.note)
        try peer.sendData(stream: number, offset: 0, Array("question".utf8))
        #expect(try end.read(8) == Array("question".utf8))
        try end.write("answer")
        #expect(try peer.bytes(6) == Array("answer".utf8))
        end.finish()

        // Of the answer, "ans" has arrived. Of the rest of the question, nothing has been sent.
        let next = try scene.connectAgain()
        #expect(try next.resumption() == .init(received: 8, limit: Limits.streamWindow + 8))
        try next.send(Resume(stream: number, progress: .init(received: 3, limit: 1 << 20)))
        #expect(try next.bytes(3, at: 3) == Array("wer".utf8))
        #expect(
          try next.hear("finish") { if case .stream(.finish(let finish)) = $0 { finish.length } else { nil } } == 6
        )
        try next.sendData(stream: number, offset: 8, Array(", and more".utf8))
        try next.send(Finish(stream: number, length: 18))
        #expect(try end.readAll() == Array(", and more".utf8))
        let acknowledged = try next.hear("the end") {
          if case .stream(.acknowledge(let message)) = $0, message.progress.isFinished { message.progress } else { nil }
        }
        #expect(acknowledged.received == 18)
        try next.send(
          Acknowledge(stream: number, progress: .init(received: 6, limit: 1 << 20, isFinished: true))
        )
        #expect(try scene.daemon.outcome(of: end) == nil)
      }
    }

    @Test func whoDidNotHearOfTheEndIsTold() throws {
      try withPeer { scene in
        let (peer, number) = (scene.peer, scene.peer.firstStream)
        let end = try peer.openStream(number, scene.note)
        end.finish()
        try peer.send(Finish(stream: number, length: 0))
        try peer.send(
          Acknowledge(stream: number, progress: .init(received: 0, limit: 1 << 20, isFinished: true))
        )
        #expect(try scene.daemon.outcome(of: end) == nil)
        // The acknowledgement of this side's end was lost.
        let next = try scene.connectAgain()
        try next.send(Resume(stream: number, progress: .init(received: 0, limit: 1 << 20)))
        #expect(try next.resumption().isFinished)
      }
    }

    @Test func whoDidNotHearOfAResetIsTold() throws {
      try withPeer { scene in
        let (peer, number) = (scene.peer, scene.peer.firstStream)
        let end = try peer.openStream(number, scene.note)
        try peer.send(Reset(stream: number, reason: .streamReset))
        #expect(try scene.daemon.outcome(of: end) == .streamReset)
        let next = try scene.connectAgain()
        for stream in [number, number + 100] {
          try next.send(Resume(stream: stream, progress: .init(received: 0, limit: 1 << 20)))
          let reset = try next.hear("reset") { if case .stream(.reset(let reset)) = $0 { reset } else { nil } }
          #expect(reset == Reset(stream: stream, reason: stream == number ? .streamReset : .streamInterrupted))
        }
      }
    }

    @Test func aPeerThatDoesNotReturnInterrupts() throws {
      let clock = try ManualClock.install()
      try withPeer { scene in
        let (peer, number) = (scene.peer, scene.peer.firstStream)
        let end = try peer.openStream(number, scene.note)
        peer.hangUp()
        try waitUntil("The session is over") { try scene.daemon.status().sessions == 0 }
        #expect(try scene.daemon.status().streams == 1)
        try clock.pass(Limits.streamResumeTime - .milliseconds(1))
        #expect(try scene.daemon.status().streams == 1)
        try clock.pass(.milliseconds(1))
        #expect(try scene.daemon.outcome(of: end) == .streamInterrupted)
      }
    }

    /// A session that is lost at the moment in which its streams go on takes none of them along.
    @Test func streamsOutliveASessionThatIsLostWhileTheyGoOn() throws {
      try withPeer { scene in
        let number = scene.peer.firstStream
        let first = try scene.peer.openStream(number, scene.note)
        let second = try scene.peer.openStream(number + 2, scene.note)
        scene.peer.hangUp()
        for _ in 0..<3 {
          let next = try RawPeer(scene.credentials, port: scene.daemon.port)
          try next.send(RawPeer.hello())
          guard case .session(.hello) = try next.next() else { throw TestFailure("No hello") }
          guard case .session(.accepted) = try next.next() else { throw TestFailure("No accepted") }
          // The daemon hears both at once.
          nonisolated(unsafe) let last = next
          try onLoop {
            try last.send(Accepted(version: 1))
            last.reset()
          }
          try waitUntil("The session is over") { try scene.daemon.status().sessions == 0 }
          #expect(try scene.daemon.status().streams == 2)
        }
        let last = try scene.connectAgain()
        for _ in 0..<2 { #expect(try last.resumption().received == 0) }
        for stream in [number, number + 2] { try last.send(Reset(stream: stream, reason: .streamReset)) }
        for end in [first, second] { #expect(try scene.daemon.outcome(of: end) == .streamReset) }
        try waitUntil("No stream is open") { try scene.daemon.status().streams == 0 }
      }
    }

    /// What a peer's own streams came to is not forgotten for those of others, however many they are.
    @Test func manyStreamsOfOnePeerPushOutNoAnswerToAnother() throws {
      try withPeer { scene in
        let (peer, number) = (scene.peer, scene.peer.firstStream)
        let end = try peer.openStream(number, scene.note)
        end.finish()
        try peer.send(Finish(stream: number, length: 0))
        let whole = StreamFlow.Progress(received: 0, limit: 1 << 20, isFinished: true)
        try peer.send(Acknowledge(stream: number, progress: whole))
        #expect(try scene.daemon.outcome(of: end) == nil)
        peer.hangUp()
        let other = try RawPeer(try RawPeer.admitted(by: scene.daemon), port: scene.daemon.port)
        try other.becomeReady(RawPeer.hello("delta"))
        let note = try scene.daemon.advertiseFiles()
        _ = try other.continueActivity(note.id)
        try note.expect(.continued)
        for index in 0..<UInt32(StreamTable.rememberedStreams + 1) {
          let stream = other.firstStream + 2 * index
          let end = try other.openStream(stream, note)
          try other.send(Reset(stream: stream, reason: .streamReset))
          #expect(try scene.daemon.outcome(of: end) == .streamReset)
        }
        let next = try scene.connectAgain()
        try next.send(Resume(stream: number, progress: .init(received: 0, limit: 1 << 20)))
        #expect(try next.resumption().isFinished)
      }
    }

    @Test func aDaemonThatBeganAnewHasNoStreams() throws {
      try withPeer { scene in
        let (peer, number) = (scene.peer, scene.peer.firstStream)
        let end = try peer.openStream(number, scene.note)
        _ = try scene.connectAgain(epoch: 2)
        #expect(try scene.daemon.outcome(of: end) == .streamInterrupted)
      }
    }

    @Test func resumingTwiceOrBackwardsIsAViolation() throws {
      try withPeer { scene in
        let (peer, number) = (scene.peer, scene.peer.firstStream)
        let end = try peer.openStream(number, scene.note)
        try peer.send(Resume(stream: number, progress: .init(received: 0, limit: 1 << 20)))
        #expect(try peer.farewell() == .protocolViolation)
        #expect(try scene.daemon.outcome(of: end) == .streamInterrupted)
      }
      try withPeer { scene in
        let (peer, number) = (scene.peer, scene.peer.firstStream)
        let end = try peer.openStream(number, scene.note)
        let next = try scene.connectAgain()
        try next.send(Resume(stream: number, progress: .init(received: 1, limit: 1 << 20)))
        #expect(try next.farewell() == .protocolViolation)
        #expect(try scene.daemon.outcome(of: end) == .streamInterrupted)
      }
    }
  }
}

/// A daemon with a note, and a peer that has continued it.
private struct Scene {
  let daemon: DaemonFixture
  let note: Advertisement
  let credentials: Credentials
  let peer: RawPeer

  /// Ends the peer's session, and returns the next one.
  func connectAgain(epoch: UInt64 = 1) throws -> RawPeer {
    peer.hangUp()
    let next = try RawPeer(credentials, port: daemon.port)
    try next.becomeReady(RawPeer.hello(epoch: epoch))
    return next
  }
}

private func withPeer(_ body: (Scene) throws -> Void) throws {
  try withTeam { a in
    let note = try a.advertiseFiles()
    let credentials = try RawPeer.admitted(by: a)
    let peer = try RawPeer(credentials, port: a.port)
    try peer.becomeReady()
    _ = try peer.continueActivity(note.id)
    try note.expect(.continued)
    try body(Scene(daemon: a, note: note, credentials: credentials, peer: peer))
  }
}

extension RawPeer {
  /// Returns the progress that the daemon reports for a stream that it resumes.
  fileprivate func resumption() throws -> StreamFlow.Progress {
    try hear("resume") { if case .stream(.resume(let resume)) = $0 { resume.progress } else { nil } }
  }
}
