import Baton
import Foundation

extension NSUserActivity {
  /// What the activity can be found by, besides its title and keywords. The activity keeps a copy.
  public var contentAttributeSet: CSSearchableItemAttributeSet? {
    get { (searchAttributeObject as? CSSearchableItemAttributeSet)?.copy() as? CSSearchableItemAttributeSet }
    set {
      let copy = newValue?.copy() as? CSSearchableItemAttributeSet
      setSearchAttributes(copy?.searchAttributes, object: copy)
    }
  }
}
