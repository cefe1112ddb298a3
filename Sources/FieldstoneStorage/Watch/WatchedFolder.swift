import FieldstoneCore
import Foundation

/// A watched folder, with the names whose changes matter.
struct WatchedFolder: Sendable, Equatable {
  let path: String
  var names: Set<String>

  /// The folders to watch for changes of a file, which may have several places.
  ///
  /// These are its folder and, for a link, the folder of its target. A missing folder is replaced
  /// by its nearest existing parent. For a folder that may not be listed its parent is watched, too:
  /// it reports when the mode is changed back.
  static func folders(
    for places: [FilePlace], with calls: SystemCalls
  ) -> [WatchedFolder] {
    var folders: [WatchedFolder] = []
    for place in places.flatMap({ watched(for: $0, with: calls) }) {
      if let index = folders.firstIndex(where: { $0.path == place.folder }) {
        folders[index].names.insert(place.name)
      } else {
        folders.append(WatchedFolder(path: place.folder, names: [place.name]))
      }
    }
    return folders
  }

  /// The places at which a change of a file is reported, from its folder upwards.
  private static func watched(for place: FilePlace, with calls: SystemCalls) -> [FilePlace] {
    var watched: [FilePlace] = []
    var next: FilePlace? = place
    while let place = next {
      let access = place.folder == "/" ? .listed : access(to: place.folder, with: calls)
      next = access == .listed ? nil : FilePlace(path: place.folder)
      if access != .missing || next == nil { watched.append(place) }
    }
    return watched
  }

  private enum Access {
    case listed, refused, missing
  }

  private static func access(to path: String, with calls: SystemCalls) -> Access {
    do throws(FileStoreError) {
      guard let folder = try OpenFolder.open(path, with: calls) else { return .missing }
      folder.close()
      return .listed
    } catch {
      // A folder that may not be listed can't be watched, but is not missing: the watch says so.
      return error.errorNumber == EACCES ? .refused : .missing
    }
  }
}

/// The listeners of a store, with the watch that exists while there are listeners.
struct Watching<Value: Sendable>: Sendable {
  var watch: FolderWatch?
  var listeners: [Int: Mailbox<FileChange<Value>>] = [:]
  var last = 0
  /// Whether a check of the file already waits in the queue.
  var isCheckInLine = false
}
