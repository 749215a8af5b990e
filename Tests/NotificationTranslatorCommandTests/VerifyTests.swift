import Testing
import NotificationLibC

@testable import NotificationTranslation

/// `Fixtures/signed`: a signed payload, the same tampered with, one without its signature, and three V1 bodies with the
/// right secret, a wrong one and none.
@Suite("Verification by the command") struct VerifyTests {
    private static let folder = Command.root + "/Fixtures/signed/"
    private static let notifications = folder + "notifications.ndjson"
    private static let root = folder + "root.pem"
    private static let app = ["--expect-bundle-id", "com.example.news", "--expect-environment", "Production"]

    private func command() throws -> Command { try Command(["secrets": "0123456789abcdef0123456789abcdef\n"]) }

    /// For each line how it was believed, or the code it was refused with.
    private func verdicts(_ command: Command, _ options: [String]) throws -> [String] {
        let run = try command.run(["pipe"] + options, input: .file(Self.notifications))
        #expect(run.code == 0)
        return try run.values.map { $0["source"]?["authenticity"]?.string ?? $0["error"]?["code"]?.string ?? "?" }
    }

    @Test("Every record is judged by what it carries") func everyRecordIsJudgedByWhatItCarries() throws {
        let command = try command()
        let verify = ["--verify", Self.root]
        let secrets = ["--shared-secret-file", "secrets"]
        let unproven = Array(repeating: "unverified", count: 6)
        #expect(try verdicts(command, []) == unproven)
        let signed = ["verified", "jws.bad-signature"]
        #expect(try verdicts(command, verify + Self.app) == signed + unproven.prefix(4))
        let strict = try verdicts(command, verify + secrets + Self.app + ["--require-authentic"])
        let told = ["shared-secret", "trust.secret-mismatch"]
        #expect(strict == signed + ["trust.unsigned"] + told + ["trust.secret-missing"])
        #expect(try verdicts(command, verify + secrets) == signed + ["unverified"] + told + ["unverified"])
        var other = Array(repeating: "payload.bundle-id", count: 6)
        other[1] = "jws.bad-signature"
        #expect(try verdicts(command, verify + ["--expect-bundle-id", "com.example.other"]) == other)
        #expect(
            try verdicts(command, ["--verify", "apple"]).prefix(2) == ["x509.untrusted-root", "x509.untrusted-root"])
    }

    @Test("What is signed in a payload without its signature is checked, too")
    func signedParts() throws {
        let command = try command()
        let line = try #require(try Command.file("Fixtures/signed/notifications.ndjson").split(separator: "\n").first)
        let text = try #require(line.split(separator: ".").dropFirst().first)
        let payload = String(decoding: try #require(StrictBase64.decoded(url: Array(text.utf8))), as: UTF8.self)
        let forged = payload.dropLast(11) + #"AAAAAAAA"}}"#
        try command.write("\(payload)\n{\"body\":\(forged)}\n\(payload)\n", to: "a")
        let judged = try command.run("convert", "a", "--context", "record", "--verify", Self.root)
        #expect(try judged.events.map(\.source.authenticity) == [.unverified, .unverified])
        #expect(judged.code == 1)
        #expect(judged.errors.hasPrefix("a:2:"))
        #expect(judged.errors.contains("reject[jws.bad-signature]: signedTransactionInfo: "))
        let foreign = try command.run("convert", "a", "--context", "record", "--verify", "apple")
        #expect(foreign.output.isEmpty)
        #expect(foreign.errors.split(separator: "reject[x509.untrusted-root]").count == 4)
    }

    @Test("A root is taken in either form") func aRootIsTakenInEitherForm() throws {
        let command = try command()
        let lines = try command.lines(Self.root).filter { !$0.hasPrefix("-") }
        let der = try #require(StrictBase64.decoded(standard: Array(lines.joined().utf8)))
        try command.write(der, to: "root.cer")
        #expect(try verdicts(command, ["--verify", "root.cer"]) == verdicts(command, ["--verify", Self.root]))
        for (name, bytes, sentence) in [
            ("empty", [], "no root certificate to trust"),
            ("cut", Array(der.dropLast()), "not one whole self-signed DER certificate"),
            ("more", der + [0], "not one whole self-signed DER certificate"),
        ] {
            try command.write(bytes, to: name)
            let run = try command.run("pipe", "--verify", name)
            #expect(run.code == 2)
            #expect(run.errors.hasPrefix("notification-translator: --verify \(name): \(sentence)"))
        }
    }

    @Test("Refused records are rejects and the rest is converted") func rejects() throws {
        let command = try command()
        let run = try command.run(
            "convert", Self.notifications, "--verify", Self.root, "-o", "out", "--rejects", "rejects")
        #expect(run.code == 1)
        #expect(try command.lines("out").count == 5)
        #expect(try command.text("rejects").contains(#""line":2,"#))
        #expect(try command.text("rejects").hasSuffix(#""code":"jws.bad-signature","path":""}"# + "\n"))
    }

    #if os(Linux)
    /// An environment in which the library path begins with a file that is not a library.
    static func withoutLibcrypto(_ command: Command) throws -> [String] {
        command.makeFolder("lib")
        for name in ["libcrypto.so.3", "libcrypto.so.4"] { try command.write("no library", to: "lib/" + name) }
        return ["LD_LIBRARY_PATH=lib"]
    }

    @Test("Without libcrypto nothing passes and the rest works") func nothingPasses() throws {
        let command = try command()
        let without = try Self.withoutLibcrypto(command)
        for root in ["apple", Self.root] {
            let run = try command.run(
                "convert", Self.notifications, "--verify", root, "-o", "out", environment: without)
            let message = "--verify \(root): no libcrypto.so.3 or libcrypto.so.4 to verify "
            #expect(run.code == 2 && run.errors.hasPrefix("notification-translator: " + message))
            #expect(!command.exists("out"))
        }
        let core = try command.run("convert", "-q", Self.notifications, environment: without)
        #expect(try core.code == 0 && core.output == command.run("convert", "-q", Self.notifications).output)
        let secrets = try command.run(
            "convert", "-q", Self.notifications, "--shared-secret-file", "secrets", environment: without)
        #expect(secrets.code == 1)
        #expect(secrets.output.contains("\"authenticity\":\"shared-secret\""))
    }

    /// The folder of libcrypto, if libm is there as well.
    private static let libraries: String? = {
        let folders = ["/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib"]
        let folder = folders.first { access($0 + "/libcrypto.so.3", R_OK) == 0 }
        return folder.flatMap { access($0 + "/libm.so.6", R_OK) == 0 ? $0 : nil }
    }()

    @Test(
        "A library of that name without the symbols is not used as libcrypto",
        .enabled(if: libraries != nil, "needs libcrypto.so.3 and libm.so.6 in one folder"))
    func aLibraryOfThatNameWithoutTheSymbolsIsNotUsed() throws {
        let folder = try #require(Self.libraries)
        let command = try command()
        let environment = try Self.withoutLibcrypto(command)
        unlink(command.path("lib/libcrypto.so.3"))
        symlink(folder + "/libm.so.6", command.path("lib/libcrypto.so.3"))
        let without = try command.run("pipe", "--verify", "apple", environment: environment)
        #expect(without.code == 2)
        #expect(without.errors.contains("no libcrypto.so.3 or libcrypto.so.4"))
        // The later name is tried when the earlier one will not do.
        unlink(command.path("lib/libcrypto.so.4"))
        symlink(folder + "/libcrypto.so.3", command.path("lib/libcrypto.so.4"))
        #expect(try command.run("pipe", "--verify", "apple", environment: environment).code == 0)
    }
    #endif
}
