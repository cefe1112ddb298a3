// swift-tools-version: 6.2

// snippet: letters-package
import PackageDescription

let package = Package(
  name: "letters",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../fieldstone", traits: ["SQLite"])],
  targets: [
    .executableTarget(
      name: "letters",
      dependencies: [
        .product(name: "Fieldstone", package: "fieldstone"),
        .product(name: "FieldstoneDurable", package: "fieldstone"),
        .product(name: "FieldstoneSQLite", package: "fieldstone"),
      ])
  ]
)
// end
