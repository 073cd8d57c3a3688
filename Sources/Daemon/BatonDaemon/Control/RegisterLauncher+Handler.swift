// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import JSONCoding
import VarlinkServer

extension ControlServer {
  func registerLauncher(_ parameters: RegisterLauncher.Parameters, _ exchange: Exchange<RegisterLauncher>) {
    guard parameters.activityTypes.count <= Limits.launcherTypes else { return exchange.fail(.limitReached) }
    exchange.replyContinuing(RegisterLauncher.Reply(event: .registered))
    guard !exchange.isFinished else { return }
    let types = Set(parameters.activityTypes)
    let client = launching.addLauncher(types, isIncomplete: parameters.isIncomplete, exchange.user) { request in
      exchange.replyContinuing(RegisterLauncher.Reply(event: .launchRequested, request: request))
    }
    exchange.onClosed = { [weak launching] in launching?.remove(client) }
  }

  func reportLaunch(_ parameters: ReportLaunch.Parameters, _ exchange: Exchange<ReportLaunch>) {
    let report: Launching.Report =
      switch parameters.state {
      case .launching: .launching
      case .continued: .continued
      case .failed: .failed(parameters.reason ?? .launchFailed)
      }
    launching.handle(.reported(launch: parameters.launch, report, user: exchange.user))
    exchange.reply(ReportLaunch.Reply())
  }
}
