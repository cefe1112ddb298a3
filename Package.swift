// swift-tools-version: 6.2

import PackageDescription

/// The rules that every target of ours is compiled under.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library target of `Sources`, with the arrows that leave it.
///
/// One that asks the system about files says so to Apple's, in a privacy manifest. On Linux that is
/// left out: a target with a resource makes all its users carry a folder and link Foundation.
func library(
  _ name: String, _ arrows: [String] = [], others: [Target.Dependency] = [],
  conditions: [SwiftSetting] = [], hasPrivacyManifest: Bool = false
) -> Target {
  #if os(Linux)
    let (exclude, resources) = (hasPrivacyManifest ? ["PrivacyInfo.xcprivacy"] : [], [Resource]())
  #else
    let resources: [Resource] = hasPrivacyManifest ? [.copy("PrivacyInfo.xcprivacy")] : []
    let exclude: [String] = []
  #endif
  return .target(
    name: name, dependencies: arrows.map { .byName(name: $0) } + others, exclude: exclude,
    resources: resources, swiftSettings: settings + conditions)
}

/// The test target of `Tests`, with what it tests and what it tests with.
func tests(
  _ name: String, _ arrows: [String], others: [Target.Dependency] = [],
  conditions: [SwiftSetting] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: arrows.map { .byName(name: $0) } + others, exclude: exclude,
    swiftSettings: settings + conditions)
}

