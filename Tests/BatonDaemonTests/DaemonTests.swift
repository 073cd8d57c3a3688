// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Daemons in one process, connected over loopback, whose discoveries share a network in memory.
///
/// The tests run one after the other, because the loop, its clock and the descriptors belong to the whole process.
@Suite(.serialized, .isolated)
struct DaemonTests {}
