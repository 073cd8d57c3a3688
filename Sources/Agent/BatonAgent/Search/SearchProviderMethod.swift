// SPDX-License-Identifier: Apache-2.0

/// The methods that desktops call.
enum SearchProviderMethod: String, CaseIterable {
  case getInitialResultSet = "org.gnome.Shell.SearchProvider2.GetInitialResultSet"
  case getSubsearchResultSet = "org.gnome.Shell.SearchProvider2.GetSubsearchResultSet"
  case getResultMetas = "org.gnome.Shell.SearchProvider2.GetResultMetas"
  case activateResult = "org.gnome.Shell.SearchProvider2.ActivateResult"
  case launchSearch = "org.gnome.Shell.SearchProvider2.LaunchSearch"
  case actions = "org.kde.krunner1.Actions"
  case match = "org.kde.krunner1.Match"
  case setActivationToken = "org.kde.krunner1.SetActivationToken"
  case run = "org.kde.krunner1.Run"
  case config = "org.kde.krunner1.Config"
  case teardown = "org.kde.krunner1.Teardown"
  case introspect = "org.freedesktop.DBus.Introspectable.Introspect"

  init?(interface: String, member: String) { self.init(rawValue: "\(interface).\(member)") }

  /// The signature of its arguments.
  var signature: String {
    switch self {
    case .getInitialResultSet, .getResultMetas: "as"
    case .getSubsearchResultSet: "asas"
    case .activateResult: "sasu"
    case .launchSearch: "asu"
    case .match, .setActivationToken: "s"
    case .run: "ss"
    case .actions, .config, .teardown, .introspect: ""
    }
  }

  static let introspection = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>
      <interface name="org.gnome.Shell.SearchProvider2">
        <method name="GetInitialResultSet"><arg type="as" direction="in"/><arg type="as" direction="out"/></method>
        <method name="GetSubsearchResultSet">
          <arg type="as" direction="in"/><arg type="as" direction="in"/><arg type="as" direction="out"/>
        </method>
        <method name="GetResultMetas"><arg type="as" direction="in"/><arg type="aa{sv}" direction="out"/></method>
        <method name="ActivateResult">
          <arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="u" direction="in"/>
        </method>
        <method name="LaunchSearch"><arg type="as" direction="in"/><arg type="u" direction="in"/></method>
      </interface>
      <interface name="org.kde.krunner1">
        <method name="Actions"><arg type="a(sss)" direction="out"/></method>
        <method name="Match"><arg type="s" direction="in"/><arg type="a(sssida{sv})" direction="out"/></method>
        <method name="SetActivationToken"><arg type="s" direction="in"/></method>
        <method name="Run"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
        <method name="Config"><arg type="a{sv}" direction="out"/></method>
        <method name="Teardown"/>
      </interface>
    </node>
    """
}