/// The database under the embedded journal; checked out only where the trait is on.
let database = Target.Dependency.product(
  name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"]))

/// SQLite itself, as GRDB sees it.
let sqlite = Target.Dependency.product(
  name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"]))

/// The sockets under the server of pages; checked out only where the trait is on.
let sockets = Target.Dependency.product(
  name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Serving"]))

/// The trait `Inspector` in sources: a condition by the trait's own name would read as the type.
let inspecting = SwiftSetting.define("INSPECTOR", .when(traits: ["Inspector"]))

/// What reads the arguments of the command line; checked out only where the trait is on.
let arguments = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser",
  condition: .when(traits: ["CommandLineTool"]))

/// What the ecosystem of servers observes with; checked out only where the trait is on.
func observability(_ products: (name: String, package: String)...) -> [Target.Dependency] {
  products.map {
    .product(name: $0.name, package: $0.package, condition: .when(traits: ["Observability"]))
  }
}

let package = Package(
  name: "fieldstone",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Fieldstone", targets: ["Fieldstone"]),
    .library(name: "FieldstoneCore", targets: ["FieldstoneCore"]),
    .library(name: "FieldstoneFields", targets: ["FieldstoneFields"]),
    .library(name: "FieldstoneForms", targets: ["FieldstoneForms"]),
    .library(name: "FieldstoneStages", targets: ["FieldstoneStages"]),
    .library(name: "FieldstoneLoading", targets: ["FieldstoneLoading"]),
    .library(name: "FieldstoneScreens", targets: ["FieldstoneScreens"]),
    .library(name: "FieldstoneHTML", targets: ["FieldstoneHTML"]),
    .library(name: "FieldstoneStorage", targets: ["FieldstoneStorage"]),
    .library(name: "FieldstoneDurable", targets: ["FieldstoneDurable"]),
    .library(name: "FieldstoneSQLite", targets: ["FieldstoneSQLite"]),
    .library(name: "FieldstonePostgres", targets: ["FieldstonePostgres"]),
    .library(name: "FieldstoneObservability", targets: ["FieldstoneObservability"]),
    .library(name: "FieldstoneInspector", targets: ["FieldstoneInspector"]),
    .library(name: "FieldstoneCommandLine", targets: ["FieldstoneCommandLine"]),
    .library(name: "FieldstoneServing", targets: ["FieldstoneServing"]),
    .library(name: "FieldstoneTesting", targets: ["FieldstoneTesting"]),
    .library(name: "FieldstoneDurableTesting", targets: ["FieldstoneDurableTesting"]),
    .executable(name: "fieldstone", targets: ["FieldstoneTool"]),
  ],
  traits: [
    .trait(
      name: "SQLite", description: "The journal of durable stages in a SQLite database, by GRDB."),
    .trait(
      name: "PostgreSQL",
      description: "The journal of durable stages in a PostgreSQL database, by libpq."),
    .trait(
      name: "CommandLineTool", description: "The command fieldstone, which looks after journals.",
      enabledTraits: ["SQLite"]),
    .trait(
      name: "Observability",
      description: "Logs, metrics, traces and the service lifecycle of durable runners."),
    .trait(
      name: "Serving", description: "A server for the pages of a process, over FlyingFox's sockets."
    ),
    .trait(
      name: "Inspector",
      description:
        "Pages that show what a process does and its runs, and steer them, in a browser.",
      enabledTraits: ["Serving"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // What Swift's runtime can do and Swift has no words for.
    .target(name: "CFieldstone"),
    // What only tests ask of its metadata.
    .target(name: "CFieldstoneTesting"),
    library("FieldstoneCore"),
    library("FieldstoneFields", ["CFieldstone", "FieldstoneCore"]),
    library("FieldstoneForms", ["FieldstoneCore", "FieldstoneFields"]),
    library("FieldstoneStages", ["FieldstoneCore"]),
    library("FieldstoneLoading", ["FieldstoneCore"]),
    library("FieldstoneStorage", ["FieldstoneCore"], hasPrivacyManifest: true),
    library(
      "FieldstoneScreens",
      ["FieldstoneCore", "FieldstoneFields", "FieldstoneForms", "FieldstoneLoading"]),
    library(
      "FieldstoneHTML",
      ["FieldstoneCore", "FieldstoneFields", "FieldstoneForms", "FieldstoneScreens"]),
    library("FieldstoneDurable", ["FieldstoneCore", "FieldstoneStages"]),
    library(
      "FieldstoneSQLite", ["FieldstoneCore", "FieldstoneDurable"], others: [database, sqlite],
      hasPrivacyManifest: true),
    // The functions of libpq that are called, without its headers: consumers without the trait need
    // neither these nor the library.
    .target(
      name: "CFieldstonePostgres",
      linkerSettings: [.linkedLibrary("pq", .when(traits: ["PostgreSQL"]))]),
    library(
      "FieldstonePostgres", ["CFieldstonePostgres", "FieldstoneCore", "FieldstoneDurable"]),
    // Runs in words and as pictures, for the command and for the inspector.
    library("FieldstoneRunDisplay", ["FieldstoneCore", "FieldstoneDurable"]),
    library(
      "FieldstoneCommand", ["FieldstoneCore", "FieldstoneDurable", "FieldstoneRunDisplay"],
      others: [arguments]),
    // Pages over HTTP: requests, forms, events and limits. Its sockets are those of FlyingFox.
    library("FieldstoneServing", ["FieldstoneCore"], others: [sockets]),
    library(
      "FieldstoneInspector",
      [
        "FieldstoneCore", "FieldstoneDurable", "FieldstoneFields", "FieldstoneForms",
        "FieldstoneHTML", "FieldstoneLoading", "FieldstoneRunDisplay", "FieldstoneScreens",
        "FieldstoneServing", "FieldstoneStorage",
      ], conditions: [inspecting]),
    // The command on files, servers and a terminal: an app builds its own with it.
    .target(
      name: "FieldstoneCommandLine",
      dependencies: [
        "FieldstoneCommand", "FieldstoneCore", "FieldstoneDurable", "FieldstoneRunDisplay",
        "FieldstoneSQLite",
        .byName(name: "FieldstoneInspector", condition: .when(traits: ["Inspector"])),
        .byName(name: "FieldstonePostgres", condition: .when(traits: ["PostgreSQL"])),
      ],
      swiftSettings: settings + [inspecting]),
    // The command `fieldstone`: a name of its own, for file systems that take f for F.
    .executableTarget(
      name: "FieldstoneTool", dependencies: ["FieldstoneCommandLine"], swiftSettings: settings),
    library(
      "FieldstoneObservability", ["FieldstoneCore", "FieldstoneDurable"],
      others: observability(
        ("Logging", "swift-log"), ("Metrics", "swift-metrics"),
        ("Tracing", "swift-distributed-tracing"),
        ("ServiceLifecycle", "swift-service-lifecycle"))),
    library("FieldstoneTesting", ["FieldstoneCore", "FieldstoneLoading"]),
    library(
      "FieldstoneDurableTesting",
      [
        "CFieldstoneTesting", "FieldstoneCore", "FieldstoneDurable", "FieldstoneRunDisplay",
        "FieldstoneStages", "FieldstoneTesting",
      ]),
    library(
      "Fieldstone",
      [
        "FieldstoneCore", "FieldstoneFields", "FieldstoneForms", "FieldstoneStages",
        "FieldstoneLoading", "FieldstoneStorage", "FieldstoneScreens",
      ]),

    tests("FieldstoneCoreTests", ["FieldstoneCore", "FieldstoneTesting"]),
    // The fixtures are for the compiler to refuse.
    tests(
      "FieldstoneFieldsTests", ["FieldstoneCore", "FieldstoneFields", "FieldstoneTesting"],
      exclude: ["Fixtures"]),
    tests(
      "FieldstoneFormsTests",
      ["FieldstoneCore", "FieldstoneFields", "FieldstoneForms", "FieldstoneTesting"]),
    tests(
      "FieldstoneHTMLTests",
      [
        "FieldstoneCore", "FieldstoneFields", "FieldstoneForms", "FieldstoneHTML",
        "FieldstoneScreens", "FieldstoneTesting",
      ]),
    tests("FieldstoneLoadingTests", ["FieldstoneCore", "FieldstoneLoading", "FieldstoneTesting"]),
    tests(
      "FieldstoneScreensTests",
      [
        "FieldstoneCore", "FieldstoneFields", "FieldstoneForms", "FieldstoneLoading",
        "FieldstoneScreens", "FieldstoneTesting",
      ]),
    // The fixtures are for the recorder of samples, which finds them beside its test.
    tests(
      "FieldstoneDurableTests",
      [
        "FieldstoneCore", "FieldstoneDurable", "FieldstoneDurableTesting", "FieldstoneStages",
        "FieldstoneTesting", "JournalModel",
      ], exclude: ["Fixtures"]),
    // What journals promise, in the plainest words, and random requests: for the tests of each.
    .target(
      name: "JournalModel", dependencies: ["FieldstoneDurable", "FieldstoneTesting"],
      path: "Tests/JournalModel", swiftSettings: settings),
    tests(
      "FieldstoneSQLiteTests",
      [
        "FaultyDisk", "FieldstoneCore", "FieldstoneDurable", "FieldstoneDurableTesting",
        "FieldstoneSQLite", "FieldstoneTesting", "FieldstoneTool", "JournalModel",
        "durable-process",
      ], others: [database, sqlite], conditions: [inspecting], exclude: ["Fixtures"]),
    tests(
      "FieldstonePostgresTests",
      [
        "FieldstoneCore", "FieldstoneDurable", "FieldstoneDurableTesting", "FieldstonePostgres",
        "FieldstoneSQLite", "FieldstoneTesting", "FieldstoneTool", "JournalModel",
        "durable-process",
      ], conditions: [inspecting]),
    // The other processes in the tests of journals.
    .executableTarget(
      name: "durable-process",
      dependencies: [
        "FaultyDisk", "FieldstoneCore", "FieldstoneDurable", "FieldstonePostgres",
        "FieldstoneSQLite", "FieldstoneTesting", "LiveHeap", database,
      ],
      path: "Tests/DurableProcess", swiftSettings: settings),
    // Tells them how much of the heap is in use.
    .target(
      name: "LiveHeap", path: "Tests/LiveHeap",
      cSettings: [.define("LIVE_HEAP", .when(traits: ["SQLite"]))],
      linkerSettings: [.linkedLibrary("sqlite3", .when(traits: ["SQLite"]))]),
    // Stands between SQLite and its files in those tests: fails, records and kills.
    .target(
      name: "FaultyDisk", dependencies: ["FaultyFiles"], path: "Tests/FaultyDisk",
      swiftSettings: settings),
    .target(
      name: "FaultyFiles", path: "Tests/FaultyFiles",
      cSettings: [.define("FAULTY_FILES", .when(traits: ["SQLite"]))],
      linkerSettings: [.linkedLibrary("sqlite3", .when(traits: ["SQLite"]))]),
    tests(
      "FieldstoneCommandTests",
      [
        "FieldstoneCommand", "FieldstoneCommandLine", "FieldstoneCore", "FieldstoneDurable",
        "FieldstoneRunDisplay", "FieldstoneStages", "FieldstoneTesting",
      ]),
    tests(
      "FieldstoneInspectorTests",
      [
        "FieldstoneCore", "FieldstoneDurable", "FieldstoneFields", "FieldstoneForms",
        "FieldstoneInspector", "FieldstoneLoading", "FieldstoneSQLite", "FieldstoneScreens",
        "FieldstoneServing", "FieldstoneStorage", "FieldstoneTesting",
      ], others: [sockets], conditions: [inspecting]),
    tests(
      "FieldstoneServingTests", ["FieldstoneCore", "FieldstoneServing", "FieldstoneTesting"],
      others: [sockets]),
    // The process that the browser's tests of the inspector look at; no product, so consumers never
    // build it.
    .executableTarget(
      name: "inspector-process",
      dependencies: [
        "FieldstoneCore", "FieldstoneDurable", "FieldstoneFields", "FieldstoneForms",
        "FieldstoneInspector", "FieldstoneLoading", "FieldstoneScreens", "FieldstoneStages",
      ],
      path: "Tests/InspectorProcess", swiftSettings: settings + [inspecting]),
    tests(
      "FieldstoneObservabilityTests",
      ["FieldstoneCore", "FieldstoneDurable", "FieldstoneObservability", "FieldstoneTesting"],
      others: observability(
        ("Logging", "swift-log"), ("InMemoryLogging", "swift-log"), ("Metrics", "swift-metrics"),
        ("MetricsTestKit", "swift-metrics"), ("Tracing", "swift-distributed-tracing"),
        ("InMemoryTracing", "swift-distributed-tracing"),
        ("ServiceLifecycle", "swift-service-lifecycle"),
        ("ServiceLifecycleTestKit", "swift-service-lifecycle"),
        ("UnixSignals", "swift-service-lifecycle"))),
    tests("FieldstoneStagesTests", ["FieldstoneCore", "FieldstoneStages", "FieldstoneTesting"]),
    tests(
      "FieldstoneStorageTests",
      ["FieldstoneCore", "FieldstoneStorage", "FieldstoneTesting", "storage-process"]),
    // The other process in the tests of storage; no product, so consumers never build it.
    .executableTarget(
      name: "storage-process", dependencies: ["FieldstoneStorage"], path: "Tests/StorageProcess",
      swiftSettings: settings),
    tests("FieldstoneTestingTests", ["FieldstoneCore", "FieldstoneTesting"]),
    tests("ReadmeTests", ["Fieldstone", "FieldstoneHTML", "FieldstoneTesting"]),
    tests(
      "SurfaceTests",
      [
        "Fieldstone", "FieldstoneDurable", "FieldstoneDurableTesting", "FieldstoneHTML",
        "FieldstoneObservability", "FieldstoneSQLite", "FieldstoneTesting",
      ],
      others: [database]
        + observability(
          ("Logging", "swift-log"), ("Metrics", "swift-metrics"),
          ("Tracing", "swift-distributed-tracing"),
          ("ServiceLifecycle", "swift-service-lifecycle"))),
  ],
  swiftLanguageModes: [.v6]
)

// The documentation plugin is for those who build our documentation; consumers never see it.
if Context.environment["FIELDSTONE_DOCUMENTATION"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// Bindings over Swift's own weak references, for a runtime without the function in `CFieldstone`.
if Context.environment["FIELDSTONE_WEAK_BINDINGS"] != nil {
  for target in package.targets {
    switch target.name {
    case "CFieldstone": target.cSettings = [.define("FIELDSTONE_WEAK_BINDINGS")]
    case "FieldstoneFields": target.swiftSettings = settings + [.define("FIELDSTONE_WEAK_BINDINGS")]
    default: break
    }
  }
}

extension Package {
  /// Leaves out all but some tests and what they are built from, with the programs among it: the
  /// command has its name from its product.
  func keepOnly(tests names: [String]) {
    var needed = Set(names)
    for _ in targets {
      for target in targets where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
      }
    }
    targets.removeAll { !needed.contains($0.name) }
    products.removeAll { product in
      guard let program = product as? Product.Executable else { return true }
      return !needed.isSuperset(of: program.targets)
    }
  }
}

// The tests in which threads meet, for the lane of the thread sanitizer: its build leaves the others
// out, and the packages that only they need. Forms and screens live on the main actor, and what the
// inspector shows comes through the types of the targets below it.
if Context.environment["FIELDSTONE_THREAD_TESTS"] != nil {
  package.keepOnly(
    tests: [
      "Core", "Durable", "Fields", "Loading", "Postgres", "SQLite", "Serving", "Stages", "Storage",
    ].map { "Fieldstone\($0)Tests" })
}

// Stand-ins for Apple's modules, so that the adapters of screens compile and run where those are not:
// only in the lane of `Scripts/test` that asks for them.
if Context.environment["FIELDSTONE_APPLE_STANDINS"] != nil {
  package.dependencies.append(.package(path: "Tests/AppleStandIns"))
  let standIns = ["Accessibility", "UIKit", "SwiftUI", "_Testing_UIKit"].map {
    Target.Dependency.product(name: $0, package: "AppleStandIns")
  }
  for target in package.targets where target.name == "FieldstoneScreens" {
    target.dependencies += standIns
  }
  package.targets.removeAll { $0.type == .test }
  package.targets.append(
    .testTarget(
      name: "AppleAdapterTests",
      dependencies: standIns + [
        "FieldstoneCore", "FieldstoneFields", "FieldstoneForms", "FieldstoneLoading",
        "FieldstoneScreens", "FieldstoneTesting",
      ], swiftSettings: settings))
  // Nothing else is built: that lane has no other test.
  package.keepOnly(tests: ["AppleAdapterTests"])
}
