// swift-tools-version: 6.2

import PackageDescription

/// The rules that every target is compiled under: those of the package itself.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// What the targets take from other packages.
let fieldstone = Target.Dependency.product(name: "Fieldstone", package: "fieldstone")
let durable = Target.Dependency.product(name: "FieldstoneDurable", package: "fieldstone")
let trials = Target.Dependency.product(name: "FieldstoneDurableTesting", package: "fieldstone")
let journal = Target.Dependency.product(name: "FieldstoneSQLite", package: "fieldstone")
let server = Target.Dependency.product(
  name: "FieldstonePostgres", package: "fieldstone", condition: .when(traits: ["PostgreSQL"]))
let pages = Target.Dependency.product(name: "FieldstoneHTML", package: "fieldstone")
let inspecting = Target.Dependency.product(name: "FieldstoneInspector", package: "fieldstone")
let serving = Target.Dependency.product(name: "FieldstoneServing", package: "fieldstone")
let testing = Target.Dependency.product(name: "FieldstoneTesting", package: "fieldstone")
let database = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let checksums = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let sockets = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")
/// The command `fieldstone`, built for the tests that start it.
let command = Target.Dependency.product(name: "fieldstone", package: "fieldstone")
let arguments = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

/// The test target of `Tests`, with what it tests, and whether it has files to test with.
func tests(_ name: String, _ arrows: [Target.Dependency], fixtures: Bool = false) -> Target {
  .testTarget(
    name: name, dependencies: arrows + ["AirfieldApp", "AirfieldTestSupport", fieldstone],
    resources: fixtures ? [.copy("Fixtures")] : [], swiftSettings: settings)
}

let package = Package(
  name: "airfield",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "airfield", targets: ["airfield"])
  ],
  traits: [
    .trait(name: "PostgreSQL", description: "The journal of imports on a server, by libpq.")
  ],
  dependencies: [
    .package(
      name: "fieldstone", path: "../..",
      traits: [
        "SQLite", "Inspector", "Serving", "CommandLineTool",
        .trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"])),
      ]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(
      name: "AirfieldApp",
      dependencies: [
        fieldstone, durable, journal, server, pages, inspecting, serving, database, sqlite,
        checksums, arguments,
      ],
      exclude: [
        "Directory/Importing/README.md", "Screens/Directory/README.md", "Screens/Editing/README.md",
        "Web/Pages/README.md",
      ],
      resources: [
        .copy("Directory/Resources/airports.csv"),
        .copy("Directory/Resources/AIRPORTS-LICENSE.txt"),
        .copy("Directory/Resources/coastlines.txt"),
        .copy("Directory/Resources/NOTICE"),
        .embedInCode("Web/Resources/airfield.css"),
        .embedInCode("Web/Resources/airfield.js"),
        .embedInCode("Web/Resources/map.js"),
        .embedInCode("Web/Resources/icon.svg"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "airfield", dependencies: ["AirfieldApp"], swiftSettings: settings),

    .target(
      name: "AirfieldTestSupport", dependencies: ["AirfieldApp", journal, database],
      path: "Tests/AirfieldTestSupport", swiftSettings: settings),
    tests(
      "AirfieldDirectoryTests", [durable, trials, journal, database, checksums, testing],
      fixtures: true),
    tests("AirfieldScreensTests", [durable, testing]),
    tests("AirfieldWebTests", [durable, pages, serving, sockets, testing]),
    tests("AirfieldCommandTests", ["airfield", command, database, sockets], fixtures: true),
  ],
  swiftLanguageModes: [.v6]
)
