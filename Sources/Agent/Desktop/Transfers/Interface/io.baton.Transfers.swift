// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Transfers.varlink. Edit that file.

import Activity
import JSONCoding
import Varlink

package struct TransferReply: Structure {
  package var transfer: ControlTransfer

  package init(
    transfer: ControlTransfer
  ) {
    self.transfer = transfer
  }
}

/// Sends files and folders to another machine. Returns when the transfer has been queued.
package enum SendFiles: Method {
  package static let name = "io.baton.Transfers.Send"

  package struct Parameters: Structure {
    /// File URLs
    package var files: [String]
    /// The full ID
    package var deviceID: DeviceID
    /// The name of the device, to show to users
    package var device: String
    /// Needed if the device is in more than one of the user's teams
    package var team: String?
    /// When to give up on the transfer if it has not begun; if absent, after seven days
    package var expires: Double?

    package init(
      files: [String],
      deviceID: DeviceID,
      device: String,
      team: String? = nil,
      expires: Double? = nil
    ) {
      self.files = files
      self.deviceID = deviceID
      self.device = device
      self.team = team
      self.expires = expires
    }
  }

  package typealias Reply = TransferReply
}

package struct TransferList: Structure {
  package var transfers: [ControlTransfer]
  package var gone: ActivityID?

  package init(
    transfers: [ControlTransfer],
    gone: ActivityID? = nil
  ) {
    self.transfers = transfers
    self.gone = gone
  }
}

/// Returns all transfers, newest first.
package enum ListTransfers: Method {
  package static let name = "io.baton.Transfers.List"

  package typealias Parameters = Nothing

  package typealias Reply = TransferList
}

/// Returns all transfers immediately, and each one again when it changes. gone: the ID of a transfer that is no longer
/// listed.
package enum WatchTransfers: Method {
  package static let name = "io.baton.Transfers.Watch"
  package static let requiredMode: Call.Mode? = .more

  package struct Parameters: Structure {
    package var id: ActivityID?

    package init(
      id: ActivityID? = nil
    ) {
      self.id = id
    }
  }

  package typealias Reply = TransferList
}

/// Returns where files are saved, and how much space is left. trouble: why nothing can be saved there, to show to
/// users;
/// absent if no problem is known. free: in bytes; absent if unknown. keepFree: how much of that must stay free.
package enum GetTransferStatus: Method {
  package static let name = "io.baton.Transfers.GetStatus"

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package var folder: String
    package var trouble: String?
    @Coded<Count?> package var free: Int?
    @Coded<Count> package var keepFree: Int

    package init(
      folder: String,
      trouble: String? = nil,
      free: Int? = nil,
      keepFree: Int
    ) {
      self.folder = folder
      self.trouble = trouble
      self.free = free
      self.keepFree = keepFree
    }
  }
}

/// Accepts files that another machine sends. `title` is the title of the transfer that the user saw: if the other
/// machine
/// has changed it in the meantime, nothing is accepted.
package enum AcceptTransfer: Method {
  package static let name = "io.baton.Transfers.Accept"

  package struct Parameters: Structure {
    package var id: ActivityID
    package var title: String

    package init(
      id: ActivityID,
      title: String
    ) {
      self.id = id
      self.title = title
    }
  }

  package typealias Reply = Nothing
}

package struct TransferID: Structure {
  package var id: ActivityID

  package init(
    id: ActivityID
  ) {
    self.id = id
  }
}

/// Declines files that another machine sends, or ends a transfer.
package enum CancelTransfer: Method {
  package static let name = "io.baton.Transfers.Cancel"

  package typealias Parameters = TransferID

  package typealias Reply = Nothing
}

/// Retries a failed transfer.
package enum RetryTransfer: Method {
  package static let name = "io.baton.Transfers.Retry"

  package typealias Parameters = TransferID

  package typealias Reply = Nothing
}

/// Removes a finished transfer from the list.
package enum ForgetTransfer: Method {
  package static let name = "io.baton.Transfers.Forget"

  package typealias Parameters = TransferID

  package typealias Reply = Nothing
}

extension InterfaceDescription {
  /// `io.baton.Transfers`, as it is published.
  package static let transfers = InterfaceDescription(
    name: "io.baton.Transfers",
    text: #"""
      # Files that the user's machines send to each other. `baton agent` serves it for its own user. Files.md explains it.
      interface io.baton.Transfers

      # A file that did not arrive although the transfer has finished.
      type OmittedFile (path: string, reason: string)

      type Transfer (
        # A UUID
        id: string,
        direction: (sending, receiving),
        deviceID: string,
        # The name of the other machine
        device: string,
        team: ?string,
        # A title to show to users: for the offered files or, once files have arrived, for those
        title: string,
        # The number of this question, from 2, if the other machine has changed its files since the first one
        revision: ?int,
        # File URLs of the files being sent, or of those that have arrived
        files: []string,
        state: (waiting, asking, running, done, failed),
        # Why it failed
        reason: ?string,
        # The total size in bytes
        size: ?int,
        # The total number of files
        count: ?int,
        # How many files did not arrive although the transfer has finished, and some of these files
        omitted: ?int,
        omissions: ?[]OmittedFile,
        # Seconds since 1970-01-01 00:00:00 UTC
        begun: float,
        ended: ?float,
        expires: ?float
      )

      # A transfer, and how many of its bytes and files have arrived.
      type TransferState (transfer: Transfer, received: int, arrived: int)

      # Sends files and folders to another machine. Returns when the transfer has been queued.
      method Send(
        # File URLs
        files: []string,
        # The full ID
        deviceID: string,
        # The name of the device, to show to users
        device: string,
        # Needed if the device is in more than one of the user's teams
        team: ?string,
        # When to give up on the transfer if it has not begun; if absent, after seven days
        expires: ?float
      ) -> (transfer: TransferState)

      # Returns all transfers, newest first.
      method List() -> (transfers: []TransferState, gone: ?string)

      # Returns all transfers immediately, and each one again when it changes. gone: the ID of a transfer that is no longer
      # listed.
      method Watch(id: ?string) -> (transfers: []TransferState, gone: ?string)

      # Returns where files are saved, and how much space is left. trouble: why nothing can be saved there, to show to users;
      # absent if no problem is known. free: in bytes; absent if unknown. keepFree: how much of that must stay free.
      method GetStatus() -> (folder: string, trouble: ?string, free: ?int, keepFree: int)

      # Accepts files that another machine sends. `title` is the title of the transfer that the user saw: if the other machine
      # has changed it in the meantime, nothing is accepted.
      method Accept(id: string, title: string) -> ()

      # Declines files that another machine sends, or ends a transfer.
      method Cancel(id: string) -> ()

      # Retries a failed transfer.
      method Retry(id: string) -> ()

      # Removes a finished transfer from the list.
      method Forget(id: string) -> ()

      # Why a call failed. Reasons.md explains each.
      type Reason (transferNotFound, filesUnavailable, limitReached, storageFailed)

      error Failed (reason: Reason, message: string)

      """#
  )
}
