// Foundation for every file of these tests. The attribute is the only way to pass the names of a module on.
#if canImport(FoundationEssentials)
@_exported import FoundationEssentials
#else
@_exported import Foundation
#endif
