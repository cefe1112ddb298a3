// swift-tools-version: 6.2

import PackageDescription

// A package that names the journal in PostgreSQL and leaves its trait off: it needs no libpq.
let package = Package(
  name: "without-server",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../fieldstone")],
  targets: [
    .executableTarget(
      name: "app",
      dependencies: [.product(name: "FieldstonePostgres", package: "fieldstone")])
  ],
  swiftLanguageModes: [.v6]
)
