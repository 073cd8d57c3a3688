// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Clipboard.varlink. Edit that file.

import Desktop
import EventLoop
import Varlink
import VarlinkServer

/// What handles each method of `io.baton.Clipboard`. Each answers through its exchange, now or later.
@Loop
protocol ClipboardMethods: AnyObject {
  func copy(_ parameters: CopyContent.Parameters, _ exchange: Exchange<CopyContent>)
  func paste(_ parameters: PasteContent.Parameters, _ exchange: Exchange<PasteContent>)
  func list(_ parameters: ListCopies.Parameters, _ exchange: Exchange<ListCopies>)
  func clear(_ parameters: ClearCopy.Parameters, _ exchange: Exchange<ClearCopy>)
}

extension VarlinkServer {
  /// Serves `io.baton.Clipboard`.
  ///
  /// - Parameter handlers: They live as long as the server.
  func add(_ handlers: some ClipboardMethods) {
    add(.clipboard)
    on(CopyContent.self) { [unowned handlers] in handlers.copy($0, $1) }
    on(PasteContent.self) { [unowned handlers] in handlers.paste($0, $1) }
    on(ListCopies.self) { [unowned handlers] in handlers.list($0, $1) }
    on(ClearCopy.self) { [unowned handlers] in handlers.clear($0, $1) }
  }
}
