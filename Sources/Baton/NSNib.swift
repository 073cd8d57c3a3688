/// The names of AppKit's nib files. There are none.
public enum NSNib {
  public typealias Name = String
}
