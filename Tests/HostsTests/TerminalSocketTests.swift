// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import Hosts
import TestSupport
import Testing

@Suite(.isolated) final class TerminalSocketTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "terminal-\(UUID())").path

  init() throws { try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  @Test func aSessionIsSharedWhileAProgramListens() throws {
    let tmux = "\(directory)/a,b,123,4"
    #expect(!TerminalSocket.isShared(tmux: tmux))
    let path = TerminalSocket.path(server: "\(directory)/a,b", session: "$4")
    let descriptor = try Sockets.listen(path: path, mode: 0o600)
    #expect(TerminalSocket.isShared(tmux: tmux))
    #expect(!TerminalSocket.isShared(tmux: "\(directory)/a,b,123,5"))
    Sockets.close(descriptor)
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(!TerminalSocket.isShared(tmux: tmux), "A program that was killed leaves its socket")
  }
}
