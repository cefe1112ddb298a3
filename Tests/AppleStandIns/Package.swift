// swift-tools-version: 6.2

import PackageDescription

// Modules with the names of Apple's, and of what they declare only what our adapters use.
let package = Package(
  name: "AppleStandIns",
  products: [
    .library(name: "Accessibility", targets: ["Accessibility"]),
    .library(name: "UIKit", targets: ["UIKit"]),
    .library(name: "SwiftUI", targets: ["SwiftUI"]),
    // Where it finds UIKit, swift-testing asks for this one too.
    .library(name: "_Testing_UIKit", targets: ["_Testing_UIKit"]),
  ],
  targets: [
    .target(name: "Accessibility"),
    .target(name: "UIKit"),
    .target(name: "SwiftUI", dependencies: ["UIKit"]),
    .target(name: "_Testing_UIKit", dependencies: ["UIKit"]),
  ],
  swiftLanguageModes: [.v6]
)
