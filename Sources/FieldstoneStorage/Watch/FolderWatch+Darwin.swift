#if canImport(Darwin)
  import Darwin
  @preconcurrency import Dispatch
  import FieldstoneCore

  /// Reports possible changes in folders, using Dispatch sources.
  ///
  /// A folder's source reports added and removed names. The watched files have sources, too, for
  /// programs that write into them in place.
  final class FolderWatch: Sendable {
    private struct Watched {
      let path: String
      let status: FileStatus
      let source: any DispatchSourceFileSystemObject
    }

    private let queue: DispatchQueue
    private let onEvent: @Sendable () -> Void
    private let watched = Locked<[Watched]>([])

    /// Makes a watch without folders.
    ///
    /// - Parameters:
    ///   - queue: the queue on which `onEvent` is called.
    ///   - onEvent: called when a folder or a watched file has changed.
    init(
      queue: DispatchQueue, onEvent: @escaping @Sendable () -> Void
    ) throws(SystemError) {
      self.queue = queue
      self.onEvent = onEvent
    }

    deinit {
      watched.withLock { watched in
        for one in watched { one.source.cancel() }
      }
    }

    /// Watches these folders from now on, and stops watching others.
    func watch(_ folders: [WatchedFolder]) throws(SystemError) {
      // Only system calls are made under the lock; events arrive later, on the queue.
      let failure = watched.withLock { watched -> SystemError? in
        var new: [Watched] = []
        var failure: SystemError?
        for folder in folders {
          do throws(SystemError) {
            new.append(try watch(folder.path, unless: watched))
          } catch {
            failure = error
          }
          for name in folder.names {
            // The folder reports a file that does not exist yet.
            if let file = try? watch(folder.path + "/" + name, unless: watched) { new.append(file) }
          }
        }
        for one in watched where !new.contains(where: { $0.source === one.source }) {
          one.source.cancel()
        }
        watched = new
        return failure
      }
      if let failure { throw failure }
    }

    /// Keeps the source of an unchanged file, or makes a new one.
    private func watch(_ path: String, unless old: [Watched]) throws(SystemError) -> Watched {
      let file = open(path, O_EVTONLY | O_CLOEXEC)
      if file < 0 { throw .last }
      let status: FileStatus
      do throws(SystemError) {
        status = try SystemCalls.system.status(file)
      } catch {
        close(file)
        throw error
      }
      if let same = old.first(where: { $0.path == path && $0.status.isSameFile(as: status) }) {
        close(file)
        return same
      }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: file,
        eventMask: [.write, .extend, .attrib, .delete, .rename, .revoke], queue: queue)
      source.setEventHandler(handler: onEvent)
      source.setCancelHandler { close(file) }
      source.activate()
      return Watched(path: path, status: status, source: source)
    }
  }
#endif
