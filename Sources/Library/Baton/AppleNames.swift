// SPDX-License-Identifier: Apache-2.0

// The names that apps use on Apple's platforms. With them, an app's Handoff code only needs another import.

/// ``UserActivityApplication`` by the name it has in UIKit.
public typealias UIApplication = UserActivityApplication
/// ``UserActivityApplicationDelegate`` by the name it has in UIKit.
public typealias UIApplicationDelegate = UserActivityApplicationDelegate
/// ``UserActivityResponder`` by the name it has in UIKit.
public typealias UIResponder = UserActivityResponder
/// ``UserActivityRestoring`` by the name it has in UIKit.
public typealias UIUserActivityRestoring = UserActivityRestoring
/// ``UserActivityScene`` by the name it has in UIKit.
public typealias UIScene = UserActivityScene
/// ``UserActivitySceneDelegate`` by the name it has in UIKit.
public typealias UISceneDelegate = UserActivitySceneDelegate
/// ``UserActivityView`` by the name it has in UIKit.
public typealias UIView = UserActivityView
/// ``UserActivityViewController`` by the name it has in UIKit.
public typealias UIViewController = UserActivityViewController
/// ``UserActivityWindow`` by the name it has in UIKit.
public typealias UIWindow = UserActivityWindow

/// ``UserActivityApplication`` by the name it has in AppKit.
public typealias NSApplication = UserActivityApplication
/// ``UserActivityApplicationDelegate`` by the name it has in AppKit.
public typealias NSApplicationDelegate = UserActivityApplicationDelegate
/// ``UserActivityDocument`` by the name it has in AppKit.
public typealias NSDocument = UserActivityDocument
/// ``UserActivityResponder`` by the name it has in AppKit.
public typealias NSResponder = UserActivityResponder
/// ``UserActivityRestoring`` by the name it has in AppKit.
public typealias NSUserActivityRestoring = UserActivityRestoring
/// ``UserActivityView`` by the name it has in AppKit.
public typealias NSView = UserActivityView
/// ``UserActivityViewController`` by the name it has in AppKit.
public typealias NSViewController = UserActivityViewController
/// ``UserActivityWindow`` by the name it has in AppKit.
public typealias NSWindow = UserActivityWindow

/// ``UserActivityApplication/shared`` by the name it has in AppKit.
@preconcurrency @MainActor
public var NSApp: UserActivityApplication! { .shared }  // Checked: never nil; Apple declares it so.
