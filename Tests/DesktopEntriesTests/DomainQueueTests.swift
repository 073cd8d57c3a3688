// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Desktop

struct DomainQueueTests {
  private var queue = DomainQueue()
  private var claimants: [String: Set<String>] = [:]

  private mutating func update(_ claims: (String, [String])...) {
    claimants = [:]
    for (application, domains) in claims {
      for domain in domains { claimants[domain, default: []].insert(application) }
    }
    queue.update(due: claimants.keys.sorted(), claimants: claimants)
  }

  private mutating func all() -> [String] {
    var domains: [String] = []
    while let domain = queue.next() { domains.append(domain) }
    return domains
  }

  @Test mutating func oneAppsDomainsLeaveRoomForOthers() {
    let greedy = (0..<DesktopEntry.domainsPerApplication).map { "a\($0).org" }
    update(("greedy", greedy), ("honest", ["z.org"]))
    let first = all()
    #expect(first.count == DomainQueue.associationRequestsPerApplication + 1)
    #expect(first.contains("z.org"))
    for domain in first + greedy { #expect(queue.contains(domain)) }
    queue.remove("z.org")
    #expect(all() == [])
    queue.remove(first[0])
    #expect(all().count == 1)
  }

  @Test mutating func thereIsAnEndToHowManyAreAskedAtOnce() {
    let domains = (0..<DomainQueue.associationRequests + 4).map { "a\($0).org" }
    for domain in domains { claimants[domain] = [domain] }
    queue.update(due: domains, claimants: claimants)
    #expect(all() == Array(domains.prefix(DomainQueue.associationRequests)))
    queue.remove(domains[3])
    #expect(all() == [domains[DomainQueue.associationRequests]])
  }

  /// This holds wherever its new names are in the alphabet.
  @Test mutating func anAppWhoseDomainsAreEverNewComesAfterThoseWhoWait() {
    let busy = (0..<DomainQueue.associationRequests).map { ("busy\($0)", ["b\($0).org"]) }
    for (application, domains) in busy { claimants[domains[0]] = [application] }
    queue.update(due: claimants.keys.sorted(), claimants: claimants)
    #expect(all().count == DomainQueue.associationRequests)
    for round in 0..<100 {
      claimants = claimants.filter { $0.value != ["renaming"] }
      claimants["a\(round).org"] = ["renaming"]
      claimants["z.org"] = ["honest"]
      queue.update(due: claimants.keys.filter { !queue.asked.contains($0) }.sorted(), claimants: claimants)
      if round == 0 {
        // In this round, both apps came at the same time, so only the honest one's domain stays.
        queue.update(due: ["z.org"], claimants: claimants)
      }
    }
    queue.remove("b0.org")
    #expect(all() == ["z.org"])
    queue.remove("b1.org")
    #expect(all() == ["a99.org"])
  }

  @Test mutating func aDomainOfSeveralAppsIsAskedOnceAndForAnyOfThem() {
    update(("greedy", ["a1.org", "a2.org", "z.org"]), ("honest", ["z.org"]))
    #expect(all() == ["a1.org", "a2.org", "z.org"])
    #expect(queue.asked.count == 3)
  }

  @Test mutating func whatIsNotDueAnyMoreIsNotAsked() {
    update(("a", ["a1.org", "a2.org", "a3.org"]))
    #expect(all() == ["a1.org", "a2.org"])
    update(("a", ["a1.org", "a2.org"]))
    #expect(!queue.contains("a3.org"))
    queue.remove("a1.org")
    #expect(all() == [])
    #expect(!queue.contains("a1.org") && queue.contains("a2.org"))
  }
}
