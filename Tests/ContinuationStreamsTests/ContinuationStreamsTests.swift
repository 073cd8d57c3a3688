import ContinuationStreams
import Foundation
import TestSupport
import Testing

/// The streams over a pair of sockets, whose other end is the daemon's.
///
/// One test at a time: they count what is open.
@Suite(.serialized) struct ContinuationStreamsTests {}
