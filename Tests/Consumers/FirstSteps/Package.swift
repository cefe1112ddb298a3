// swift-tools-version: 6.2

// snippet: first-package
import PackageDescription

let package = Package(
  name: "firststeps",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../fieldstone")],
  targets: [
    .executableTarget(
      name: "firststeps", dependencies: [.product(name: "Fieldstone", package: "fieldstone")])
  ]
)
// end
