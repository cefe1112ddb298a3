#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import UIKit

  extension FormViewController {
    /// What a form says besides its labels and issues.
    public struct Texts: Sendable, Hashable {
      /// What the button says that submits.
      public var submit = "Save"
      /// What it says while the form is being submitted.
      public var submitting = "Saving…"
      /// What assistive technology says of a field that has to be filled in.
      public var required = "required"
      /// What stands for no choice.
      public var noChoice = "None"
      /// What stands in the line for another item.
      public var newItem = "Add"
      /// What the button says that removes an item.
      public var removeItem = "Remove"
      /// What the button says that sets a date where there is none.
      public var chooseDate = "Set date"
      /// What the button says that removes a date.
      public var clearDate = "Clear"
      /// What stands before an error that is shown as a dialog.
      public var failure = "That did not work."
      /// What the button of such a dialog says.
      public var close = "OK"

      /// The texts in English.
      public init() {}
    }
  }
#endif
