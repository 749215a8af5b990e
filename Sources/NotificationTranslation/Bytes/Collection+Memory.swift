extension Collection<UInt8> {
    /// Calls `body` with the bytes in one piece of memory; copies them only if the collection does not hold them so.
    func withMemory<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let direct: Swift.Result<Result, Failure>? = withContiguousStorageIfAvailable { buffer in
            do throws(Failure) {
                return .success(try body(UnsafeRawBufferPointer(buffer)))
            } catch {
                return .failure(error)
            }
        }
        if let direct { return try direct.get() }
        return try Array(self).span.bytes.withUnsafeBytes(body)
    }
}
