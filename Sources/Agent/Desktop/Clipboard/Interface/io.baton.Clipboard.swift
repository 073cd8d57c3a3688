// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Clipboard.varlink. Edit that file.

import Activity
import JSONCoding
import Varlink

/// Something that can be pasted.
package struct ControlCopy: Structure {
  /// The available media types, best first
  package var types: [String]
  /// The length in the first type, in bytes
  package var size: Int?
  /// When it was copied, by the clock of that machine: seconds since 1970-01-01 00:00:00 UTC
  package var copied: Double?
  /// The name and the ID of the other machine; absent for this one
  package var device: String?
  package var deviceID: DeviceID?
  /// The ID of the team through which it is offered
  package var team: String?

  package init(
    types: [String],
    size: Int? = nil,
    copied: Double? = nil,
    device: String? = nil,
    deviceID: DeviceID? = nil,
    team: String? = nil
  ) {
    self.types = types
    self.size = size
    self.copied = copied
    self.device = device
    self.deviceID = deviceID
    self.team = team
  }
}

/// Offers content to the user's other machines, in place of any earlier copy. Called with `upgrade`. After the reply,
/// the
/// caller sends `size` bytes. The agent answers with one line, {"offered": bool}: whether the daemon offers it.
package enum CopyContent: Method {
  package static let name = "io.baton.Clipboard.Copy"
  package static let requiredMode: Call.Mode? = .upgrade

  package struct Parameters: Structure {
    package var type: String
    @Coded<Count> package var size: Int
    /// The name or the ID of the only team that sees it
    package var team: String?
    /// Whether it is a secret, which is refused
    @Coded<FalseByDefault> package var sensitive: Bool
    /// Whether it was copied by a program that watches the desktop's clipboard, not by a user
    @Coded<FalseByDefault> package var watched: Bool

    package init(
      type: String,
      size: Int,
      team: String? = nil,
      sensitive: Bool = false,
      watched: Bool = false
    ) {
      self.type = type
      self.size = size
      self.team = team
      self.sensitive = sensitive
      self.watched = watched
    }
  }

  package typealias Reply = Nothing
}

/// Returns the content of the newest copy, from any machine or from one. Called with `upgrade`. After the reply, `size`
/// bytes follow.
package enum PasteContent: Method {
  package static let name = "io.baton.Clipboard.Paste"
  package static let requiredMode: Call.Mode? = .upgrade

  package struct Parameters: Structure {
    /// The best type if absent
    package var type: String?
    /// The machine's name, or a prefix of its ID
    package var device: String?

    package init(
      type: String? = nil,
      device: String? = nil
    ) {
      self.type = type
      self.device = device
    }
  }

  package struct Reply: Structure {
    package var copy: ControlCopy
    package var type: String
    @Coded<Count> package var size: Int
    package var sha256: String

    package init(
      copy: ControlCopy,
      type: String,
      size: Int,
      sha256: String
    ) {
      self.copy = copy
      self.type = type
      self.size = size
      self.sha256 = sha256
    }
  }
}

/// Returns the copies that can be pasted, newest first.
package enum ListCopies: Method {
  package static let name = "io.baton.Clipboard.List"

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package var copies: [ControlCopy]

    package init(
      copies: [ControlCopy]
    ) {
      self.copies = copies
    }
  }
}

/// Withdraws and forgets the copy on this machine.
package enum ClearCopy: Method {
  package static let name = "io.baton.Clipboard.Clear"

  package struct Parameters: Structure {
    /// Whether a program that watches the desktop's clipboard reports that it is empty
    @Coded<FalseByDefault> package var watched: Bool

    package init(
      watched: Bool = false
    ) {
      self.watched = watched
    }
  }

  package typealias Reply = Nothing
}

extension InterfaceDescription {
  /// `io.baton.Clipboard`, as it is published.
  package static let clipboard = InterfaceDescription(
    name: "io.baton.Clipboard",
    text: #"""
      # The clipboard of the user's machines. `baton agent` serves it for its own user. Clipboard.md explains it.
      interface io.baton.Clipboard

      # Something that can be pasted.
      type Copy (
        # The available media types, best first
        types: []string,
        # The length in the first type, in bytes
        size: ?int,
        # When it was copied, by the clock of that machine: seconds since 1970-01-01 00:00:00 UTC
        copied: ?float,
        # The name and the ID of the other machine; absent for this one
        device: ?string,
        deviceID: ?string,
        # The ID of the team through which it is offered
        team: ?string
      )

      # Offers content to the user's other machines, in place of any earlier copy. Called with `upgrade`. After the reply, the
      # caller sends `size` bytes. The agent answers with one line, {"offered": bool}: whether the daemon offers it.
      method Copy(
        type: string,
        size: int,
        # The name or the ID of the only team that sees it
        team: ?string,
        # Whether it is a secret, which is refused
        sensitive: ?bool,
        # Whether it was copied by a program that watches the desktop's clipboard, not by a user
        watched: ?bool
      ) -> ()

      # Returns the content of the newest copy, from any machine or from one. Called with `upgrade`. After the reply, `size`
      # bytes follow.
      method Paste(
        # The best type if absent
        type: ?string,
        # The machine's name, or a prefix of its ID
        device: ?string
      ) -> (copy: Copy, type: string, size: int, sha256: string)

      # Returns the copies that can be pasted, newest first.
      method List() -> (copies: []Copy)

      # Withdraws and forgets the copy on this machine.
      method Clear(
        # Whether a program that watches the desktop's clipboard reports that it is empty
        watched: ?bool
      ) -> ()

      # Why a call failed. Reasons.md explains each.
      type Reason (
        nothingOffered, limitReached, notEligible, screenLocked, teamNotFound, teamAmbiguous, peerUnreachable, streamInterrupted
      )

      error Failed (reason: Reason, message: string)

      """#
  )
}
