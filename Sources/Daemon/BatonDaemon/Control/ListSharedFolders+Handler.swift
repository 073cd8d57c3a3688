// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import VarlinkServer

extension ControlServer {
  func listSharedFolders(_ parameters: ListSharedFolders.Parameters, _ exchange: Exchange<ListSharedFolders>) {
    exchange.reply(ListSharedFolders.Reply(settings.sharedFolders))
  }
}
