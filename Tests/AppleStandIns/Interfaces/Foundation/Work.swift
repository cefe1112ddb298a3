// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public enum QualityOfService: Int, Sendable {
  case userInteractive = 33
  case userInitiated = 25
  case utility = 17
  case background = 9
  case `default` = -1
}

extension NSObject {
  public func willChangeValue(forKey key: String) {}
  public func didChangeValue(forKey key: String) {}
}

open class Operation: NSObject, @unchecked Sendable {
  open var qualityOfService: QualityOfService {
    get { .default }
    set {}
  }
  open func start() {}
  open func main() {}
  open func cancel() {}
  open var isCancelled: Bool { false }
  open var isExecuting: Bool { false }
  open var isFinished: Bool { false }
  open var isAsynchronous: Bool { false }
  open var isReady: Bool { true }
  open func addDependency(_ operation: Operation) {}
  open func removeDependency(_ operation: Operation) {}
  open var dependencies: [Operation] { [] }
}

open class BlockOperation: Operation, @unchecked Sendable {
  public convenience init(block: @escaping @Sendable () -> Void) { self.init() }
}

open class OperationQueue: NSObject, @unchecked Sendable {
  open var qualityOfService: QualityOfService {
    get { .default }
    set {}
  }
  open func addOperation(_ operation: Operation) {}
}
