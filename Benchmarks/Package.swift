// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// The area postgres needs libpq and a server: `Scripts/bench postgres` and `Benchmarks/dbos/run
// --postgres` set this.
let isPostgres = Context.environment["FIELDSTONE_BENCH_POSTGRES"] == "1"
// The area inspector needs another package, FlyingFox: `Scripts/bench inspector` sets this.
let isInspector = Context.environment["FIELDSTONE_BENCH_INSPECTOR"] == "1"
let traits: [String] =
  ["SQLite"] + (isPostgres ? ["PostgreSQL"] : []) + (isInspector ? ["Inspector"] : [])
let areas: [SwiftSetting] =
  (isPostgres ? [.define("POSTGRES")] : []) + (isInspector ? [.define("INSPECTOR")] : [])

let package = Package(
  name: "fieldstone-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(
      name: "fieldstone", path: "..", traits: Set(traits.map { .trait(name: $0) })),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    // Measures closures and knows nothing of what it measures.
    .target(name: "Harness", dependencies: ["CHeap"], swiftSettings: settings),
    // Asks the allocator; its header is not part of Swift's C library module on Linux.
    .target(name: "CHeap"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "Harness",
        .product(name: "Fieldstone", package: "fieldstone"),
        .product(name: "FieldstoneDurable", package: "fieldstone"),
        .product(name: "FieldstoneSQLite", package: "fieldstone"),
        .product(name: "FieldstoneStorage", package: "fieldstone"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        // SQLite itself, for the floors.
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
      ] + (isPostgres ? [.product(name: "FieldstonePostgres", package: "fieldstone")] : [])
        + (isInspector
          ? ["FieldstoneInspector", "FieldstoneServing"].map {
            .product(name: $0, package: "fieldstone")
          }
          : []),
      swiftSettings: settings + areas),
    // The flow that Benchmarks/dbos/run sets beside DBOS.
    .executableTarget(
      name: "five-steps",
      dependencies: [
        .product(name: "FieldstoneDurable", package: "fieldstone"),
        .product(name: "FieldstoneSQLite", package: "fieldstone"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ] + (isPostgres ? [.product(name: "FieldstonePostgres", package: "fieldstone")] : []),
      swiftSettings: settings + (isPostgres ? [.define("POSTGRES")] : [])),
    .testTarget(name: "HarnessTests", dependencies: ["Harness"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
