import NotificationArchives
import NotificationLibC
import NotificationTranslation
import PayloadVerification

/// The command `rehearse`.
enum RehearseCommand {
    /// Writes the bodies that version 2 would have sent, in the order of time.
    static func run(_ arguments: Arguments) throws -> Int32 {
        var request = try ConvertCommand.request(arguments)
        if request.inputs.isEmpty, request.filesFrom == nil { return try ConvertCommand.refuseNoInput(of: "rehearse") }
        let environment = arguments.value("--environment") ?? "LocalTesting"
        guard environment != "Sandbox" || arguments.has("--sign") else {
            throw arguments.refusal(
                "--environment Sandbox needs --sign FOLDER: Apple's libraries check signatures there.")
        }
        let chain = try arguments.value("--sign").map { folder in try openChain(in: folder, arguments) }
        var sign: Rehearsal.Signature?
        if let key = chain?.key { sign = { key.signature(of: $0) } }
        request.rehearsal = Rehearsal(
            environment: environment, bundleID: arguments.value("--expect-bundle-id"),
            expectedEnvironment: arguments.value("--expect-environment"),
            retries: arguments.number("--retries").map(UInt64.init), certificates: chain?.certificates ?? [],
            sign: sign)
        request.judgesAgreement = arguments.has("--strict")
        let code = try ConvertCommand.run(request, arguments)
        if let folder = arguments.value("--sign"), !arguments.has("--quiet") {
            sayRoots(printable(folder) + "/root.cer", arguments.value("--expect-bundle-id") ?? "…")
        }
        return code
    }

    /// Says how a root is given to the verifier of each of Apple's libraries, one a line.
    private static func sayRoots(_ path: String, _ app: String) {
        let libraries = [
            "Python: SignedDataVerifier([open('\(path)', 'rb').read()], False, Environment.SANDBOX, '\(app)')",
            "Node: new SignedDataVerifier([readFileSync('\(path)')], false, Environment.SANDBOX, '\(app)')",
            "Java: new SignedDataVerifier(Set.of(new FileInputStream(\"\(path)\")), \"\(app)\", null, "
                + "Environment.SANDBOX, false)",
            "Swift: SignedDataVerifier(rootCertificates: [Data(contentsOf: URL(filePath: \"\(path)\"))], "
                + "bundleId: \"\(app)\", appAppleId: nil, environment: .sandbox, enableOnlineChecks: false)",
        ]
        Program.say("the verifier under test takes \(path) as its only root, and checks nothing online:")
        for line in libraries { Program.say("    " + line, isFirst: false) }
    }

    // MARK: The folder of the chain

    /// The chain in a folder; made there if the folder is new or empty.
    private static func openChain(in folder: String, _ arguments: Arguments) throws -> RehearsalChain {
        // Only an empty folder can be removed.
        if rmdir(folder) == 0 || errno == ENOENT {
            let chain = try RehearsalChain()
            guard mkdir(folder, 0o700) == 0 else {
                throw ArchiveError(.outputUnwritable, "cannot create", path: folder, systemCode: errno)
            }
            for file in chain.files {
                try NewFile.write(file.bytes, to: folder + "/" + file.name, isPrivate: file.isPrivate)
            }
            return chain
        }
        let known = RehearsalChain.names.compactMap { name in
            try? SmallFile.bytes(folder + "/" + name, for: "--sign", arguments)
        }
        guard let chain = RehearsalChain(files: known) else {
            throw arguments.refusal(
                "--sign \(printable(folder)): the folder holds something else than a chain that this program made; name "
                    + "a new folder.")
        }
        return chain
    }
}
