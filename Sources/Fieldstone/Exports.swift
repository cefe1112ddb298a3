@_exported public import FieldstoneCore
@_exported public import FieldstoneFields
@_exported public import FieldstoneForms
@_exported public import FieldstoneLoading
@_exported public import FieldstoneScreens
@_exported public import FieldstoneStages
@_exported public import FieldstoneStorage
