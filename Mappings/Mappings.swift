/// The rule tables of this build, as the UTF-8 JSON of the files beside this one.
package enum Mappings {}
