public import FieldstoneCore
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

extension FileStoreError {
  /// The first of the errors that led to it, to stand within a sentence of the message.
  var because: String {
    guard let cause = underlyingErrors.first else { return "" }
    let text = Self.words(for: cause)
    return ": \(text.hasSuffix(".") ? String(text.dropLast()) : text)"
  }

  private static func words(for cause: any Error) -> String {
    // What these call their description names neither the key nor the place.
    switch cause {
    case DecodingError.keyNotFound(let key, let context):
      "there is no \(place(context.codingPath + [key]))"
    case DecodingError.valueNotFound(_, let context):
      "\(place(context.codingPath)) is null"
    case DecodingError.typeMismatch(let type, let context):
      "\(place(context.codingPath)) is no \(type)"
    case DecodingError.dataCorrupted(let context):
      words(for: context.debugDescription, at: context.codingPath)
    case EncodingError.invalidValue(_, let context):
      words(for: context.debugDescription, at: context.codingPath)
    default: cause.localizedDescription
    }
  }

  private static func words(for detail: String, at path: [any CodingKey]) -> String {
    path.isEmpty ? detail : "\(place(path)): \(detail)"
  }

  private static func place(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "the whole" }
    return path.reduce("") { place, key in
      if let index = key.intValue { return "\(place)[\(index)]" }
      return place.isEmpty ? key.stringValue : "\(place).\(key.stringValue)"
    }
  }
}

/// The step at which work on a file failed.
public enum FileStep: String, Sendable, Hashable, Codable, CaseIterable {
  /// Finding the file, through symbolic links where there are some.
  case find
  /// Making or opening the folder of the file.
  case folder
  /// Taking the lock that writers of the file share.
  case lock
  /// Opening the file, or making the temporary one beside it.
  case open
  /// Reading the content.
  case read
  /// Giving the new file the mode and the owner of the old one.
  case attributes
  /// Writing the content to the temporary file.
  case write
  /// Having the content reach the medium.
  case sync
  /// Keeping the old file under a second name until the new one is safe, or making a backup of it.
  case keep
  /// Putting the new file in the place of the old one, or moving a file aside.
  case rename
  /// Having the names in the folder reach the medium.
  case syncFolder
  /// Removing the file.
  case remove
  /// Watching the folder for changes.
  case watch
}

extension FileStoreError {
  init(_ step: FileStep, _ path: String, _ error: SystemError) {
    self.init(.system(step), path: path, errorNumber: error.number)
  }

  /// The system's words for the number.
  var reason: String {
    guard let errorNumber else { return "the system gives no reason" }
    return "\(String(cString: strerror(errorNumber))) (\(errorNumber))"
  }

  /// What a person can do about the number.
  var remedy: String {
    #if os(Linux) || os(Android)
      // inotify has limits of its own, and tells of them by the numbers of files and volumes.
      switch (code, errorNumber) {
      case (.system(.watch), EMFILE):
        return "Watch fewer files, or raise fs.inotify.max_user_instances by sysctl, and the limit "
          + "of open files."
      case (.system(.watch), ENOSPC):
        return "Watch fewer files, or raise fs.inotify.max_user_watches by sysctl."
      default: break
      }
    #endif
    switch errorNumber {
    case ENOSPC, EDQUOT: return "Free some space on that volume, then save again."
    case EACCES, EPERM: return "Give this user the permission, or choose another folder."
    case EROFS: return "Choose a folder on a volume that can be written."
    case EIO: return "Check the medium, and make a copy of what can still be read."
    case ENOENT, ENOTDIR:
      return "Check that the folder exists and that no part of the path is a file."
    case EISDIR: return "Give the path of a file and not of a folder."
    case ELOOP: return "Mend the symbolic links, which lead in a circle."
    case ENAMETOOLONG: return "Choose a shorter name."
    case EMFILE, ENFILE:
      return "Close files that are no longer needed, or raise the limit of open files."
    case ENOTSUP, ENOLCK, ENOSYS: return "Choose a file system that can do this, a local one."
    case EINVAL: return "Check the path for characters that no file can have."
    default: return "Try again; if it persists, look at the file and its folder."
    }
  }
}

extension FileStep {
  /// What failed, as the beginning of a sentence.
  func failure(_ path: String) -> String {
    switch self {
    case .find: "\(path) could not be looked up"
    case .folder: "The folder \(path) could not be made or opened"
    case .lock: "The lock \(path) could not be taken"
    case .open: "\(path) could not be opened"
    case .read: "\(path) could not be read"
    case .attributes: "The mode and owner of \(path) could not be kept"
    case .write: "\(path) could not be written"
    case .sync: "\(path) could not be synced"
    case .keep: "The old content of \(path) could not be kept beside it"
    case .rename: "\(path) could not be put in place"
    case .syncFolder: "The folder \(path) could not be synced"
    case .remove: "\(path) could not be removed"
    case .watch: "\(path) could not be watched"
    }
  }
}

/// Names the step and the path of a system call that fails.
func at<Result>(
  _ step: FileStep, _ path: String, _ call: () throws(SystemError) -> Result
) throws(FileStoreError) -> Result {
  do throws(SystemError) {
    return try uninterrupted(call)
  } catch {
    throw FileStoreError(step, path, error)
  }
}
