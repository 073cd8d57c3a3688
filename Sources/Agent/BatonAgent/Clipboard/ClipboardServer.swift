// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import Glibc
import Hosts
import JSONCoding
import Localization
import Varlink
import VarlinkServer

/// The interface `io.baton.Clipboard`. Its handlers only translate.
@Loop
final class ClipboardServer: ClipboardMethods {
  private let service: ClipboardService

  /// How long a program may do nothing while its content is read or written.
  nonisolated private static let idleTime = Duration.seconds(30)

  /// What programs copy that watch the desktop's clipboard.
  private var secrets = SecretSequence()

  init(_ service: ClipboardService, on server: VarlinkServer) {
    self.service = service
    server.add(self)
  }

  func list(_ parameters: Nothing, _ exchange: Exchange<ListCopies>) {
    service.list { exchange.reply(ListCopies.Reply(copies: $0)) }
  }

  func clear(_ parameters: ClearCopy.Parameters, _ exchange: Exchange<ClearCopy>) {
    if parameters.watched { secrets.unselected(at: Loop.now) }
    service.clear()
    exchange.reply(Nothing())
  }

  // MARK: Copying

  func copy(_ parameters: CopyContent.Parameters, _ exchange: Exchange<CopyContent>) {
    var isSecret = parameters.sensitive || SecretHint.isSecret([parameters.type])
    // No types stand for a secret.
    if parameters.watched { isSecret = secrets.selected(isSecret ? [] : [parameters.type], at: Loop.now) }
    guard !isSecret else {
      service.clear()
      return exchange.refuse(
        ControlFailure(.notEligible, message: localized("Secrets aren't offered to other machines."))
      )
    }
    if parameters.watched, parameters.size == 0 { secrets.unselected(at: Loop.now) }
    guard let type = MediaType(parameters.type) else { return exchange.fail(.invalidParameter("type")) }
    let size = parameters.size
    guard size <= Limits.clipboardLength else {
      return exchange.refuse(ControlFailure(.limitReached, message: CopyFetch.tooLarge))
    }
    guard !service.isLocked else { return exchange.refuse(ControlFailure(.screenLocked)) }
    service.findTeam(parameters.team.map { .named([$0]) } ?? .all) { [weak self] result in
      switch result {
      case .failure(let failure): exchange.refuse(failure)
      case .success(let team):
        exchange.upgrade(Nothing()) { descriptor, early in
          self?.read(descriptor, early, size, type, team) ?? Self.close(descriptor)
        }
      }
    }
  }

  private func read(_ descriptor: Int32, _ early: [UInt8], _ size: Int, _ type: MediaType, _ team: String?) {
    let isRunning = OwnThread.run {
      let content = try? Self.content(descriptor, early, size)
      Task { @Loop [weak self] in
        guard let content, let self else { return Self.close(descriptor) }
        // What watches the desktop, such as `wl-paste --watch baton copy`, would send it back.
        if self.service.isMirrored(content) { return Self.answer(descriptor, true) }
        let info = CopyInfo([type], size: size, copied: SystemClock().date)
        self.service.copy(info, team: team) { wanted, completion in
          completion(content)
        } completion: { isOffered in
          Self.answer(descriptor, isOffered)
        }
      }
    }
    if !isRunning { Self.close(descriptor) }
  }

  /// Reads exactly `size` bytes. What was cut short is not copied.
  nonisolated private static func content(_ descriptor: Int32, _ early: [UInt8], _ size: Int) throws -> CopiedContent {
    guard early.count <= size else { throw DocumentStreamError.damaged }
    let stream = BlockingStream(descriptor, idleTime: idleTime)
    let writer = try CopiedContent.Writer()
    try writer.write(early[...])
    var missing = size - early.count
    while missing > 0 {
      let part = try stream.read(atMost: missing)
      guard !part.isEmpty else { throw DocumentStreamError.broken }
      try writer.write(part)
      missing -= part.count
    }
    guard try stream.read(atMost: 1).isEmpty else { throw DocumentStreamError.damaged }
    return try writer.finish()
  }

  nonisolated private static func answer(_ descriptor: Int32, _ isOffered: Bool) {
    let line = CopyContent.Outcome(offered: isOffered).json.bytes + [0x0A]
    // It fits into the socket's buffer.
    _ = line.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) }
    close(descriptor)
  }

  nonisolated private static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  // MARK: Pasting

  func paste(_ parameters: PasteContent.Parameters, _ exchange: Exchange<PasteContent>) {
    service.paste(type: parameters.type, device: parameters.device) { result in
      switch result {
      case .failure(let failure): exchange.refuse(failure)
      case .success(let (copy, type, content)):
        let reply = PasteContent.Reply(copy: copy, type: type.description, size: content.size, sha256: content.sha256)
        exchange.upgrade(reply) { descriptor, _ in
          let isRunning = OwnThread.run {
            Self.write(content, descriptor)
            Self.close(descriptor)
          }
          if !isRunning { Self.close(descriptor) }
        }
      }
    }
  }

  nonisolated private static func write(_ content: CopiedContent, _ descriptor: Int32) {
    let stream = BlockingStream(descriptor, idleTime: idleTime)
    var buffer = [UInt8](repeating: 0, count: min(content.size, 256 * 1024))
    var offset = 0
    while offset < content.size {
      let count = pread(content.descriptor, &buffer, buffer.count, offset)
      // The program that pastes knows how much is missing.
      guard count > 0, (try? stream.write(buffer[..<count])) != nil else { return }
      offset += count
    }
  }
}

extension AnyExchange {
  /// Ends the exchange with the error of the interface.
  fileprivate func refuse(_ failure: ControlFailure) { fail("io.baton.Clipboard.Failed", failure.members) }
}
