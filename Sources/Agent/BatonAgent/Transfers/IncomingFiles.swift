// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import JSONCoding
import VarlinkClient

/// One attempt to get a transfer of another machine, or to tell it how the transfer ended.
@Loop
final class IncomingFiles {
  enum Event {
    case began
    /// - Parameter progress: How far it was; nil if there was no stream.
    case ended(TransferTable.Outcome, TransferControl.Progress?)
  }

  private let transfer: Transfer
  private let socket: String?
  private let body: (FilesInfo?) -> TransferAttempt.Body
  private var handler: (@Loop (Event) -> Void)?
  private var call: ControlCall<Continue>?
  private(set) var attempt: TransferAttempt?

  /// - Parameters:
  ///   - folder: The path of the folder for the files.
  ///   - refuses: Whether no files can arrive there. Called on another thread.
  init(
    receiving transfer: Transfer,
    into folder: String,
    unless refuses: @escaping @Sendable (String) -> Bool,
    _ allowance: FileReceiver.Allowance,
    socket: String?,
    handler: @escaping @Loop (Event) -> Void
  ) {
    (self.transfer, self.socket, self.handler) = (transfer, socket, handler)
    let name = transfer.id.description
    let accepted = transfer.acceptedTitle
    body = { info in
      { descriptor, control in
        // An offer that does not say what it is was not understood by anybody.
        guard let info, accepted?.hasBytes(of: info.title) ?? true else {
          FileReceiver.answer(.notAsOffered, over: descriptor)
          return .failed(.notAsOffered)
        }
        guard !refuses(folder) else {
          FileReceiver.answer(.folderUnavailable, over: descriptor)
          return .failed(.folderUnavailable)
        }
        var allowance = allowance
        if accepted != nil {
          allowance.asked = info.shownNames
          let admit = allowance.admit
          allowance.admit = { what in
            info.covers(names: what.names, size: what.size, count: what.count) ? admit(what) : .notAsOffered
          }
        }
        do {
          let staging = try StagingFolder(in: folder, transfer: name)
          let result = try FileReceiver.receive(over: descriptor, into: staging, allowance, control)
          let files = Self.listed(result.paths)
          return .done(files: files, omitted: result.omitted, omissions: result.omissions.map(OmittedFile.init))
        } catch let stop as TransferStop {
          return TransferTable.Outcome(stop)
        } catch {
          let error = error as? SystemError
          let failure = error.map(TransferFailure.init) ?? .folderUnavailable
          control.update { $0.error = error }
          FileReceiver.answer(failure, over: descriptor)
          return .failed(failure)
        }
      }
    }
    begin()
  }

  /// Tells the origin how a transfer ended that is over.
  init(answering transfer: Transfer, socket: String?, handler: @escaping @Loop (Event) -> Void) {
    (self.transfer, self.socket, self.handler) = (transfer, socket, handler)
    let failure = transfer.state == .done ? nil : transfer.reason ?? .canceled
    let omitted = transfer.omitted ?? 0
    body = { _ in
      { descriptor, _ in
        FileReceiver.answer(failure, omitted: omitted, over: descriptor)
        return failure.map { .failed($0) } ?? .done(files: [], omitted: 0, omissions: [])
      }
    }
    begin()
  }

  /// The maximum length of the URLs that a transfer is kept with, in bytes.
  private nonisolated static let length = 64 * 1024

  /// As many URLs as a transfer is kept with.
  nonisolated static func listed(_ paths: [[UInt8]]) -> [String] {
    var length = 0
    return Array(
      paths.lazy.map(FileURL.text).prefix {
        length += $0.utf8.count
        return length <= Self.length
      }
    )
  }

  func close() {
    handler = nil
    call = nil
    attempt?.abandon()
    attempt = nil
  }

  private func begin() {
    let parameters = Continue.Parameters(id: transfer.id, deviceID: transfer.deviceID)
    do throws(ControlError) {
      call = try ControlCall(Continue.self, parameters, path: socket) { [weak self] result in
        self?.call = nil
        switch result {
        case .success(let reply): self?.open(reply.activity.userInfo.flatMap(FilesInfo.init(json:)))
        // The origin offers it again when it can be had.
        case .failure: self?.end(.broken)
        }
      }
    } catch {
      Task { @Loop [weak self] in self?.end(.broken) }
    }
  }

  private func open(_ info: FilesInfo?) {
    do throws(ControlError) {
      attempt = try TransferAttempt(.opening(transfer.id), path: socket, body(info)) { [weak self] in
        self?.handler?(.began)
      } onEnd: { [weak self] in
        self?.end($0)
      }
    } catch {
      end(.broken)
    }
  }

  private func end(_ outcome: TransferTable.Outcome) {
    let handler = handler
    self.handler = nil
    let progress = attempt?.control.progress
    attempt = nil
    handler?(.ended(outcome, progress))
  }
}
