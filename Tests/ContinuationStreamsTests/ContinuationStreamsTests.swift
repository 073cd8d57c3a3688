import ContinuationStreams
import Foundation
import TestSupport
import Testing

/// The streams over a pair of sockets, whose other end is the daemon's.
///
/// One test at a time: some of them use both processors' threads up.
@Suite(.serialized) struct ContinuationStreamsTests {}
