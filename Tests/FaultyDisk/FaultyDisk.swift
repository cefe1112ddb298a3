#if SQLite
  import FaultyFiles

  /// Stands between SQLite and the files of a folder, in this process: hears of each call, and may
  /// make it fail.
  package final class FaultyDisk: Sendable {
    private final class Watcher: Sendable {
      let before: @Sendable (FileCall) -> Int32
      let after: @Sendable (FileCall) -> Void

      init(
        before: @escaping @Sendable (FileCall) -> Int32,
        after: @escaping @Sendable (FileCall) -> Void
      ) {
        self.before = before
        self.after = after
      }
    }

    private let number: Int32

    /// - Parameters:
    ///   - prefix: what the paths of the files begin with that are opened from now on.
    ///   - before: told of a call before it is made; the SQLite error that it gives, if it is not
    ///     zero, is how the call fails.
    ///   - after: told of a call that went well.
    package init(
      _ prefix: String, before: @escaping @Sendable (FileCall) -> Int32 = { _ in 0 },
      after: @escaping @Sendable (FileCall) -> Void = { _ in }
    ) {
      let watcher = Unmanaged.passRetained(Watcher(before: before, after: after))
      number = faulty_watch(
        prefix,
        faulty_hooks(
          watcher: watcher.toOpaque(),
          before: { watcher, call in
            guard let watcher, let call, let call = FileCall(call.pointee) else { return 0 }
            return Unmanaged<Watcher>.fromOpaque(watcher).takeUnretainedValue().before(call)
          },
          after: { watcher, call in
            guard let watcher, let call, let call = FileCall(call.pointee) else { return }
            Unmanaged<Watcher>.fromOpaque(watcher).takeUnretainedValue().after(call)
          },
          release: { watcher in
            if let watcher { Unmanaged<Watcher>.fromOpaque(watcher).release() }
          }))
      if number < 0 { watcher.release() }
    }

    deinit { faulty_unwatch(number) }

    /// Whether it stands there.
    package var isThere: Bool { number >= 0 }
  }
#endif
