// swift-tools-version: 6.2

import PackageDescription

// What a new app project sets: the main actor unless said otherwise, and approachable concurrency
// (of whose five features Swift 6 mode brings the other three).
let package = Package(
  name: "main-actor-by-default",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../fieldstone")],
  targets: [
    .executableTarget(
      name: "app",
      dependencies: [.product(name: "Fieldstone", package: "fieldstone")],
      swiftSettings: [
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
