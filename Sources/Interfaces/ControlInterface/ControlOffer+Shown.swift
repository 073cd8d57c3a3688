import Activity

extension ControlOffer {
  /// What a person is shown of it.
  package var shown: ShownOffer {
    ShownOffer(activityType: activityType, title: title, webpageHost: webpageHost)
  }
}
