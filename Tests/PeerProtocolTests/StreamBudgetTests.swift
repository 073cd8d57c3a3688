import Activity
import PeerProtocol
import Testing

struct StreamBudgetTests {
  private static let memory = 64 << 20

  @Test func nobodyHoldsMoreThanIsFree() {
    var budget = StreamBudget(memory: Self.memory)
    let shared = budget.shared
    let first = budget.take(.max, held: 0, 0, 0)
    #expect(first == shared)
    budget.give(first)
    // In steps, as windows grow, one stream gets half of it.
    var held = 0
    while case let count = budget.take(32 * 1024, held: held, held, held), count > 0 { held += count }
    #expect((shared / 2 - 32 * 1024...shared / 2).contains(held))
    // The next one of another peer and user gets half of the rest, and the next one of the same peer gets none.
    #expect(budget.take(1, held: 0, held, 0) == 0)
    #expect(budget.take(1, held: 0, 0, held) == 0)
    #expect(budget.take(32 * 1024, held: 0, 0, 0) == 32 * 1024)
  }

  @Test func whatIsTooLittleIsNotTaken() {
    var budget = StreamBudget(memory: Self.memory)
    _ = budget.take(budget.shared - 10, held: 0)
    #expect(budget.take(11, atLeast: 11, held: 0) == 0)
    #expect(budget.take(11, atLeast: 10, held: 0) == 10)
    #expect(budget.take(1, held: 0) == 0)
    budget.give(budget.used)
    #expect(budget.used == 0)
  }

  @Test func streamsWithTheirReservesTakeNoMoreThanThereIs() {
    var budget = StreamBudget(memory: Self.memory)
    #expect(budget.share.total == 256)
    for _ in 0..<budget.share.total { budget.addStream() }
    #expect(budget.streamCount * StreamBudget.reserve + budget.shared <= Self.memory)
    #expect(budget.shared > 0)
  }

  @Test func lessMemoryStopsFurtherGrowthOnly() {
    var budget = StreamBudget(memory: Self.memory)
    let count = budget.take(budget.shared, held: 0)
    budget.resize(to: 4 << 20)
    #expect(budget.take(1, held: 0) == 0)
    budget.give(count)
    #expect(budget.take(1, held: 0) == 1)
    #expect(budget.streamsPerPeer == 4)
  }
}
