import CFieldstoneTesting
import FieldstoneCore
public import FieldstoneDurable
import Foundation

/// Recorded samples of a flow's stages, to test that all stored runs can still be read.
///
/// ```swift
/// @Test func allThatWasEverWrittenIsRead() throws {
///   try StageFixtures(in: "Fixtures", of: orderFlow).check([
///     Order.pay(amount: 3, currency: "ISK"), .send,
///   ])
/// }
/// ```
///
/// Each sample is a file beside the tests, such as `Fixtures/order/2/pay.json`. Commit the files and
/// never change them: a new version of the flow adds its own samples. A test reads the files of all
/// versions as a runner does, older ones by the flow's migration.
///
/// Files are written only where the environment variable `FIELDSTONE_RECORD_FIXTURES` is set, and
/// never replaced:
///
/// ```sh
/// FIELDSTONE_RECORD_FIXTURES=1 swift test --filter allThatWasEverWrittenIsRead
/// ```
///
/// A test target of SwiftPM needs `exclude: ["Fixtures"]`.
public struct StageFixtures: Sendable {
  /// The flow of the stages.
  let flow: DurableFlow

  /// The folder of the samples, with a folder for each flow, and in it one for each version.
  let folder: String

  /// True when missing files are written.
  let isRecording: Bool

  /// Makes the samples of a flow.
  ///
  /// - Parameters:
  ///   - folder: a folder beside the file of the test, or an absolute path.
  ///   - flow: the flow as the app registers it, with its version and migration; its services are
  ///     not used.
  ///   - isRecording: true to write missing files; by default `FIELDSTONE_RECORD_FIXTURES` decides.
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

  /// Reads all recorded samples, and compares those of this version with the present encoding.
  ///
  /// A `Set`, and a dictionary whose keys are neither strings nor integers, is written in another
  /// order each time. Stages that contain one must be `Equatable`.
  ///
  /// - Parameter samples: a stage of each case, named after its case, with the same values on every
  ///   run of the test.
  /// - Throws: ``StageFixturesError`` with all problems: files that can't be read, samples without a
  ///   file or with another encoding than their file, and cases without a sample.
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

  /// Reads all recorded samples, and compares those of this version with the present encoding.
  ///
  /// - Parameter samples: stages by name, for several stages of one case or stages that are no enum.
  /// - Throws: ``StageFixturesError`` with all problems.
  public func check<Work: Codable & Sendable>(_ samples: [String: Work]) throws {
    try check(samples.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, after: [])
  }

  /// Reads a recorded sample as the code reads it now, to test a migration.
  ///
  /// - Parameters:
  ///   - name: the name of the sample.
  ///   - version: the version of the flow that wrote it.
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

  /// Compares a sample with its file, or writes a missing file while recording.
  private func compare<Work: Codable & Sendable>(
    _ stage: Work, with file: FixtureFile
  ) -> StageFixturesError.Failure? {
    do {
      let data = try StageJSON.data(of: stage)
      guard file.isThere else {
        guard isRecording else { return .notRecorded(file: file.path) }
        try file.write(data)
        return nil
      }
      // The layout of the file does not matter.
      let contents = try file.contents
      guard let recorded = FixtureFile.normalised(contents) else { return nil }
      let now = FixtureFile.normalised(data) ?? data
      if recorded == now || isReordered(stage, data, in: contents) { return nil }
      return .changed(
        file: file.path, recorded: String(decoding: recorded, as: UTF8.self),
        now: String(decoding: now, as: UTF8.self))
    } catch {
      return .notWritten(file: file.path, reason: Self.text(of: error))
    }
  }

  /// Whether a recorded stage is the same one with its sets in another order.
  ///
  /// Both comparisons are needed: a new name of a property is another encoding of an equal stage,
  /// and an array in another order is another stage.
  private func isReordered<Work>(_ stage: Work, _ now: Data, in recorded: Data) -> Bool {
    guard FixtureFile.unordered(now) == FixtureFile.unordered(recorded),
      let read = try? flow.read(flow.version, recorded) as? Work
    else { return false }
    return DecodedValues.areEqual(read, stage)
  }

  /// Reads every file of the flow as a run's stage.
  private func readAll() -> [StageFixturesError.Failure] {
    var failures: [StageFixturesError.Failure] = []
    for folder in FixtureFile.folders(of: self) {
      // `01` would be read as version 1, whose files are elsewhere.
      guard let version = Int(folder), "\(version)" == folder else {
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
  /// All cases of a type; none for a type that is no enum, or if the build omits names.
  static func names(of type: Any.Type) -> [String] {
    let type = unsafeBitCast(type, to: UnsafeRawPointer.self)
    var names: [String] = []
    while let name = fieldstone_enum_case_name(type, UInt32(names.count)) {
      names.append(String(cString: name))
    }
    return names
  }

  /// The case of a value; nil for a type that is no enum, or if the build omits names.
  static func name<Value>(of value: Value) -> String? {
    let type = unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self)
    return withUnsafePointer(to: value) { value in
      fieldstone_case_name_of(UnsafeRawPointer(value), type).map { String(cString: $0) }
    }
  }
}
