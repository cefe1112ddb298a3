import Foundation
import Synchronization

/// Counts the jobs that the runtime puts on the pool, in the whole process; so it belongs into one
/// that does nothing else.
enum HopCounter {
  private typealias Original = @convention(c) (UnsafeRawPointer) -> Void
  private typealias Hook = @convention(c) (UnsafeRawPointer, Original) -> Void

  private static let pool = Atomic(0)

  /// How many jobs there were since the last reset.
  static var poolCount: Int { pool.load(ordering: .relaxed) }

  static func reset() {
    pool.store(0, ordering: .relaxed)
  }

  /// Begins to count.
  ///
  /// - Returns: whether the runtime has the place to hook into.
  static func install() -> Bool {
    guard let place = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else {
      return false
    }
    let count: Hook = { job, original in
      HopCounter.pool.add(1, ordering: .relaxed)
      original(job)
    }
    place.assumingMemoryBound(to: Hook?.self).pointee = count
    return true
  }
}
