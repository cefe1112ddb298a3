import Dispatch

private let key: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()

/// Whether the caller runs on the main queue; `Thread.isMainThread` says nothing on Linux.
func isOnMainQueue() -> Bool { DispatchQueue.getSpecific(key: key) == true }
