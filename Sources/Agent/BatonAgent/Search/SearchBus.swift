// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Systemd

/// The connection to the user's D-Bus on which desktops search. Without a bus, only they do not find anything.
@Loop
final class SearchBus {
  private let provider: SearchProvider
  private let log: Log
  private var bus: MessageBus?
  private var timer: Timer?
  private var backoff = Backoff(Limits.notificationBackoff)
  private var isSilent = false

  init(_ provider: SearchProvider, log: Log) {
    self.provider = provider
    self.log = log
    timer = Timer { [weak self] in self?.connect() }
  }

  func start() { connect() }

  func stop() {
    timer?.set(nil)
    bus?.close()
    bus = nil
  }

  private func connect() {
    do throws(MessageBus.Failure) {
      let bus = try MessageBus(.user) { [weak self] in self?.lost($0) }
      self.bus = bus
      try bus.serve(SearchProvider.path) { [provider] in provider.answer($0) }
      try bus.requestName(SearchProvider.name) { [weak self] in self?.named($0) }
    } catch {
      lost(error)
    }
  }

  private func named(_ hasName: Bool?) {
    guard let hasName else {
      if !isSilent { log.info("The desktop can't search, because the user's D-Bus rejects this agent") }
      isSilent = true
      return
    }
    backoff.reset()
    isSilent = false
    guard hasName else {
      return log.notice("Another program is already answering the desktop's searches")
    }
    log.info("The desktop can search")
  }

  private func lost(_ failure: MessageBus.Failure) {
    bus?.close()
    bus = nil
    if !isSilent { log.info("The desktop can't search without the user's D-Bus: \(failure)") }
    isSilent = true
    timer?.set(Loop.now + backoff.next())
  }
}
