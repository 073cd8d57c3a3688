// SPDX-License-Identifier: Apache-2.0

import Desktop

/// Which domains are asked for their associations. No app and no domain keeps the others waiting.
enum DomainFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 3, 1, 2, 3, 1, 1, 2, 1, 0, 9], [0, 40, 1, 1, 1, 1, 2, 2, 2, 2, 0, 20, 1, 1], Array(0..<200),
  ]

  static let length = 1024

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    var queue = DomainQueue()
    var claimants: [String: Set<String>] = [:]
    var due: [String] = []
    while !choices.isOver {
      switch choices.number(below: 4) {
      case 0:
        claimants = [:]
        due = (0..<choices.number(below: 48)).map { "\($0).org" }
        for domain in due {
          claimants[domain] = Set((0...choices.number(below: 3)).map { _ in "app \(choices.number(below: 6))" })
        }
        queue.update(due: due, claimants: claimants)
      case 1: if let domain = queue.asked.min() { queue.remove(domain) }
      case 2: if !due.isEmpty { queue.remove(choices.pick(due)) }
      default: while let domain = queue.next() { hold(queue.asked.contains(domain), "\(domain) is not asked") }
      }
      hold(queue.asked.count <= DomainQueue.associationRequests, "\(queue.asked.count) are asked at once")
    }
    queue.update(due: due, claimants: claimants)
    // Each domain is asked once the others have answered.
    var left = Set(due.filter(queue.contains))
    while !left.isEmpty {
      while queue.next() != nil {}
      guard let domain = queue.asked.min() else { fatalError("\(left) are asked never") }
      queue.remove(domain)
      left.remove(domain)
    }
  }
}
