// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import VarlinkClient

/// Both directions of a continuation stream, on the way to the code that uses them.
final class StreamPair: @unchecked Sendable {
  // They are handed over once, from the loop to the app's thread.
  private let streams: (InputStream, OutputStream)

  init(_ streams: (InputStream, OutputStream)) { self.streams = streams }

  func take() -> (InputStream, OutputStream) { streams }
}

/// A stream of this process. The object that began it keeps it until it has its sockets. From then on, it exists until
/// the stream has ended.
///
/// If this process is killed, the end of its call is what tells the other machine that the stream broke.
@Loop
final class IncomingStream {
  typealias Completion = @Loop (Result<StreamPair, HandoffFailure>) -> Void

  private static var running: [ObjectIdentifier: IncomingStream] = [:]

  private var stream: ProgramStream?
  private let outcome = StreamOutcome()
  private var completion: Completion?

  /// - Parameter completion: Called once, never before this returns.
  init(_ beginning: ProgramStream.Beginning, completion: @escaping Completion) {
    self.completion = completion
    do throws(ControlError) {
      let stream = try ProgramStream(beginning) { [weak self] event in self?.handle(event) }
      stream.isSocketOver = { [outcome] in outcome.isSocketOver }
      self.stream = stream
    } catch {
      // The caller does not have this object yet.
      Task { @Loop in complete(.failure(HandoffFailure(error))) }
    }
  }

  private func handle(_ event: ProgramStream.Event) {
    switch event {
    case .began: begin()
    case .ended(let reason): end(reason.map { HandoffFailure($0) })
    case .failed(let error):
      if completion == nil { end(HandoffFailure(error)) } else { complete(.failure(HandoffFailure(error))) }
    }
  }

  private func begin() {
    guard let socket = stream?.takeSocket() else { return complete(.failure(HandoffFailure(.internalFailure))) }
    Self.running[ObjectIdentifier(self)] = self
    outcome.whenGivenUp { [weak self] hangUp in
      // Nobody awaits the end now, so the daemon treats the end of the socket as a break.
      Task { @Loop in
        self?.leave()
        hangUp()
      }
    }
    complete(.success(StreamPair(ContinuationStreamPair.make(owning: socket, outcome: outcome))))
  }

  private func complete(_ result: Result<StreamPair, HandoffFailure>) {
    let completion = completion
    self.completion = nil
    completion?(result)
  }

  private func end(_ failure: HandoffFailure?) {
    outcome.set(failure?.cocoaError)
    leave()
  }

  private func leave() {
    stream?.close()
    stream = nil
    Self.running[ObjectIdentifier(self)] = nil
  }
}
