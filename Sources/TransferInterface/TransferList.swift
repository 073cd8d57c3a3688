import Activity
import JSONCoding
import Transfers
import Varlink

/// Transfers, the newest first.
package struct TransferList: Structure {
  package let transfers: [ControlTransfer]
  /// The ID of a transfer that is no longer listed.
  package let gone: ActivityID?

  package init(_ transfers: [ControlTransfer], gone: ActivityID? = nil) {
    self.transfers = transfers
    self.gone = gone
  }

  /// The maximum length of a list in bytes. With some room for what always stays, it is less than
  /// `Limits.controlSendQueueLength`.
  private static let length = 512 * 1024

  /// - Parameter transfers: What does not fit is listed without its files, what was left out, and what is asked.
  package init(fitting transfers: [ControlTransfer]) {
    var rest = Self.length
    self.init(
      transfers.map { transfer in
        let length = transfer.json.bytes.count
        guard length > rest else {
          rest -= length
          return transfer
        }
        var brief = transfer
        (brief.transfer.files, brief.transfer.omissions, brief.transfer.info) = ([], [], nil)
        return brief
      }
    )
  }
}

/// The ID of a transfer.
package struct TransferID: Structure {
  package let id: ActivityID

  package init(_ id: ActivityID) { self.id = id }
}

/// Returns all transfers.
package enum ListTransfers: Method {
  package static let name = "io.baton.Transfers.List"
  package typealias Parameters = Nothing
  package typealias Reply = TransferList
}

/// Returns transfers now, and each again when it changes. Called with `more`.
package enum WatchTransfers: Method {
  package static let name = "io.baton.Transfers.Watch"
  package static let requiredMode: Call.Mode? = .more

  package struct Parameters: Structure {
    /// Nil for all transfers.
    package let id: ActivityID?

    package init(id: ActivityID? = nil) { self.id = id }
  }

  package typealias Reply = TransferList
}

/// Accepts what another machine sends.
package enum AcceptTransfer: Method {
  package static let name = "io.baton.Transfers.Accept"

  package struct Parameters: Structure {
    package let id: ActivityID
    /// The title that the user was shown.
    package let title: String

    package init(id: ActivityID, title: String) { (self.id, self.title) = (id, title) }
  }

  package typealias Reply = Nothing
}

/// Declines what another machine sends, or ends a transfer.
package enum CancelTransfer: Method {
  package static let name = "io.baton.Transfers.Cancel"
  package typealias Parameters = TransferID
  package typealias Reply = Nothing
}

/// Tries a transfer again that has failed.
package enum RetryTransfer: Method {
  package static let name = "io.baton.Transfers.Retry"
  package typealias Parameters = TransferID
  package typealias Reply = Nothing
}

/// Removes a transfer that is over from the list.
package enum ForgetTransfer: Method {
  package static let name = "io.baton.Transfers.Forget"
  package typealias Parameters = TransferID
  package typealias Reply = Nothing
}
