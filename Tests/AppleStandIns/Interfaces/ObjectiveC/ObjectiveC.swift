// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// The root class of Apple's frameworks, for the check `platforms`.

open class NSObject: NSObjectProtocol {
  public init() {}
}

public protocol NSObjectProtocol: AnyObject {}
