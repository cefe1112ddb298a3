import Dispatch
import FieldstoneCore
import Foundation

extension FileStore {
  /// The changes of the file from what this store read or wrote last, by whomever.
  ///
  /// The folder is watched and contents are compared: a process that only touches the file changes
  /// nothing. A change since the last ``load()`` is the first element, so that none is lost between
  /// a load and this. A store that has read and written nothing yet begins with what is there.
  ///
  /// Several changes in a row may be heard as one. A file that another program writes in place can
  /// be seen half written, as corrupt, and is whole with the next change; it is not moved aside by
  /// this.
  ///
  /// - Throws: an error when the system gives no more watches.
  public func changes() throws(FileStoreError) -> FileChanges<Value> {
    let mailbox = Mailbox<FileChange<Value>>(limit: 1)
    let number: Int
    do throws(SystemError) {
      number = try watching.withLock { (watching) throws(SystemError) in
        if watching.watch == nil {
          watching.watch = try FolderWatch(queue: watchQueue) { [weak self] in self?.check() }
        }
        watching.last += 1
        // At once and not in line: a look that stands there already is a look for this one, too.
        watching.listeners[watching.last] = mailbox
        return watching.last
      }
    } catch {
      throw FileStoreError(.watch, url.path(percentEncoded: false), error)
    }
    check()
    let registration = Registration { [self] in stop(number, mailbox) }
    return FileChanges(mailbox: mailbox, registration: registration)
  }

  /// Puts a look at the file into the line, unless one stands there.
  private func check() {
    let isInLine = watching.withLock { watching in
      defer { watching.isCheckInLine = true }
      return watching.isCheckInLine
    }
    if isInLine { return }
    add { [weak self] engine in
      // From here on a new event asks for a new look.
      let watch = self?.watching.withLock { watching in
        watching.isCheckInLine = false
        return watching.watch
      }
      guard let watch else { return }
      // First the watch, then the look: what happens in between is heard twice and never missed.
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

/// Events are few and only put work into lines.
private let watchQueue = DispatchQueue(label: "fieldstone.storage.watch")

extension FileEngine {
  /// Watches the folders that the file depends on now, as links and folders come and go.
  func follow(with watch: FolderWatch) {
    guard let place = try? place.get() else { return }
    var watched: [WatchedFolder] = []
    // Until it stays the same: a folder that was made, or a link that was turned, before the watch
    // was there has caused no event.
    for _ in 0..<8 {
      let places = [place, (try? currentPlace()) ?? place]
      let wanted = WatchedFolder.folders(for: places, with: calls)
      if wanted == watched { return }
      // A folder that went away meanwhile is announced by the one above it.
      try? watch.watch(wanted)
      watched = wanted
    }
  }
}

/// The changes of a file, as an asynchronous sequence.
///
/// A slow consumer gets the latest change, and none of those between. The sequence keeps its store,
/// watches the folder until it and its iterators are released, and never ends by itself.
public struct FileChanges<Value: Sendable>: AsyncSequence, Sendable {
  /// A change of the file.
  public typealias Element = FileChange<Value>
  /// The sequence never fails.
  public typealias Failure = Never

  let mailbox: Mailbox<FileChange<Value>>
  let registration: Registration

  /// Gives the latest change that has not been taken yet.
  public func makeAsyncIterator() -> Iterator {
    Iterator(mailbox: mailbox, registration: registration)
  }

  /// Takes changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: Mailbox<FileChange<Value>>
    fileprivate let registration: Registration

    /// The next change; nil when the waiting task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> FileChange<Value>? {
      await mailbox.next()
    }
  }
}
