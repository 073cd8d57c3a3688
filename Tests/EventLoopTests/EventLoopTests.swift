// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Tests of what waits on the loop. They run one after the other, because the loop, its clock and the descriptors
/// belong to the whole process.
@Suite(.serialized, .isolated)
struct EventLoopTests {}
