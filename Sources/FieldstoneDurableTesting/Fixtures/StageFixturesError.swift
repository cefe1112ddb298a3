public import FieldstoneCore
import FieldstoneDurable
import Foundation

/// All problems with the samples of a flow's stages.
public struct StageFixturesError: DescribedError {
  /// A problem; files are named by their path within the folder of the samples.
  package enum Failure: Sendable, Hashable {
    /// The flow can't read a stage that it once wrote: such a run would be blocked.
    case unreadable(file: String, reason: String)
    /// A current stage is encoded differently than before, with an unchanged version.
    case changed(file: String, recorded: String, now: String)
    /// A sample has no file.
    case notRecorded(file: String)
    /// A case of the enum has no sample.
    case noSample(case: String, version: Int)
    /// There are files of a newer version than the flow's.
    case newer(version: Int, known: Int)
    /// The name of a folder is no version.
    case noVersion(folder: String)
    /// Two samples have the same name.
    case nameTwice(String)
    /// A sample is no enum, so it has no name.
    case noName(sample: String)
    /// The samples are not of the flow's type of stage.
    case otherStage(String)
    /// A sample can't be encoded, or its file can't be written or read.
    case notWritten(file: String, reason: String)
  }

  /// The name of the flow.
  package let flow: String
  /// The folder of the samples.
  package let folder: String
  /// The problems.
  package let failures: [Failure]

  init(_ fixtures: StageFixtures, _ failures: [Failure]) {
    flow = fixtures.flow.name
    folder = fixtures.folder
    self.failures = failures
  }

  /// The problems with their remedies, each on a line.
  public var message: String {
    let lines = failures.map { "- \($0.message)" }
    return "The samples of the flow \(flow) in \(folder):\n" + lines.joined(separator: "\n")
  }
}

extension StageFixturesError.Failure {
  /// The problem with its remedy, in one line.
  package var message: String {
    switch self {
    case .unreadable(let file, let reason):
      "\(file) can't be read any more, and such a run would be blocked (\(reason)); read it in the "
        + "flow's migration, or give what it holds its old name back."
    case .changed(let file, let recorded, let now):
      "\(file) has \(recorded), and the same sample is now written as \(now); if the code before "
        + "can't read that, raise the version of the flow, otherwise give the sample another name."
    case .notRecorded(let file):
      "\(file) is missing; run this test once with FIELDSTONE_RECORD_FIXTURES=1, and commit the file."
    case .noSample(let name, let version):
      "The case \(name) has no sample of version \(version); add one to the samples of this test."
    case .newer(let version, let known):
      "There are samples of version \(version), and the flow says that it is version \(known); raise "
        + "the version of the flow."
    case .noVersion(let folder):
      "The folder \(folder) is no version of the flow; name it by its number, such as 1."
    case .nameTwice(let name):
      "Two samples are named \(name); give all samples names: check([\"\(name)\": …])."
    case .noName(let sample):
      "The sample \(sample) has no case to be named after; give all samples names: "
        + "check([\"NAME\": …])."
    case .otherStage(let type):
      "The flow has stages of another type than \(type); check its own."
    case .notWritten(let file, let reason):
      "\(file) can't be written or read (\(reason)); mend that first."
    }
  }
}

/// The file of a sample: `FLOW/VERSION/NAME.json` in the folder of the samples.
struct FixtureFile {
  /// The path within the folder of the samples.
  let path: String
  private let url: URL

  init(_ fixtures: StageFixtures, version: Int, name: String) {
    self.init(fixtures, "\(version)/\(Self.fileName(name)).json")
  }

  private init(_ fixtures: StageFixtures, _ path: String) {
    self.path = "\(Self.fileName(fixtures.flow.name))/\(path)"
    url = URL(filePath: fixtures.folder, directoryHint: .isDirectory).appending(path: self.path)
  }

  var isThere: Bool { FileManager.default.fileExists(atPath: url.path) }

  var contents: Data { get throws { try Data(contentsOf: url) } }

  /// Writes the file, which must not be there.
  func write(_ data: Data) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try (data + Data("\n".utf8)).write(to: url, options: .withoutOverwriting)
  }

  /// The folders of the versions.
  static func folders(of fixtures: StageFixtures) -> [String] {
    names(in: FixtureFile(fixtures, "").url).sorted { (Int($0) ?? 0, $0) < (Int($1) ?? 0, $1) }
  }

  /// The samples of a version.
  static func files(of fixtures: StageFixtures, version: Int) -> [FixtureFile] {
    names(in: FixtureFile(fixtures, "\(version)").url).filter { $0.hasSuffix(".json") }.sorted()
      .map { FixtureFile(fixtures, "\(version)/\($0)") }
  }

  private static func names(in folder: URL) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { !$0.hasPrefix(".") }
  }

  /// JSON with sorted keys and no whitespace; nil for invalid JSON.
  static func normalised(_ data: Data) -> Data? {
    guard
      let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    else { return nil }
    return bytes(of: value)
  }

  /// JSON as in ``normalised(_:)`` with sorted arrays, for a comparison without their order; nil for
  /// invalid JSON.
  static func unordered(_ data: Data) -> Data? {
    guard
      let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    else { return nil }
    return bytes(of: sorted(value))
  }

  private static func sorted(_ value: Any) -> Any {
    if let object = value as? [String: Any] { return object.mapValues { sorted($0) } }
    guard let array = value as? [Any] else { return value }
    return array.map { sorted($0) }.map { (bytes(of: $0) ?? Data(), $0) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
  }

  private static func bytes(of value: Any) -> Data? {
    try? JSONSerialization.data(
      withJSONObject: value,
      options: [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed])
  }

  /// A file name that can't leave its folder.
  private static func fileName(_ name: String) -> String {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: " -_.")
    let name = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? name
    return name.hasPrefix(".") ? "%2E" + name.dropFirst() : name
  }
}
