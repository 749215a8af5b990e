// The C library of the system, under one name. The attribute is the only way to pass the names of a module on to those
// who import another.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Darwin)
@_exported public import Darwin
#endif
