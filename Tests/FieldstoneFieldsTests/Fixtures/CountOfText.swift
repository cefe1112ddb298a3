import FieldstoneFields

let tags = *Field<String>("Tags").require(.count(...2))
