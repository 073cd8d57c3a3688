// SPDX-License-Identifier: Apache-2.0

import Desktop
import EventLoop
import Glibc

extension TransferFailure {
  /// Why a receiver cannot write.
  package init(_ error: SystemError) {
    switch error.code {
    case ENOSPC, EDQUOT: self = .diskFull
    // The file system, or a limit of the process, allows no file of this size.
    case EFBIG: self = .tooLarge
    default: self = .folderUnavailable
    }
  }
}
