import Dispatch
import FieldstoneCore
import Foundation

extension FileStore {
  /// The changes of the file since this store last read or wrote it.
  ///
  /// The store watches the folder and compares contents, so touching the file is not a change. The
  /// first element is a change since the last ``load()``, so no change in between is lost. A store
  /// that has not read or written the file compares it with what it finds first: load it before, if
  /// you need the present contents, too.
  ///
  /// Several consecutive changes may arrive as one. A file that another program writes in place may
  /// arrive half written, as corrupt, and complete with the next change; it stays in its place.
  ///
  /// A slow consumer receives only the latest change. The sequence retains its store, and watches
  /// the folder until the sequence and its iterators are deallocated. It ends when a task that
  /// waits for a change is cancelled.
  ///
  /// - Throws: ``FileStoreError`` if the URL can't be used, or the folder can't be watched: the
  ///   system has no more watches, or this user may not list the folder.
  public func changes() throws(FileStoreError) -> AsyncStream<FileChange<Value>> {
    _ = try engine.place.get()
    let mailbox = Mailbox<FileChange<Value>>(limit: 1)
    let (number, watch): (Int, FolderWatch)
    do throws(SystemError) {
      (number, watch) = try watching.withLock { (watching) throws(SystemError) in
        let watch: FolderWatch
        if let present = watching.watch {
          watch = present
        } else {
          watch = try FolderWatch(queue: watchQueue) { [weak self] in self?.check() }
          watching.watch = watch
        }
        watching.last += 1
        // Registered outside the queue, so that a check that already waits there serves this
        // listener, too.
        watching.listeners[watching.last] = mailbox
        return (watching.last, watch)
      }
    } catch {
      throw FileStoreError(.watch, url.path(percentEncoded: false), error)
    }
    do throws(SystemError) {
      try engine.beginToFollow(with: watch)
    } catch {
      stop(number, mailbox)
      throw FileStoreError(.watch, url.path(percentEncoded: false), error)
    }
    check()
    let registration = Registration { [self] in stop(number, mailbox) }
    return AsyncStream {
      // The closure lives as long as the sequence and its iterators.
      defer { withExtendedLifetime(registration) {} }
      return await mailbox.next()
    }
  }

  /// Adds a check of the file to the queue, unless one waits there.
  private func check() {
    let isInLine = watching.withLock { watching in
      defer { watching.isCheckInLine = true }
      return watching.isCheckInLine
    }
    if isInLine { return }
    add { [weak self] engine in
      // From here on a new event adds a new check.
      let watch = self?.watching.withLock { watching in
        watching.isCheckInLine = false
        return watching.watch
      }
      guard let watch else { return }
      // The watch is updated before the check: an event in between is seen twice, but never missed.
      engine.follow(with: watch)
      engine.check()
    }
  }

  private func stop(_ number: Int, _ mailbox: Mailbox<FileChange<Value>>) {
    let watch = watching.withLock { watching in
      watching.listeners[number] = nil
      return watching.listeners.isEmpty ? watching.watch.take() : nil
    }
    withExtendedLifetime(watch) {}
    mailbox.finish()()
  }
}

/// One queue is enough: events are rare and only add work to other queues.
private let watchQueue = DispatchQueue(label: "fieldstone.storage.watch")

extension FileEngine {
  /// Watches the folders of the file, outside the queue: what waits there must not delay an error.
  ///
  /// A folder that is removed meanwhile is no error: the check that follows finds the one above it.
  nonisolated func beginToFollow(with watch: FolderWatch) throws(SystemError) {
    guard let place = try? place.get() else { return }
    let target = (try? place.following(options.symbolicLinks, with: calls)) ?? place
    do throws(SystemError) {
      try watch.watch(WatchedFolder.folders(for: [place, target], with: calls))
    } catch {
      if error.number != ENOENT, error.number != ENOTDIR { throw error }
    }
  }

  /// Watches the folders that the file currently depends on, as links and folders change.
  func follow(with watch: FolderWatch) {
    guard let place = try? place.get() else { return }
    var watched: [WatchedFolder] = []
    // Repeated until nothing changes: a folder or link that changed before it was watched caused no
    // event.
    for _ in 0..<8 {
      let places = [place, (try? currentPlace()) ?? place]
      let wanted = WatchedFolder.folders(for: places, with: calls)
      if wanted == watched { return }
      // The folder above reports a folder that was removed meanwhile.
      try? watch.watch(wanted)
      watched = wanted
    }
  }
}
