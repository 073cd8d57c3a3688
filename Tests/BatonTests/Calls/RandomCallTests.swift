// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Random calls of the public interface have the effect that a simple model predicts.
struct RandomCallTests {
  @Test func randomCallsDoWhatTheModelSays() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      await withDaemon { daemon in
        for seed in 1...24 as ClosedRange<UInt64> {
          do {
            try await RandomApp(seed: seed, daemon).run()
          } catch {
            throw TestFailure("Seed \(seed): \(error)")
          }
        }
      }
    }
    let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(lines.contains("isn't offered, because it was invalidated"))
  }
}
