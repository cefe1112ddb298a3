// Takes the place of both where a file imports both.
@_exported public import Testing
@_exported public import UIKit
