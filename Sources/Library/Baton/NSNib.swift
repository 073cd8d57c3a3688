// SPDX-License-Identifier: Apache-2.0

/// Names for AppKit's nib files, which don't exist here.
public enum NSNib {
  /// The name of a nib file.
  public typealias Name = String
}
