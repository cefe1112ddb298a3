public import FieldstoneCore
import FieldstoneDurable

/// What is wrong with the samples of a flow's stages, all of it.
public struct StageFixturesError: DescribedError {
  /// A thing that is wrong; files are named by their path within the folder of the samples.
  public enum Failure: Sendable, Hashable {
    /// The flow can't read a stage that it once wrote: such a run would be blocked.
    case unreadable(file: String, reason: String)
    /// A stage of today is written otherwise than it was, though the version is the same.
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
  public let flow: String
  /// The folder of the samples.
  public let folder: String
  /// What is wrong.
  public let failures: [Failure]

  init(_ fixtures: StageFixtures, _ failures: [Failure]) {
    flow = fixtures.flow.name
    folder = fixtures.folder
    self.failures = failures
  }

  /// What is wrong and what to do about it, each on a line.
  public var message: String {
    let lines = failures.map { "- \($0.message)" }
    return "The samples of the flow \(flow) in \(folder):\n" + lines.joined(separator: "\n")
  }
}

extension StageFixturesError.Failure {
  /// What is wrong and what to do about it, in a line.
  public var message: String {
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
      "The folder \(folder) is no version of the flow; name it by a number."
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
