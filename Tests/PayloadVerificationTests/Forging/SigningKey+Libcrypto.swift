#if !canImport(CryptoKit)
import NotificationLibC

func makeSigner(_ kind: SigningKey.Kind) throws -> any MessageSigner { try LibcryptoSigner(kind) }

/// The part of libcrypto that makes keys and signatures: needed by tests only, so found by tests only.
private struct Forge: @unchecked Sendable {
    typealias Pointer = UnsafeMutableRawPointer
    typealias Text = UnsafePointer<CChar>

    let contextFromName: @convention(c) (Pointer?, Text?, Text?) -> Pointer?
    let contextFree: @convention(c) (Pointer?) -> Void
    let keygenInit: @convention(c) (Pointer?) -> CInt
    let setGroup: @convention(c) (Pointer?, Text?) -> CInt
    let setBits: @convention(c) (Pointer?, CInt) -> CInt
    let generate: @convention(c) (Pointer?, UnsafeMutablePointer<Pointer?>?) -> CInt
    let keyFree: @convention(c) (Pointer?) -> Void
    let writePublic: @convention(c) (Pointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
    let digestNew: @convention(c) () -> Pointer?
    let digestFree: @convention(c) (Pointer?) -> Void
    let signInit: @convention(c) (Pointer?, Pointer?, Text?, Pointer?, Text?, Pointer?, Pointer?) -> CInt
    let sign:
        @convention(c) (
            Pointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?, UnsafePointer<UInt8>?, Int
        ) -> CInt

    static let shared = try? Forge()

    private init() throws {
        guard let library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL) ?? dlopen("libcrypto.so.4", RTLD_NOW)
        else { throw ForgeFailure(what: "libcrypto") }
        func find<Function>(_ name: String) throws -> Function {
            guard let symbol = dlsym(library, name) else { throw ForgeFailure(what: name) }
            return unsafeBitCast(symbol, to: Function.self)
        }
        contextFromName = try find("EVP_PKEY_CTX_new_from_name")
        contextFree = try find("EVP_PKEY_CTX_free")
        keygenInit = try find("EVP_PKEY_keygen_init")
        setGroup = try find("EVP_PKEY_CTX_set_group_name")
        setBits = try find("EVP_PKEY_CTX_set_rsa_keygen_bits")
        generate = try find("EVP_PKEY_generate")
        keyFree = try find("EVP_PKEY_free")
        writePublic = try find("i2d_PUBKEY")
        digestNew = try find("EVP_MD_CTX_new")
        digestFree = try find("EVP_MD_CTX_free")
        signInit = try find("EVP_DigestSignInit_ex")
        sign = try find("EVP_DigestSign")
    }
}

private final class LibcryptoSigner: MessageSigner, @unchecked Sendable {
    private let forge: Forge
    private let key: Forge.Pointer
    let publicKeyInfo: [UInt8]

    init(_ kind: SigningKey.Kind) throws {
        guard let forge = Forge.shared else { throw ForgeFailure(what: "libcrypto") }
        let isRSA = kind == .rsa || kind == .rsa1024
        let context = forge.contextFromName(nil, isRSA ? "RSA" : "EC", nil)
        defer { forge.contextFree(context) }
        var made: Forge.Pointer?
        guard forge.keygenInit(context) == 1,
            isRSA
                ? forge.setBits(context, kind == .rsa ? 2048 : 1024) == 1
                : forge.setGroup(context, kind.rawValue) == 1,
            forge.generate(context, &made) == 1, let key = made
        else { throw ForgeFailure(what: kind.rawValue) }
        let count = Int(forge.writePublic(key, nil))
        publicKeyInfo = [UInt8](unsafeUninitializedCapacity: max(0, count)) { room, written in
            var cursor = room.baseAddress
            written = max(0, Int(forge.writePublic(key, &cursor)))
        }
        self.forge = forge
        self.key = key
    }

    deinit {
        forge.keyFree(key)
    }

    func sign(_ message: [UInt8], _ digest: String) throws -> [UInt8] {
        let context = forge.digestNew()
        defer { forge.digestFree(context) }
        var signature = [UInt8](repeating: 0, count: 1024)
        var count = signature.count
        guard forge.signInit(context, nil, digest, nil, nil, key, nil) == 1,
            forge.sign(context, &signature, &count, message, message.count) == 1
        else { throw ForgeFailure(what: "signature") }
        return Array(signature.prefix(count))
    }
}
#endif
