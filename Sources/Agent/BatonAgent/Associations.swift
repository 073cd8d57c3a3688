// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc
import Systemd

/// What the domains that installed apps claim say about these apps.
///
/// Domains are asked when the agent starts, when other apps are installed, and when their last answer is too old. They
/// are never asked because of a page that another machine hands off. So a domain does not learn when somebody continues
/// something. If a domain does not answer, its last answer stays valid for some days.
@Loop
final class Associations: AgentPart {
  /// The first and the longest pause after a domain did not answer. A machine gets a network a moment after it is
  /// opened.
  private nonisolated static let associationBackoff = Duration.seconds(60)...Duration.seconds(60 * 60)

  private let installed: InstalledApplications
  private let environment: ProcessEnvironment
  private let cache: AssociationCache
  private let log: Log
  /// The IDs of the apps that claim each domain, by domain.
  private var claimants: [String: Set<String>] = [:]
  private var queue = DomainQueue()
  private var requests: [String: AssociationRequest] = [:]
  /// The domains that did not answer.
  private var silent: [String: Silent] = [:]
  private var waiting: [Waiting] = []
  private var timer: Timer?
  private var isStopped = false

  private struct Silent {
    var backoff = Backoff(Associations.associationBackoff)
    /// The domain is not asked before this instant.
    var retry = ContinuousClock.Instant.now
  }

  /// A caller that waits for the answer of a domain that is being asked.
  private struct Waiting {
    let domain: String
    let deadline: ContinuousClock.Instant
    let timer: Timer
    let completion: @Loop ([UInt8]?) -> Void
  }

  init(_ environment: ProcessEnvironment, installed: InstalledApplications, log: Log) {
    self.environment = environment
    self.installed = installed
    self.log = log
    cache = AssociationCache(environment)
    timer = Timer { [weak self] in self?.refresh() }
  }

  func start() { applicationsChanged() }

  func stop() {
    isStopped = true
    timer?.set(nil)
    for request in requests.values { request.cancel() }
    requests = [:]
    waiting = []
  }

  func applicationsChanged() {
    claimants = installed.catalog.claimants
    for domain in requests.keys where claimants[domain] == nil {
      requests.removeValue(forKey: domain)?.cancel()
      queue.remove(domain)
    }
    cache.prune(keeping: Set(claimants.keys))
    refresh()
  }

  /// Finds the file with what the domain says; nil if it says nothing. If the domain is being asked at the moment, this
  /// waits for at most `Limits.associationTime`.
  func find(_ domain: String, completion: @escaping @Loop ([UInt8]?) -> Void) {
    guard queue.contains(domain) else { return completion(known(domain)) }
    let deadline = Loop.now + Limits.associationTime
    let timer = Timer { [weak self] in self?.answer() }
    timer.set(deadline)
    waiting.append(Waiting(domain: domain, deadline: deadline, timer: timer, completion: completion))
  }

  /// Asks for files that are missing or too old.
  private func refresh() {
    guard !isStopped else { return }
    silent = silent.filter { claimants[$0.key] != nil }
    queue.update(due: claimants.keys.filter(isDue).sorted(), claimants: claimants)
    answer()
    next()
  }

  private func isDue(_ domain: String) -> Bool {
    if let silent = silent[domain], Loop.now < silent.retry { return false }
    return cache.entry(domain)?.isDue(at: Loop.clock.date) ?? true
  }

  private func known(_ domain: String) -> [UInt8]? {
    cache.entry(domain).flatMap { $0.counts(at: Loop.clock.date) ? $0.file : nil }
  }

  private func next() {
    guard !isStopped else { return }
    while let domain = queue.next() {
      let request = AssociationRequest(domain, environment) { [weak self] in self?.received($0, from: domain) }
      requests[domain] = request
      request.begin()
    }
    setTimer()
  }

  private func received(_ result: Result<[UInt8], AssociationRequest.Failure>, from domain: String) {
    requests[domain] = nil
    queue.remove(domain)
    switch result {
    case .success(let file):
      log.info("Fetched a domain's association file", ["domain": domain])
      answered(domain, file)
    case .failure(let failure):
      log.info("Couldn't fetch a domain's association file: \(failure.description)", ["domain": domain])
      if failure.isAnswer { answered(domain, nil) } else { remainedSilent(domain) }
    }
    answer()
    next()
  }

  private func answered(_ domain: String, _ file: [UInt8]?) {
    silent[domain] = nil
    cache.store(file, of: domain)
  }

  private func remainedSilent(_ domain: String) {
    var silence = silent[domain] ?? Silent()
    silence.retry = Loop.now + silence.backoff.next()
    silent[domain] = silence
  }

  /// Answers callers whose domain is no longer being asked, or who have waited long enough.
  private func answer() {
    let now = Loop.now
    let ready = waiting.filter { !queue.contains($0.domain) || $0.deadline <= now }
    waiting.removeAll { !queue.contains($0.domain) || $0.deadline <= now }
    for one in ready { one.completion(known(one.domain)) }
  }

  /// Sets the timer for the first domain that must be asked again.
  private func setTimer() {
    let (now, date) = (Loop.now, Loop.clock.date)
    let due = claimants.keys.filter { !queue.contains($0) }.map { domain in
      let age = cache.entry(domain).map { $0.isDue(at: date) ? 0 : $0.due - date } ?? 0
      return max(now + .seconds(max(age, 1)), silent[domain]?.retry ?? now)
    }
    timer?.set(due.min())
  }
}
