import Foundation

/// A pointer of each thread to what its current call stack shares; nil at first.
///
/// Code that sets it resets it before it returns.
package struct ThreadSlot: Sendable {
  private let key: pthread_key_t

  package init() {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    self.key = key
  }

  package var pointer: UnsafeMutableRawPointer? {
    get { pthread_getspecific(key) }
    nonmutating set { pthread_setspecific(key, newValue) }
  }
}
