// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Transfers.varlink. Edit that file.

import Localization

extension TransferFailure {
  /// What happened, and what to do about it, in the user's language.
  package var explanation: String {
    switch self {
    case .declined: localized("The recipient declined the files. Check with them, then send the files again.")
    case .withdrawn: localized("The sender canceled the transfer. Ask them if you still need the files.")
    case .canceled: localized("The recipient stopped the transfer. Check with them, then send the files again.")
    case .diskFull: localized("The receiving machine's disk is full. Free up space there, then retry.")
    case .notAllowed: localized("The receiving machine doesn't accept files from the sender. Check Accept= and RefuseFrom= in its agent.conf.")
    case .tooLarge: localized("The files are larger than the receiving machine allows. Raise MaximumSize= in its agent.conf, or send less.")
    case .quotaExceeded: localized("The sender has reached the receiving machine's quota for today. Try again tomorrow, or raise Quota= in its agent.conf.")
    case .notAsOffered: localized("The files have changed since they were accepted. Retry on the sending machine. The recipient will be asked again.")
    case .tooManyFiles: localized("There are more files than one transfer can contain. Send an archive, or the folders one by one.")
    case .noRoom: localized("The receiving machine has too many transfers. Retry later.")
    case .folderUnavailable: localized("The receiving machine's folder can't be written to. Check Folder= in its agent.conf.")
    case .nothingToSend: localized("None of those files exist, or they can't be read. Check their names and permissions.")
    case .expired: localized("The transfer waited too long for the other machine or its user. Send the files again.")
    case .machineRemoved: localized("The other machine is no longer in the team. Invite it again, then send the files again.")
    case .protocolViolation: localized("The two machines don't use the same protocol. Upgrade Baton on both machines.")
    }
  }
}
