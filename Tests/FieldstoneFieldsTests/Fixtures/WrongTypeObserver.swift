import FieldstoneFields

let name = Field<String>()
name --> { (age: Int?) in }
