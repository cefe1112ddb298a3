#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
