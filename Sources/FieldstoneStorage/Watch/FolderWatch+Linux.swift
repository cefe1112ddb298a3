#if os(Linux) || os(Android)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #endif
  import Dispatch
  import FieldstoneCore

  /// Reports possible changes in folders, using inotify.
  final class FolderWatch: Sendable {
    private let file: Int32
    private let source: Locked<any DispatchSourceRead>
    /// The watched names, by the watch descriptor of their folder.
    private let names: Locked<[Int32: Set<String>]>

    private static let events =
      UInt32(IN_CREATE) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_MODIFY) | UInt32(IN_MOVED_FROM)
      | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF)
      | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)

    /// Makes a watch without folders.
    ///
    /// - Parameters:
    ///   - queue: the queue on which `onEvent` is called.
    ///   - onEvent: called when a watched name or one of the folders has changed.
    init(
      queue: DispatchQueue, onEvent: @escaping @Sendable () -> Void
    ) throws(SystemError) {
      let file = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      if file < 0 { throw .last }
      let names = Locked<[Int32: Set<String>]>([:])
      let source = DispatchSource.makeReadSource(fileDescriptor: file, queue: queue)
      source.setEventHandler {
        if Self.drain(file, names: names) { onEvent() }
      }
      source.setCancelHandler { close(file) }
      self.file = file
      self.names = names
      source.activate()
      self.source = Locked(source)
    }

    deinit {
      source.withLock { $0.cancel() }
    }

    /// Watches these folders from now on, and stops watching others.
    func watch(_ folders: [WatchedFolder]) throws(SystemError) {
      var wanted: [Int32: Set<String>] = [:]
      var failure: SystemError?
      for folder in folders {
        // A folder that is already watched keeps its descriptor.
        let number = inotify_add_watch(file, folder.path, Self.events)
        if number < 0 {
          failure = .last
        } else {
          wanted[number, default: []].formUnion(folder.names)
        }
      }
      let dropped = names.withLock { [wanted] names in
        defer { names = wanted }
        return Array(names.keys.filter { wanted[$0] == nil })
      }
      for number in dropped { inotify_rm_watch(file, number) }
      if let failure { throw failure }
    }

    /// Reads all waiting events; true if one concerns a watched name or a folder.
    private static func drain(_ file: Int32, names: Locked<[Int32: Set<String>]>) -> Bool {
      var matters = false
      let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 16_384, alignment: MemoryLayout<inotify_event>.alignment)
      defer { buffer.deallocate() }
      while true {
        let count = read(file, buffer.baseAddress, buffer.count)
        guard count > 0 else { return matters }
        var offset = 0
        while offset < count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + MemoryLayout<inotify_event>.size
          offset = start + Int(event.len)
          let name = buffer[start..<offset].prefix { $0 != 0 }
          let wanted = names.withLock { $0[event.wd] }
          // Events without a name concern a folder itself, or report that events were lost.
          if name.isEmpty || wanted?.contains(String(decoding: name, as: UTF8.self)) == true {
            matters = true
          }
        }
      }
    }
  }
#endif
