// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// What our declarations name of Dispatch, for the check `platforms`.

public final class DispatchQueue: Sendable {
  public static let main = DispatchQueue(label: "")
  public init(label: String, qos: DispatchQoS = .unspecified) {}
  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
  public static func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }
  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
}

public final class DispatchSpecificKey<T>: Sendable {
  public init() {}
}

public struct DispatchQoS: Sendable {
  public static let userInitiated = DispatchQoS()
  public static let unspecified = DispatchQoS()
}

public enum DispatchTimeInterval: Equatable, Sendable {
  case seconds(Int)
  case milliseconds(Int)
  case microseconds(Int)
  case nanoseconds(Int)
  case never
}

public protocol DispatchSourceTimer: AnyObject {}
