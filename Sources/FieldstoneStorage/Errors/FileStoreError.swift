public import FieldstoneCore
import Foundation

/// What went wrong with a file, where, and what to do about it.
///
/// It is the one error that a ``FileStore`` throws, besides those of your own code in
/// ``FileStore/update(default:timeout:_:)``. (Seed: Mold's file storage with value types.)
public struct FileStoreError: DescribedError {
  /// What went wrong.
  public let code: Code

  /// The path of the file, or of the folder or the file beside it that the error is about.
  public let path: String

  /// The number that the system gave, as in `errno`; nil where it was not the system that failed.
  public let errorNumber: Int32?

  /// The errors that led to this one, the nearest first.
  public let underlyingErrors: [any Error]

  /// Makes an error.
  public init(
    _ code: Code, path: String, errorNumber: Int32? = nil, underlying: [any Error] = []
  ) {
    self.code = code
    self.path = path
    self.errorNumber = errorNumber
    self.underlyingErrors = underlying
  }

  /// Kinds of what can go wrong.
  public enum Code: Sendable, Hashable {
    /// The system refused a step.
    case system(FileStep)
    /// The path is no file: a folder, a device, not a file URL, or a link where those are refused.
    case notAFile
    /// The file is not there, and there was no default.
    case missing
    /// The value could not be encoded; the file was left alone.
    case encoding
    /// The content is damaged or is not what the store reads.
    case corrupt
    /// A newer version of the program wrote the file, with this version of the schema.
    case newer(schema: Int)
    /// A step from one version of the schema to the next is missing or failed.
    case migration(from: Int)
    /// Another writer changed the file since it was last read here, and the policy is to reload.
    case changedElsewhere
    /// Others held the lock for longer than the time limit.
    case lockTimedOut
    /// The file belongs to another user, and would become the current one's.
    case owner
    /// The content has more bytes than the store's options allow.
    case tooLarge(limit: Int)
    /// The system names no such folder.
    case noStandardFolder
  }
}

extension FileStoreError {
  /// What went wrong, with the path and the system's own words, and what to do about it.
  public var message: String {
    switch code {
    case .system(let step): "\(step.failure(path)): \(reason). \(remedy)"
    case .notAFile: "\(path) is not a regular file; give the store the path of one."
    case .missing: "\(path) does not exist; save a value first, or give a default."
    case .encoding:
      "The value for \(path) could not be encoded\(because); the file was left alone. Mend the value or its encoding."
    case .corrupt:
      "\(path) is damaged, or its content is not what the store reads\(because). Nothing was lost; look at the file, then resolve the store."
    case .newer(let schema):
      "\(path) was written by a newer version of this program (schema \(schema)). Update the program; the file was left alone."
    case .migration(let version):
      "\(path) has version \(version) of the schema, and the step to the next version is missing or failed\(because). The file was left alone; mend the migration."
    case .changedElsewhere:
      "\(path) was changed elsewhere since it was last read. It was not saved; load it, apply the change to it and save again."
    case .lockTimedOut:
      "\(path) is being written by others for longer than the time limit; try again, or look for a program that hangs in an update."
    case .owner:
      "\(path) belongs to another user and would become yours, so it was not saved. Run as its owner, or let the store's options take ownership."
    case .tooLarge(let limit):
      "\(path) has more than the \(limit) bytes that the store allows; raise its limit, or keep less in one file."
    case .noStandardFolder:
      "The system names no folder for \(path); set HOME, or give the path of the file."
    }
  }
}
