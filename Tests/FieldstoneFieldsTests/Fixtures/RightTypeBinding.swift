import FieldstoneFields

let name = Field<String>()
let title = Field<String>()
name --> title
