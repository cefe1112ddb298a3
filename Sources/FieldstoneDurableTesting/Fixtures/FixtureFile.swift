import FieldstoneDurable
import Foundation

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

  /// JSON with its keys sorted and nothing between; nil for what is no JSON.
  static func normalised(_ data: Data) -> Data? {
    guard
      let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    else { return nil }
    return try? JSONSerialization.data(
      withJSONObject: value,
      options: [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed])
  }

  /// A name that stays in its folder, whatever it is.
  private static func fileName(_ name: String) -> String {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: " -_.")
    let name = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? name
    return name.hasPrefix(".") ? "%2E" + name.dropFirst() : name
  }
}
