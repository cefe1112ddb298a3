#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import UIKit

  extension FormViewController {
    /// What a form says besides its labels and issues.
    public struct Texts: Sendable, Hashable {
      /// What the button says that submits.
      public var submit: String
      /// What it says while the form is being submitted.
      public var submitting: String
      /// What assistive technology says of a field that has to be filled in.
      public var required: String
      /// What stands for no choice.
      public var noChoice: String
      /// What stands in the line for another item.
      public var newItem: String
      /// What the button says that removes an item.
      public var removeItem: String
      /// What the button says that sets a date where there is none.
      public var chooseDate: String
      /// What the button says that removes a date.
      public var clearDate: String
      /// What the button above the keyboard says that goes to the next field.
      public var nextField: String
      /// What the button above the keyboard says that puts it away.
      public var endEditing: String
      /// What stands before an error that is shown as a dialog.
      public var failure: String
      /// What the button of such a dialog says.
      public var close: String

      /// Makes the texts of some words; those of the process unless given.
      public init(_ words: ScreenTexts = .current) {
        submit = words.submit
        submitting = words.submitting
        required = words.required
        noChoice = words.noChoice
        newItem = words.add
        removeItem = words.remove
        chooseDate = words.setDate
        clearDate = words.clear
        nextField = words.next
        endEditing = words.done
        failure = words.failure
        close = words.ok
      }
    }
  }
#endif
