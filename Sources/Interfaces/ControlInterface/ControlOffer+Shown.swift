// SPDX-License-Identifier: Apache-2.0

import Activity

extension ControlOffer {
  /// The values that users see.
  package var shown: ShownOffer {
    ShownOffer(activityType: activityType, title: title, webpageHost: webpageHost)
  }
}
