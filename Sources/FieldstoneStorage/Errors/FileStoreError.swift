public import FieldstoneCore
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An error of a file store, with its path and a remedy.
///
/// A ``FileStore`` throws no other error, except that ``FileStore/update(default:timeout:_:)`` also
/// throws errors of its body and `CancellationError`. (Seed: Mold's file storage with value types.)
public struct FileStoreError: DescribedError {
  /// The kind of the error.
  public let code: Code

  /// The path of the file, of its folder, or of a file beside it.
  public let path: String

  /// The system's `errno`; nil if no system call failed.
  public let errorNumber: Int32?

  /// The errors that led to this one, nearest first.
  public let underlyingErrors: [any Error]

  /// The step whose system call failed; nil if none failed.
  package let step: FileStep?

  /// Makes an error.
  public init(
    _ code: Code, path: String, errorNumber: Int32? = nil, underlying: [any Error] = []
  ) {
    self.init(code, at: nil, path: path, errorNumber: errorNumber, underlying: underlying)
  }

  package init(
    _ code: Code = .system, at step: FileStep?, path: String, errorNumber: Int32? = nil,
    underlying: [any Error] = []
  ) {
    self.code = code
    self.path = path
    self.errorNumber = errorNumber
    self.underlyingErrors = underlying
    self.step = step
  }

  /// The kinds of errors.
  public enum Code: Sendable, Hashable {
    /// A system call failed, with ``FileStoreError/errorNumber``.
    case system
    /// The path names a folder, a device or a refused link, the URL is no file URL, or a name leads
    /// out of its standard folder.
    case notAFile
    /// The file does not exist, and no default was given.
    case missing
    /// The value can't be encoded; the file is unchanged.
    case encoding
    /// The content is damaged or has another format.
    case corrupt
    /// A newer version of the program wrote the file, with this schema.
    case newer(schema: Int)
    /// The migration from a version of the schema is missing or failed.
    case migration(from: Int)
    /// Another writer changed the file, and the policy is ``FileConflictPolicy/reload``.
    case changedElsewhere
    /// Other writers held the lock for longer than the time limit.
    case lockTimedOut
    /// The file belongs to another user, and the save would change its owner.
    case owner
    /// The content is larger than ``FileStoreOptions/sizeLimit``.
    case tooLarge(limit: Int)
    /// The system has no such folder.
    case noStandardFolder
  }
}

extension FileStoreError {
  /// The error with its path and the system's reason, then the remedy.
  public var message: String {
    switch code {
    case .system: "\(step?.failure(path) ?? "\(path) could not be used"): \(reason). \(remedy)"
    case .notAFile where step == .name:
      "\(String(reflecting: path)) names nothing within a standard folder. Give a name that is not empty, without a leading slash, \"..\" or a NUL character."
    case .notAFile: "\(path) is not a regular file. Give the store the path of one."
    case .missing: "\(path) does not exist. Save a value first, or give a default."
    case .encoding:
      "The value for \(path) can't be encoded\(because); the file is unchanged. Mend the value or its encoding."
    case .corrupt:
      "\(path) is damaged, or has another format\(because). Nothing is lost; look at the file, then resolve the store."
    case .newer(let schema):
      "\(path) was written by a newer version of this program (schema \(schema)); the file is unchanged. Update the program."
    case .migration(let version):
      "\(path) has version \(version) of the schema, and the migration from it is missing or failed\(because); the file is unchanged. Mend the migration."
    case .changedElsewhere:
      "\(path) was changed elsewhere since it was last read, so nothing was saved. Load it, apply the change again and save."
    case .lockTimedOut:
      "Other writers held the lock of \(path) for longer than the time limit. Try again, or find the program that hangs in an update."
    case .owner:
      "\(path) belongs to another user, so nothing was saved. Run as its owner, or set the store's option ownership to taken."
    case .tooLarge(let limit):
      "\(path) has more than the \(limit) bytes of the store's size limit. Raise the limit, or keep less in one file."
    case .noStandardFolder:
      "The system has no folder \(path). Set HOME, or give the path of the file."
    }
  }
}

extension FileStoreError {
  /// The first underlying error, as a part of the message's sentence.
  var because: String {
    guard let cause = underlyingErrors.first else { return "" }
    let text = Self.words(for: cause)
    return ": \(text.hasSuffix(".") ? String(text.dropLast()) : text)"
  }

  private static func words(for cause: any Error) -> String {
    // The descriptions of these errors name neither the key nor the place.
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
package enum FileStep: Sendable, CaseIterable {
  /// Checking a name within a standard folder.
  case name
  /// Finding the file, through any symbolic links.
  case find
  /// Making or opening the folder of the file.
  case folder
  /// Taking the lock that writers of the file share.
  case lock
  /// Opening the file, or making the temporary one beside it.
  case open
  /// Reading the content.
  case read
  /// Copying the mode and the owner of the old file to the new one.
  case attributes
  /// Writing the content to the temporary file.
  case write
  /// Syncing the content to the medium.
  case sync
  /// Linking the old file to a second name until the new one is safe, or making a backup of it.
  case keep
  /// Replacing the old file with the new one, or moving a file aside.
  case rename
  /// Syncing the names in the folder to the medium.
  case syncFolder
  /// Removing the file.
  case remove
  /// Watching the folder for changes.
  case watch
}

extension FileStoreError {
  init(_ step: FileStep, _ path: String, _ error: SystemError) {
    self.init(at: step, path: path, errorNumber: error.number)
  }

  /// The system's description of the error number.
  var reason: String {
    guard let errorNumber else { return "the system gives no reason" }
    return "\(String(cString: strerror(errorNumber))) (\(errorNumber))"
  }

  /// The remedy for the error number.
  var remedy: String {
    #if os(Linux) || os(Android)
      // inotify reports its own limits with the error numbers for files and volumes.
      switch (step, errorNumber) {
      case (.watch, EMFILE):
        return "Watch fewer files, or raise fs.inotify.max_user_instances by sysctl, and the limit "
          + "of open files."
      case (.watch, ENOSPC):
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
  /// The failure, as the beginning of a sentence.
  func failure(_ path: String) -> String {
    switch self {
    case .name: "The name \(path) could not be used"
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

/// Makes a system call, and repeats it while signals interrupt it.
///
/// Its error gets the step and the path.
func at<Result>(
  _ step: FileStep, _ path: String, _ call: () throws(SystemError) -> Result
) throws(FileStoreError) -> Result {
  do throws(SystemError) {
    return try uninterrupted(call)
  } catch {
    throw FileStoreError(step, path, error)
  }
}

/// Makes a system call the same way; nil for some errors, such as that of a missing file.
func at<Result>(
  _ step: FileStep, _ path: String, nilFor numbers: [Int32],
  _ call: () throws(SystemError) -> Result
) throws(FileStoreError) -> Result? {
  do throws(SystemError) {
    return try uninterrupted(call)
  } catch {
    if numbers.contains(error.number) { return nil }
    throw FileStoreError(step, path, error)
  }
}
