// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Places.
extension CSSearchableItemAttributeSet {
  /// In degrees, positive to the north.
  public var latitude: NSNumber? {
    get { self[attribute: "latitude"] }
    set { self[attribute: "latitude"] = newValue }
  }

  /// In degrees, positive to the east.
  public var longitude: NSNumber? {
    get { self[attribute: "longitude"] }
    set { self[attribute: "longitude"] = newValue }
  }

  /// In metres above sea level.
  public var altitude: NSNumber? {
    get { self[attribute: "altitude"] }
    set { self[attribute: "altitude"] = newValue }
  }

  /// In metres per second.
  public var speed: NSNumber? {
    get { self[attribute: "speed"] }
    set { self[attribute: "speed"] = newValue }
  }

  /// When the place was determined.
  public var timestamp: Date? {
    get { self[attribute: "timestamp"] }
    set { self[attribute: "timestamp"] = newValue }
  }

  /// The name of the place.
  public var namedLocation: String? {
    get { self[attribute: "namedLocation"] }
    set { self[attribute: "namedLocation"] = newValue }
  }

  /// The street.
  public var thoroughfare: String? {
    get { self[attribute: "thoroughfare"] }
    set { self[attribute: "thoroughfare"] = newValue }
  }

  /// The number in the street.
  public var subThoroughfare: String? {
    get { self[attribute: "subThoroughfare"] }
    set { self[attribute: "subThoroughfare"] = newValue }
  }

  /// The postal code.
  public var postalCode: String? {
    get { self[attribute: "postalCode"] }
    set { self[attribute: "postalCode"] = newValue }
  }

  /// The city.
  public var city: String? {
    get { self[attribute: "city"] }
    set { self[attribute: "city"] = newValue }
  }

  /// The state or province.
  public var stateOrProvince: String? {
    get { self[attribute: "stateOrProvince"] }
    set { self[attribute: "stateOrProvince"] = newValue }
  }

  /// The country.
  public var country: String? {
    get { self[attribute: "country"] }
    set { self[attribute: "country"] = newValue }
  }

  /// The whole address.
  public var fullyFormattedAddress: String? {
    get { self[attribute: "fullyFormattedAddress"] }
    set { self[attribute: "fullyFormattedAddress"] = newValue }
  }

  /// Whether navigation to the place is possible.
  public var supportsNavigation: NSNumber? {
    get { self[attribute: "supportsNavigation"] }
    set { self[attribute: "supportsNavigation"] = newValue }
  }
}
