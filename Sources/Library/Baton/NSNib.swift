/// The names of AppKit's nib files. There are none.
public enum NSNib {
  /// The name of a nib file.
  public typealias Name = String
}
