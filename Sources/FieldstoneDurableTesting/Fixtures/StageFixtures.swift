import CFieldstone
import FieldstoneCore
public import FieldstoneDurable
import Foundation

/// A sample of each stage that a flow has ever written, kept beside the tests: what is in journals
/// out there can still be read.
///
/// ```swift
/// @Test func allThatWasEverWrittenIsRead() throws {
///   try StageFixtures(in: "Fixtures", of: orderFlow).check([
///     Order.pay(amount: 3, currency: "ISK"), .send,
///   ])
/// }
/// ```
///
/// The samples are those of the flow's version of today. They are in files,
/// `Fixtures/order/2/pay.json` for one, which are committed and never changed: once the flow has
/// another version, that one's samples come beside them. A test reads every file, of whatever
/// version, as a runner would read it: as it is, or by the flow's migration.
///
/// Files are written only where the environment variable `FIELDSTONE_RECORD_FIXTURES` is set, and
/// none is ever written over:
///
/// ```sh
/// FIELDSTONE_RECORD_FIXTURES=1 swift test --filter allThatWasEverWrittenIsRead
/// ```
///
/// A test target of SwiftPM says `exclude: ["Fixtures"]`.
public struct StageFixtures: Sendable {
  /// Whose stages they are.
  public let flow: DurableFlow

  /// The folder of the samples; each flow has a folder of its name in it, and each version one in
  /// that.
  public let folder: String

  /// Whether samples without a file get one.
  public var isRecording: Bool

  /// Names the place of the samples.
  ///
  /// - Parameters:
  ///   - folder: a folder beside the file of the test, or a path from `/` on.
  ///   - flow: as the app registers it, with its version and its migration; its services are not
  ///     used.
  ///   - isRecording: whether samples without a file get one; by `FIELDSTONE_RECORD_FIXTURES` unless
  ///     given.
  ///   - file: the file of the test.
  public init(
    in folder: String, of flow: DurableFlow, isRecording: Bool? = nil,
    beside file: String = #filePath
  ) {
    let place = URL(filePath: file).deletingLastPathComponent()
    self.folder =
      URL(filePath: folder, directoryHint: .isDirectory, relativeTo: place).absoluteURL.path
    self.flow = flow
    let value = ProcessInfo.processInfo.environment["FIELDSTONE_RECORD_FIXTURES"] ?? ""
    self.isRecording = isRecording ?? !["", "0"].contains(value)
  }

  /// Reads all samples, and holds those of this version to what the code writes now.
  ///
  /// - Parameter samples: a stage of each case, each named after its case, without anything that
  ///   differs from day to day.
  /// - Throws: ``StageFixturesError``, with all that is wrong: a file that can't be read, a sample
  ///   without a file or that is now written otherwise than in its file, and a case without a sample.
  public func check<Work: Codable & Sendable>(_ samples: [Work]) throws {
    var failures: [StageFixturesError.Failure] = []
    var named: [(String, Work)] = []
    for sample in samples {
      do {
        guard let name = StageJSON.caseName(of: try StageJSON.data(of: sample)) else {
          failures.append(.noName(sample: "\(sample)"))
          continue
        }
        if named.contains(where: { $0.0 == name }) { failures.append(.nameTwice(name)) }
        named.append((name, sample))
      } catch {
        failures.append(.notWritten(file: "\(sample)", reason: Self.text(of: error)))
      }
    }
    try check(named, after: failures)
  }

  /// Reads all samples, and holds those of this version to what the code writes now.
  ///
  /// - Parameter samples: stages by names that say what is special about them: several of one case,
  ///   or stages that are no enum.
  /// - Throws: ``StageFixturesError``, as above.
  public func check<Work: Codable & Sendable>(_ samples: [String: Work]) throws {
    try check(samples.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, after: [])
  }

