// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Dispatch
import EventLoop
import Glibc
import JSONCoding
import Localization
import Synchronization
import VarlinkClient

/// What an editor host needs of documents. Other threads do the work, and each completion is called once, later.
@Loop
package final class EditorDocuments {
  /// Gives what another machine asks for. Its completion is called once.
  package typealias Provider =
    @Loop (
      DocumentRequest, @escaping @Loop (Result<DocumentContent, DocumentRefusal>) -> Void
    ) -> Void

  private let socket: String?
  private var servers: [Int: DocumentServer] = [:]
  private var clients: [Int: DocumentClient] = [:]
  private var number = 0

  /// The maximum size of unsaved text in bytes. It is held in memory.
  package nonisolated static let largestText = 64 << 20
  /// The maximum number of documents that are served, and that are fetched, at the same time.
  private static let limit = 16
  /// The size of a document's description in bytes that leaves room for the rest of a `userInfo`.
  private nonisolated static let referenceLength = 2048
  /// How long the editor may take to give its text.
  private nonisolated static let provisionTime = DispatchTimeInterval.seconds(25)

  /// - Parameter socket: The path of the control socket. Nil for the user's default daemon.
  package init(socket: String?) { self.socket = socket }

  private func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value,
    _ completion: @escaping @Loop (Value) -> Void
  ) {
    SeparateWork.begin {
      let value = body()
      Task { @Loop in completion(value) }
    }
  }

  /// Gives the member `document` for a file, which need not exist yet. Nil if nothing can be said.
  package func describe(_ path: String, _ completion: @escaping @Loop (JSON?) -> Void) {
    let socket = socket
    work(
      {
        let folders = (try? SharedFolders.ofDaemon(path: socket)) ?? SharedFolders()
        let reference = try? DocumentFinder.describe(path: path, sharedFolders: folders, mayBeNew: true)
        return reference?.fitted(in: Self.referenceLength)?.json
      },
      completion
    )
  }

  package func find(
    _ document: JSON,
    canFetch: Bool,
    _ completion: @escaping @Loop (DocumentFinding) -> Void
  ) {
    guard let reference = DocumentReference(json: document) else {
      return completion(.notFound(how: localized("the other machine didn't specify the file")))
    }
    let socket = socket
    work(
      {
        let folders = (try? SharedFolders.ofDaemon(path: socket)) ?? SharedFolders()
        return DocumentFinder.find(reference, sharedFolders: folders, canFetch: canFetch)
      },
      completion
    )
  }

  /// The version of a file whose content has the hash.
  package struct Hashed: Sendable {
    package let sha256: String
    package let version: FileTimeAndSize
  }

  /// Gives the SHA-256 of a file. Nil if it cannot be read.
  package func hash(_ path: String, _ completion: @escaping @Loop (Hashed?) -> Void) {
    work(
      {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int(status.st_size)
        let version = FileTimeAndSize(time: status.st_mtim.tv_sec, size: size)
        return ContentHash.ofFile(descriptor, size: size, until: .now + .seconds(30)).map {
          Hashed(sha256: $0, version: version)
        }
      },
      completion
    )
  }

  /// Whether no document is on its way.
  var isIdle: Bool { servers.isEmpty && clients.isEmpty }

  /// Accepts the stream, and serves what the other machine wants.
  ///
  /// - Parameter stream: The value for `AcceptStream`.
  package func serve(_ stream: String, _ provider: @escaping Provider) {
    guard servers.count < Self.limit else { return }
    number &+= 1
    let number = number
    servers[number] = try? DocumentServer(
      accepting: stream,
      path: socket,
      provider: { request in Self.content(request, provider) },
      onEnd: { [weak self] in self?.servers[number] = nil }
    )
  }

  /// Asks the provider, and waits for it. Blocks the thread of one stream.
  private nonisolated static func content(
    _ request: DocumentRequest,
    _ provider: @escaping Provider
  ) -> Result<DocumentContent, DocumentRefusal> {
    let answer = AwaitedContent()
    Task { @Loop in
      provider(request) { answer.give($0) }
    }
    return answer.wait(provisionTime)
  }

  /// A file that was fetched.
  package struct Fetched: Sendable {
    package let path: String
    /// Whether its content is not the one that was described.
    package let isChanged: Bool
  }

  /// Fetches a document into `~/Handoff`.
  package func fetch(
    _ document: JSON,
    of activity: ActivityID,
    _ completion: @escaping @Loop (Result<Fetched, DocumentStreamError>) -> Void
  ) {
    let reference = DocumentReference(json: document)
    run(
      activity,
      { descriptor throws(DocumentStreamError) in
        var hash: String?
        let name = reference?.name ?? ""
        let path = try HandoffFolder().fetch(over: descriptor, name: name, begin: { hash = $0.sha256 })
        return Fetched(path: path, isChanged: reference?.sha256.map { $0 != hash } ?? false)
      },
      completion
    )
  }

  /// Fetches unsaved text into a file that is there and empty.
  ///
  /// - Parameter completion: Gets the SHA-256 of the file that the text is based on; nil if there is none.
  package func fetchText(
    of activity: ActivityID,
    into path: String,
    _ completion: @escaping @Loop (Result<String?, DocumentStreamError>) -> Void
  ) {
    run(
      activity,
      { descriptor throws(DocumentStreamError) in
        let limit = Self.largestText
        let (header, bytes) = try DocumentStream.fetchBytes(.unsavedText, over: descriptor, limit: limit)
        let file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw .system(SystemError("open")) }
        defer { close(file) }
        do throws(SystemError) { try Descriptor.write(bytes[...], to: file) } catch { throw .system(error) }
        return header.baseSHA256
      },
      completion
    )
  }

  /// Opens a stream, and uses it on another thread.
  private func run<Value: Sendable>(
    _ activity: ActivityID,
    _ body: @escaping @Sendable (Int32) throws(DocumentStreamError) -> Value,
    _ completion: @escaping @Loop (Result<Value, DocumentStreamError>) -> Void
  ) {
    guard clients.count < Self.limit else { return completion(.failure(.refused(.notAvailable))) }
    number &+= 1
    let number = number
    clients[number] = try? DocumentClient(
      opening: activity,
      path: socket,
      body,
      completion: completion,
      onEnd: { [weak self] in self?.clients[number] = nil }
    )
    if clients[number] == nil { completion(.failure(.broken)) }
  }
}

/// What one thread waits for.
private final class AwaitedContent: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let content = Mutex<Result<DocumentContent, DocumentRefusal>?>(nil)

  func give(_ result: Result<DocumentContent, DocumentRefusal>) {
    content.withLock { $0 = result }
    semaphore.signal()
  }

  func wait(_ time: DispatchTimeInterval) -> Result<DocumentContent, DocumentRefusal> {
    _ = semaphore.wait(timeout: .now() + time)
    return content.withLock { $0 } ?? .failure(.notAvailable)
  }
}
