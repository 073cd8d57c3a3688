// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

struct SurplusTests {
  /// - Parameters:
  ///   - things: In the order of their use: the owner, and "+" if it is in use and may not go.
  ///   - place: Of the thing that goes.
  @Test(
    arguments: [
      ([], nil),
      (["a"], 0),
      (["a", "a", "a"], 0),
      // One owner has more than the others, however long they have not used theirs.
      (["b", "a", "a"], 1),
      (["b", "a", "b", "c", "a", "a"], 1),
      // Several have as many.
      (["a", "b", "b", "a"], 0),
      (["c", "b", "a", "b", "a"], 1),
      // What is in use counts and stays.
      (["b", "a+", "a"], 2),
      (["b", "a+", "a+", "a", "b"], 3),
      // The owner who has the most has none that may go.
      (["b", "a+", "a+", "c", "c"], 3),
      (["b+", "a+", "a+"], nil),
    ] as [([String], Int?)]
  )
  func theLeastRecentlyUsedOfWhoHasTheMostGoes(things: [String], place: Int?) {
    let surplus = things.indices.surplus(
      of: { things[$0].first },
      where: { !things[$0].hasSuffix("+") },
      by: { $0 }
    )
    #expect(surplus == place)
  }

  /// Whoever has few keeps them, in whatever order things come.
  @Test func manyOfOneOwnerPushOutNoneOfAnother() {
    var things = Array(repeating: 1, count: 10)
    for owner in Array(repeating: 2, count: 200) + Array(repeating: 3, count: 200) {
      things.append(owner)
      if things.count > 64, let index = things.indices.surplus(of: { things[$0] }, by: { $0 }) {
        things.remove(at: index)
      }
    }
    #expect([1, 2, 3].map { owner in things.count { $0 == owner } } == [10, 27, 27])
  }
}
