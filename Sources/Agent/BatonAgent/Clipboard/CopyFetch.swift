// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import Hosts
import Localization
import VarlinkClient

/// Gets what another machine has copied: what it is, and the content in one type if that is wanted.
@Loop
final class CopyFetch {
  typealias Result = Swift.Result<(info: CopyInfo, type: MediaType?, content: CopiedContent?), ControlFailure>

  private let key: CopyTable.Key
  private let wanted: Wanted
  private let socket: String?
  private var call: ControlCall<Continue>?
  private var client: DocumentClient?
  private var completion: (@Loop (Result) -> Void)?

  enum Wanted {
    case description
    /// The best type if nil.
    case content(String?)
  }

  /// The object stays until the stream has ended.
  ///
  /// - Parameter completion: Called once, unless ``close()`` is called before, and not before this returns.
  init(_ key: CopyTable.Key, _ wanted: Wanted, socket: String?, completion: @escaping @Loop (Result) -> Void) {
    (self.key, self.wanted, self.socket, self.completion) = (key, wanted, socket, completion)
    let parameters = Continue.Parameters(id: key.activity, deviceID: key.deviceID)
    do throws(ControlError) {
      call = try ControlCall(Continue.self, parameters, path: socket) { [weak self] result in
        self?.call = nil
        switch result {
        case .success(let reply): self?.described(reply.activity)
        case .failure(let error): self?.fail(error)
        }
      }
    } catch {
      Task { @Loop [weak self] in self?.fail(error) }
    }
  }

  /// Gives it up.
  func close() { (completion, call, client) = (nil, nil, nil) }

  private func described(_ activity: ControlActivity) {
    guard let info = CopyInfo(json: activity.userInfo) else {
      return end(
        .failure(
          ControlFailure(.nothingOffered, message: localized("The other machine isn't offering anything to paste."))
        )
      )
    }
    guard case .content(let name) = wanted else { return end(.success((info, nil, nil))) }
    guard let type = MediaType.choose(name, from: info.types) else {
      return end(.failure(ControlFailure(.nothingOffered, message: Self.otherTypes(info))))
    }
    do throws(ControlError) {
      client = try DocumentClient(opening: key.activity, path: socket) { (descriptor) throws(DocumentStreamError) in
        try Self.receive(ClipboardRequest(type), over: descriptor)
      } completion: { result in
        self.received(result, info, type)
      } onEnd: {
        self.client = nil
      }
    } catch {
      fail(error)
    }
  }

  static func otherTypes(_ info: CopyInfo) -> String {
    localized(
      "The copy isn't available in this format, only as \(info.types.map(\.description).joined(separator: ", "))."
    )
  }

  nonisolated private static func receive(
    _ request: ClipboardRequest,
    over descriptor: Int32
  ) throws(DocumentStreamError) -> CopiedContent {
    do {
      let writer = try CopiedContent.Writer()
      _ = try DocumentStream.fetch(line: request.line, over: descriptor, limit: Limits.clipboardLength) {
        (part) throws(DocumentStreamError) in
        do throws(SystemError) { try writer.write(part) } catch { throw .system(error) }
      }
      return try writer.finish()
    } catch let error as DocumentStreamError {
      throw error
    } catch let error as SystemError {
      throw .system(error)
    } catch {
      throw .broken
    }
  }

  private func received(
    _ result: Swift.Result<CopiedContent, DocumentStreamError>,
    _ info: CopyInfo,
    _ type: MediaType
  ) {
    switch result {
    case .success(let content): end(.success((info, type, content)))
    case .failure(.refused(.tooLarge)), .failure(.tooLarge):
      end(.failure(ControlFailure(.limitReached, message: CopyFetch.tooLarge)))
    case .failure(.refused):
      // Nothing older is pasted in its place.
      let message = localized("The program it was copied from didn't provide the data. Copy it again.")
      end(.failure(ControlFailure(.nothingOffered, message: message)))
    case .failure(let error): end(.failure(ControlFailure(.streamInterrupted, message: "\(error)")))
    }
  }

  static var tooLarge: String {
    localized("You can copy at most \(Limits.clipboardLength >> 20) MiB. Send it as a file with `baton send`.")
  }

  private func fail(_ error: ControlError) {
    if case .failed(let failure) = error { return end(.failure(failure)) }
    end(.failure(ControlFailure(.daemonUnreachable, message: error.description)))
  }

  private func end(_ result: Result) {
    let completion = completion
    self.completion = nil
    completion?(result)
  }
}
