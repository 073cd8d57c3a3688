// SPDX-License-Identifier: Apache-2.0

/// A user of this machine, as the kernel's number. 0 is root, who sees every team.
package typealias UserID = UInt32
