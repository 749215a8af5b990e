/// Dates looked for in the tables where they are: to pass a table on is to count a reference to it.
extension V1Fields {
    @inline(__always)
    func date(_ forms: V1DateForms, row: Int, _ view: TextView) -> (date: V1Date?, isUnreadable: Bool) {
        view.date(forms) { rows[row, $0] }
    }

    @inline(__always)
    func date(_ forms: V1DateForms, pending entry: Int, _ view: TextView) -> (date: V1Date?, isUnreadable: Bool) {
        view.date(forms) { pending[entry, $0] }
    }

    /// A date of the outermost object.
    @inline(__always)
    func date(_ forms: V1DateForms, _ view: TextView) -> (date: V1Date?, isUnreadable: Bool) {
        view.date(forms) { root[0, $0] }
    }
}
