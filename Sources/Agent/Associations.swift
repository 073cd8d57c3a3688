import Activity
import DesktopEntries
import EventLoop
import Glibc
import Systemd

/// What the domains that installed apps claim say of these apps.
///
/// They are asked when the agent starts, when other apps are installed, and when what they said is too old: never because of
/// a page that another machine hands off. So a domain does not learn when somebody continues what.
@Loop
final class Associations: AgentPart {
  private let installed: InstalledApplications
  private let environment: ProcessEnvironment
  private let cache: AssociationCache
  private let log: Log
  private var domains: [String] = []
  /// Those that are still to be asked, in order.
  private var queue: [String] = []
  private var request: AssociationRequest?
  private var waiting: [Waiting] = []
  private var timer: Timer?
  private var isStopped = false

  /// Somebody who wants to know what a domain says that is being asked.
  private struct Waiting {
    let domain: String
    let deadline: ContinuousClock.Instant
    let timer: Timer
    let completion: @Loop (Association?) -> Void
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
    request?.cancel()
    request = nil
    waiting = []
  }

  func applicationsChanged() {
    domains = installed.catalog.domains
    refresh()
  }

  /// What the domain says; nil where it says nothing. Waits for `Limits.associationTime` where it is being asked at the
  /// moment.
  func find(_ domain: String, completion: @escaping @Loop (Association?) -> Void) {
    guard isAsked(domain) else { return completion(cache.entry(domain)?.association) }
    let deadline = Loop.now + Limits.associationTime
    let timer = Timer { [weak self] in self?.answer() }
    timer.set(deadline)
    waiting.append(Waiting(domain: domain, deadline: deadline, timer: timer, completion: completion))
  }

  /// Asks for what is not there or too old.
  private func refresh() {
    guard !isStopped else { return }
    let now = Loop.clock.date
    queue = domains.filter { $0 != request?.domain && cache.entry($0).map { !$0.counts(at: now) } ?? true }
    answer()
    next()
  }

  private func next() {
    guard request == nil, !isStopped else { return }
    guard !queue.isEmpty else { return setTimer() }
    let domain = queue.removeFirst()
    request = AssociationRequest(domain, environment) { [weak self] result in
      guard let self else { return }
      self.request = nil
      switch result {
      case .success(let bytes):
        self.log.info("Got a domain's association", ["domain": domain])
        self.cache.store(bytes, of: domain)
      case .failure(let failure):
        self.log.info("A domain gave no association: \(failure.description)", ["domain": domain])
        self.cache.store([], of: domain)
      }
      self.answer()
      self.next()
    }
    request?.begin()
  }

  /// Answers who wait for domains that are not being asked any more, or have waited long enough.
  private func answer() {
    let now = Loop.now
    let ready = waiting.filter { !isAsked($0.domain) || $0.deadline <= now }
    waiting.removeAll { !isAsked($0.domain) || $0.deadline <= now }
    // What is too old while it is being asked again counts for nothing.
    for one in ready { one.completion(isAsked(one.domain) ? nil : cache.entry(one.domain)?.association) }
  }

  private func isAsked(_ domain: String) -> Bool { queue.contains(domain) || request?.domain == domain }

  private func setTimer() {
    let now = Loop.clock.date
    // A cache that cannot be written is looked at again as if it had failed.
    let due = domains.map { cache.entry($0).map { max($0.expires - now, 1) } ?? Limits.associationRetryAge }.min()
    timer?.set(due.map { Loop.now + .seconds($0) })
  }
}
