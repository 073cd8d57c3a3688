// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation
import TestSupport
import Testing

/// Tests of the streams over a pair of sockets, whose other end plays the daemon.
///
/// They run one at a time, because some of them use up the threads of both processors.
@Suite(.serialized) struct ContinuationStreamsTests {}
