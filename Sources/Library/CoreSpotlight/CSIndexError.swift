// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Foundation
import VarlinkClient

/// Why ``CSSearchableIndex`` could not do something.
public struct CSIndexError: CustomNSError, Hashable, Sendable {
  /// The kinds of errors, with Apple's numbers.
  public enum Code: Int, Sendable {
    /// Another fault.
    case unknownError = -1
    /// The index does not answer. On Linux, `baton agent` serves it.
    case indexUnavailableError = -1000
    /// An item is too large, or has no identifier.
    case invalidItemError = -1001
    /// The client state is longer than 250 bytes.
    case invalidClientStateError = -1002
    /// Not used here.
    case remoteConnectionError = -1003
    /// The index has no room for more.
    case quotaExceeded = -1004
    /// Not used here.
    case indexingUnsupported = -1005
    /// Not used here.
    case mismatchedClientState = -1006
  }

  /// The kind of error.
  public let code: Code
  /// What happened, for people.
  let message: String

  /// Creates an error.
  public init(_ code: Code) { self.init(code, "The search index failed (\(code)).") }

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: ControlError) {
    switch error {
    case .failed(let failure) where failure.reason == .limitReached: self.init(.quotaExceeded, failure.message)
    case .failed(let failure): self.init(.indexUnavailableError, failure.message)
    case .tooLong: self.init(.invalidItemError, "An item is too large.")
    case .refused, .protocolViolation: self.init(.invalidItemError, "\(error)")
    default: self.init(.indexUnavailableError, "\(error)")
    }
  }

  public static var errorDomain: String { CSIndexErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}

/// Why a ``CSSearchQuery`` failed.
public struct CSSearchQueryError: CustomNSError, Hashable, Sendable {
  /// The kinds of errors, with Apple's numbers.
  public enum Code: Int, Sendable {
    /// Another fault.
    case unknown = -2000
    /// The index does not answer.
    case indexUnreachable = -2001
    /// The expression is not valid.
    case invalidQuery = -2002
    /// The query was cancelled.
    case cancelled = -2003
  }

  /// The kind of error.
  public let code: Code
  /// What happened, for people.
  let message: String

  /// Creates an error.
  public init(_ code: Code) { self.init(code, "The search failed (\(code)).") }

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: ControlError) {
    switch error {
    case .failed(let failure) where failure.reason == .expressionInvalid: self.init(.invalidQuery, failure.message)
    default: self.init(.indexUnreachable, "\(error)")
    }
  }

  public static var errorDomain: String { CSSearchQueryErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}
