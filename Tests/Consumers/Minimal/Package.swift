// swift-tools-version: 6.2

import PackageDescription

// The least that a user writes: one dependency, one product, no settings.
let package = Package(
  name: "minimal",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "fieldstone", path: "../../..")],
  targets: [
    .executableTarget(
      name: "minimal", dependencies: [.product(name: "Fieldstone", package: "fieldstone")])
  ]
)
