// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation
import VarlinkClient

extension NSUserActivity {
  /// The attributes that the activity can be found by, in addition to its title and keywords. The activity keeps a
  /// copy.
  public var contentAttributeSet: CSSearchableItemAttributeSet? {
    get { searchAttributes as? CSSearchableItemAttributeSet }
    set { searchAttributes = newValue?.copy() as? CSSearchableItemAttributeSet }
  }
}

extension CSSearchableItemAttributeSet: SearchAttributeSource {}
