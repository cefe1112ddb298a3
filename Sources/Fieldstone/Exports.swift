@_exported public import FieldstoneCore
@_exported public import FieldstoneStages