  /// A sample as the code reads it now, for a test of what a migration makes of it.
  ///
  /// - Parameters:
  ///   - name: the name of the sample.
  ///   - version: which version of the flow wrote it.
  ///   - type: the type of the flow's stages.
  /// - Throws: ``StageFixturesError``.
  public func stage<Work>(
    _ name: String, version: Int, as type: Work.Type = Work.self
  ) throws -> Work {
    guard flow.stage == ObjectIdentifier(type) else {
      throw StageFixturesError(self, [.otherStage("\(type)")])
    }
    let file = FixtureFile(self, version: version, name: name)
    do {
      guard let stage = try flow.read(version, try file.contents) as? Work else {
        throw StageFixturesError(self, [.otherStage("\(type)")])
      }
      return stage
    } catch let error as StageFixturesError {
      throw error
    } catch {
      throw StageFixturesError(self, [.unreadable(file: file.path, reason: Self.text(of: error))])
    }
  }
}

extension StageFixtures {
  private func check<Work: Codable & Sendable>(
    _ samples: [(name: String, stage: Work)], after earlier: [StageFixturesError.Failure]
  ) throws {
    guard flow.stage == ObjectIdentifier(Work.self) else {
      throw StageFixturesError(self, [.otherStage("\(Work.self)")])
    }
    var failures = earlier
    let cases = Set(samples.compactMap { EnumCases.name(of: $0.stage) })
    failures += EnumCases.names(of: Work.self).filter { !cases.contains($0) }.map {
      .noSample(case: $0, version: flow.version)
    }
    for (name, stage) in samples {
      let file = FixtureFile(self, version: flow.version, name: name)
      if let failure = compare(stage, with: file) { failures.append(failure) }
    }
    failures += readAll()
    if !failures.isEmpty { throw StageFixturesError(self, failures) }
  }

  /// Holds a sample to its file, which it gets where it has none.
  private func compare(
    _ stage: some Encodable, with file: FixtureFile
  ) -> StageFixturesError.Failure? {
    do {
      let data = try StageJSON.data(of: stage)
      guard file.isThere else {
        guard isRecording else { return .notRecorded(file: file.path) }
        try file.write(data)
        return nil
      }
      // The layout of the file does not matter.
      guard let recorded = FixtureFile.normalised(try file.contents) else { return nil }
      let now = FixtureFile.normalised(data) ?? data
      if recorded == now { return nil }
      return .changed(
        file: file.path, recorded: String(decoding: recorded, as: UTF8.self),
        now: String(decoding: now, as: UTF8.self))
    } catch {
      return .notWritten(file: file.path, reason: Self.text(of: error))
    }
  }

  /// Reads every file of the flow as a run's stage.
  private func readAll() -> [StageFixturesError.Failure] {
    var failures: [StageFixturesError.Failure] = []
    for folder in FixtureFile.folders(of: self) {
      guard let version = Int(folder) else {
        failures.append(.noVersion(folder: folder))
        continue
      }
      if version > flow.version {
        failures.append(.newer(version: version, known: flow.version))
        continue
      }
      for file in FixtureFile.files(of: self, version: version) {
        do {
          _ = try flow.read(version, try file.contents)
        } catch {
          failures.append(.unreadable(file: file.path, reason: Self.text(of: error)))
        }
      }
    }
    return failures
  }

  private static func text(of error: any Error) -> String {
    (error as? any DescribedError)?.message ?? "\(error)"
  }
}

/// The cases of an enum, by the names that the code has for them.
private enum EnumCases {
  /// All cases of a type; none for what is no enum, and where names were left out of the build.
  static func names(of type: Any.Type) -> [String] {
    let type = unsafeBitCast(type, to: UnsafeRawPointer.self)
    var names: [String] = []
    while let name = fieldstone_enum_case_name(type, UInt32(names.count)) {
      names.append(String(cString: name))
    }
    return names
  }

  /// The case that a value has; nil for what is no enum, and where names were left out of the build.
  static func name<Value>(of value: Value) -> String? {
    let type = unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self)
    return withUnsafePointer(to: value) { value in
      fieldstone_case_name_of(UnsafeRawPointer(value), type).map { String(cString: $0) }
    }
  }
}
