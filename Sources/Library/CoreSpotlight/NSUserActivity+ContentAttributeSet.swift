import Baton
import Foundation
import VarlinkClient

extension NSUserActivity {
  /// What the activity can be found by, besides its title and keywords. The activity keeps a copy.
  public var contentAttributeSet: CSSearchableItemAttributeSet? {
    get { searchAttributes as? CSSearchableItemAttributeSet }
    set { searchAttributes = newValue?.copy() as? CSSearchableItemAttributeSet }
  }
}

extension CSSearchableItemAttributeSet: SearchAttributeSource {}
