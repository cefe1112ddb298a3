import FieldstoneCore
import Foundation

/// A watched folder, with the names whose changes matter.
struct WatchedFolder: Sendable, Equatable {
  let path: String
  var names: Set<String>

  /// The folders to watch for changes of a file, which may have several places.
  ///
  /// These are its folder and, for a link, the folder of its target. A missing folder is replaced
  /// by its nearest existing parent.
  static func folders(
    for places: [FilePlace], with calls: SystemCalls
  ) -> [WatchedFolder] {
    var folders: [WatchedFolder] = []
    for place in places {
      let nearest = nearest(to: place, with: calls)
      if let index = folders.firstIndex(where: { $0.path == nearest.folder }) {
        folders[index].names.insert(nearest.name)
      } else {
        folders.append(WatchedFolder(path: nearest.folder, names: [nearest.name]))
      }
    }
    return folders
  }

  private static func nearest(to place: FilePlace, with calls: SystemCalls) -> FilePlace {
    var place = place
    while place.folder != "/", !isFolder(place.folder, with: calls),
      let above = FilePlace(path: place.folder)
    {
      place = above
    }
    return place
  }

  private static func isFolder(_ path: String, with calls: SystemCalls) -> Bool {
    do throws(FileStoreError) {
      guard let folder = try OpenFolder.open(path, with: calls) else { return false }
      folder.close()
      return true
    } catch {
      // A folder that may not be listed can't be watched, but is not missing.
      return error.errorNumber == EACCES
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
