import Dispatch
import FieldstoneCore
import Foundation

extension FileStore {
  /// The changes of the file since this store last read or wrote it.
  ///
  /// The store watches the folder and compares contents: a process that only touches the file
  /// changes nothing. The first element is a change since the last ``load()``, so that no change is
  /// lost in between. For a store that has read and written nothing, it is the present contents.
  ///
  /// Several changes in a row may arrive as one. A file that another program writes in place may
  /// arrive half written, as corrupt, and whole with the next change; it stays in its place.
  ///
  /// A slow consumer gets only the latest change. The sequence retains its store, and watches the
  /// folder until the sequence and its iterators are deallocated. It ends when a task that waits for
  /// a change is cancelled.
  ///
  /// - Throws: ``FileStoreError`` when the system has no more watches.
  public func changes() throws(FileStoreError) -> AsyncStream<FileChange<Value>> {
    let mailbox = Mailbox<FileChange<Value>>(limit: 1)
    let number: Int
    do throws(SystemError) {
      number = try watching.withLock { (watching) throws(SystemError) in
        if watching.watch == nil {
          watching.watch = try FolderWatch(queue: watchQueue) { [weak self] in self?.check() }
        }
        watching.last += 1
        // Outside the queue: a check that already waits there is one for this listener, too.
        watching.listeners[watching.last] = mailbox
        return watching.last
      }
    } catch {
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
      // First the watch, then the check: an event in between is seen twice and never missed.
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

/// Events are few and only add work to queues.
private let watchQueue = DispatchQueue(label: "fieldstone.storage.watch")

extension FileEngine {
  /// Watches the folders that the file depends on now, as links and folders come and go.
  func follow(with watch: FolderWatch) {
    guard let place = try? place.get() else { return }
    var watched: [WatchedFolder] = []
    // Repeated until nothing changes: a folder or link that changed before it was watched has
    // caused no event.
    for _ in 0..<8 {
      let places = [place, (try? currentPlace()) ?? place]
      let wanted = WatchedFolder.folders(for: places, with: calls)
      if wanted == watched { return }
      // The folder above reports a folder that went away meanwhile.
      try? watch.watch(wanted)
      watched = wanted
    }
  }
}
