// The names that apps use on Apple's platforms, so that their Handoff code needs another import and nothing else.

public typealias UIApplication = UserActivityApplication
public typealias UIApplicationDelegate = UserActivityApplicationDelegate
public typealias UIDocument = UserActivityDocument
public typealias UIResponder = UserActivityResponder
public typealias UIUserActivityRestoring = UserActivityRestoring

public typealias NSApplication = UserActivityApplication
public typealias NSApplicationDelegate = UserActivityApplicationDelegate
public typealias NSDocument = UserActivityDocument
public typealias NSResponder = UserActivityResponder
public typealias NSUserActivityRestoring = UserActivityRestoring
