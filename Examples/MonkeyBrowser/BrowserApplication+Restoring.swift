// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation

/// Continues a tab of another machine in two steps: the small state immediately, and the large state afterwards.
extension BrowserApplication: UserActivityRestoring {
  func restoreUserActivityState(_ activity: NSUserActivity) {
    guard let state = TabState(activity.userInfo), state.kind.activityType == activity.activityType else {
      return tell(.failed("The other machine's browser has another version"))
    }
    // A request for an earlier tab is no longer needed.
    requests[state.kind] = nil
    browser.restore(state)
    activities[state.kind]?.becomeCurrent(browser.tab)
    tell(.opened(state.kind))
    if activity.supportsContinuationStreams { fetchHistory(of: state.kind, from: activity) }
  }

  private func fetchHistory(of kind: TabKind, from activity: NSUserActivity) {
    let request = UUID()
    requests[kind] = request
    activity.getContinuationStreams { input, output, error in
      // This runs on a background queue, which reading may block.
      let result = Result {
        guard let input, let output else { throw error ?? Refusal("There is no stream") }
        input.open()
        output.open()
        // We have nothing to send.
        output.close()
        defer { input.close() }
        return try HistoryStream.read(from: input) { self.tellFromAnyThread(.receiving(kind, visits: $0, of: $1)) }
      }
      DispatchQueue.main.async { MainActor.assumeIsolated { self.finish(request, kind, result) } }
    }
  }

  private func finish(_ request: UUID, _ kind: TabKind, _ result: Result<[Visit], any Error>) {
    guard requests[kind] == request else { return }
    requests[kind] = nil
    switch result {
    case .success(let visits):
      browser[kind].prepend(visits)
      tell(.received(kind, visits: visits.count))
    case .failure(let error):
      tell(.interrupted(kind, (error as? Refusal)?.message ?? error.localizedDescription))
    }
  }
}
