// SPDX-License-Identifier: Apache-2.0

import Activity
import Dispatch
import EventLoop
import Glibc
import Search
import Systemd

/// The user's search index on two threads of its own, because its calls wait for the disk: one that changes it, and one
/// that finds. So people find entries while others are saved or erased.
@Loop
final class IndexStore {
  /// Used on `writing` only.
  private final class Writer: @unchecked Sendable {
    var index: SearchIndex?
  }

  /// Used on `reading` only.
  private final class Reader: @unchecked Sendable {
    let index: IndexReader

    init(_ index: IndexReader) { self.index = index }
  }

  private let directory: String
  private let log: Log
  private let writing = DispatchQueue(label: "io.baton.Search.write")
  private let reading = DispatchQueue(label: "io.baton.Search.read")
  private let writer = Writer()
  private let reader: Reader
  private var waiting = 0
  /// The name of the index that is open; empty before.
  private(set) var generation = ""
  /// The last failure that was logged.
  private var trouble: IndexError?
  private var damage: String?

  init(directory: String, log: Log) {
    self.directory = directory
    self.log = log
    reader = Reader(IndexReader(directory: directory))
  }

  /// Changes the index. It is opened first if it is not open.
  ///
  /// - Parameter completion: Called once, in the order of the calls.
  func write<T: Sendable>(
    _ body: @escaping @Sendable (SearchIndex) throws(IndexError) -> T,
    completion: @escaping @Loop @Sendable (Result<T, IndexError>) -> Void = { _ in }
  ) {
    guard enter() else { return completion(.failure(.busy)) }
    let (writer, directory) = (writer, directory)
    writing.async { [weak self] in
      let result = Self.result { () throws(IndexError) in try body(try Self.open(writer, directory)) }
      let (damage, generation) = (writer.index?.damage, writer.index?.generation)
      writer.index?.forgetDamage()
      Task { @Loop in
        if let generation { self?.generation = generation }
        self?.left(result, damage)
        completion(result)
      }
    }
  }

  /// Finds something. If the index turns out to be damaged or gone, it is repaired and asked once again.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (IndexReader) throws(IndexError) -> T,
    completion: @escaping @Loop @Sendable (Result<T, IndexError>) -> Void
  ) {
    read(body, isSecond: false, completion)
  }

  private func read<T: Sendable>(
    _ body: @escaping @Sendable (IndexReader) throws(IndexError) -> T,
    isSecond: Bool,
    _ completion: @escaping @Loop @Sendable (Result<T, IndexError>) -> Void
  ) {
    guard enter() else { return completion(.failure(.busy)) }
    let reader = reader
    reading.async { [weak self] in
      let result = Self.result { () throws(IndexError) in try body(reader.index) }
      let file = reader.index.file
      Task { @Loop in
        guard let self else { return completion(result) }
        guard case .failure(let error) = result, error.isRepairable, !isSecond else {
          self.left(result, nil)
          return completion(result)
        }
        self.waiting -= 1
        self.write { index throws(IndexError) in
          try index.repair(error, in: file)
        } completion: { repaired in
          if case .failure(let error) = repaired { return completion(.failure(error)) }
          self.read(body, isSecond: true, completion)
        }
      }
    }
  }

  /// Closes the index.
  ///
  /// - Parameter completion: Called when everything before is done.
  func close(_ completion: @escaping @Loop @Sendable () -> Void) {
    let (writer, reader, writing) = (writer, reader, writing)
    reading.async {
      reader.index.close()
      writing.async {
        writer.index?.close()
        writer.index = nil
        Task { @Loop in completion() }
      }
    }
  }

  private nonisolated static func open(_ writer: Writer, _ directory: String) throws(IndexError) -> SearchIndex {
    if let index = writer.index { return index }
    try makeParent(of: directory)
    let index = try SearchIndex(directory: directory, makeGeneration: Self.generation)
    writer.index = index
    return index
  }

  /// The directory of the user's data may not exist yet.
  private nonisolated static func makeParent(of directory: String) throws(IndexError) {
    var missing: [String] = []
    var path = directory
    while let slash = path.unicodeScalars.lastIndex(of: "/"), slash != path.startIndex {
      path = String(path[..<slash])
      if access(path, F_OK) == 0 { break }
      missing.append(path)
    }
    for path in missing.reversed() where mkdir(path, 0o700) != 0 && errno != EEXIST {
      throw .unusable("\(path) couldn't be created: \(String(cString: strerror(errno)))")
    }
  }

  private nonisolated static func generation() -> String {
    var generator = SystemRandomNumberGenerator()
    return Base32.encode((0..<8).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).lowercased()
  }

  private nonisolated static func result<T>(_ body: () throws(IndexError) -> T) -> Result<T, IndexError> {
    do throws(IndexError) { return .success(try body()) } catch { return .failure(error) }
  }

  private func enter() -> Bool {
    guard waiting < Limits.waitingIndexCalls else { return false }
    waiting += 1
    return true
  }

  private func left<T>(_ result: Result<T, IndexError>, _ damage: String?) {
    waiting -= 1
    if let damage {
      log.warning(
        "The search index was damaged, so a new one was started. The old one is now search.db.damaged: \(damage)"
      )
    }
    switch result {
    case .success: trouble = nil
    case .failure(.limit): break
    case .failure(let error):
      guard error != trouble else { return }
      trouble = error
      log.warning("Can't use the search index: \(error.message)")
    }
  }
}

extension IndexError {
  /// More calls wait than there is room for.
  fileprivate static var busy: IndexError { .failed("too many programs use it") }

  fileprivate var isRepairable: Bool {
    switch self {
    case .damaged, .missing: true
    default: false
    }
  }
}
