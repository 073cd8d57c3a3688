import Varlink

extension InterfaceDescription {
  /// `io.baton.Clipboard`. Scripts/embed-interface made this from Documentation/io.baton.Clipboard.varlink.
  /// Edit that file.
  package static let clipboard = InterfaceDescription(
    name: "io.baton.Clipboard",
    text: #"""
      # What was copied on the user's machines. `baton agent` serves it for its own user. Clipboard.md explains it.
      interface io.baton.Clipboard

      # Something that can be pasted.
      type Copy (
        # The media types in which it can be had, the best first
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

      # Offers content to the user's other machines, in place of what was copied before. Called with `upgrade`. After the
      # reply, the caller sends `size` bytes. The agent answers with one line, {"offered": bool}: whether the daemon offers it.
      method Copy(
        type: string,
        size: int,
        # The name or the ID of the only team that sees it
        team: ?string,
        # A secret is refused
        sensitive: ?bool,
        # A program that watches the desktop's clipboard has copied it, and no person
        watched: ?bool
      ) -> ()

      # Returns the content of the newest copy, or of that of one machine. Called with `upgrade`. After the reply, `size` bytes
      # follow.
      method Paste(
        # The best one if absent
        type: ?string,
        # The machine's name, or a prefix of its ID
        device: ?string
      ) -> (copy: Copy, type: string, size: int, sha256: string)

      # Returns what can be pasted, the newest first.
      method List() -> (copies: []Copy)

      # Withdraws and forgets what was copied on this machine.
      method Clear(
        # The desktop's clipboard is empty, says a program that watches it
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
