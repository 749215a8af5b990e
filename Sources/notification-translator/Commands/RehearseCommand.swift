import NotificationArchives
import NotificationLibC
import NotificationTranslation
import PayloadVerification

enum RehearseCommand {
    /// Writes the bodies that version 2 would have sent, in the order of time.
    static func run(_ arguments: Arguments) throws -> Int32 {
        var asked = arguments
        asked.request.records.shape.kind = .v2
        asked.timeline.inference = arguments.rehearsedInference
        // A rehearsal leaves others out and refuses none.
        (asked.bundleID, asked.environment) = (nil, nil)
        guard var request = try ConvertCommand.request(asked) else { return Program.ExitCode.failure }
        let chain = try arguments.chainFolder.map { folder in try openChain(in: folder, arguments) }
        var sign: Rehearsal.Signature?
        if let key = chain?.key { sign = { key.signature(of: $0) } }
        request.rehearsal = Rehearsal(
            environment: arguments.rehearsedEnvironment ?? "LocalTesting", bundleID: arguments.bundleID,
            expectedEnvironment: arguments.environment, retries: arguments.retries,
            certificates: chain?.certificates ?? [], sign: sign)
        request.timeline?.judgesAgreement = arguments.isStrict
        let code = try ConvertCommand.run(request, arguments)
        if let folder = arguments.chainFolder, !arguments.isQuiet {
            sayRoots(printable(folder) + "/root.cer", arguments.bundleID ?? "…")
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

    /// The chain in a folder; made there if the folder is new or empty.
    private static func openChain(in folder: String, _ arguments: Arguments) throws -> RehearsalChain {
        // Only an empty folder can be removed.
        if rmdir(folder) == 0 || errno == ENOENT {
            let chain = try RehearsalChain()
            guard mkdir(folder, 0o700) == 0 else {
                throw ArchiveError(.outputUnwritable, "cannot create", path: folder, systemCode: errno)
            }
            for file in chain.files {
                try writeNewFile(file.bytes, to: folder + "/" + file.name, isPrivate: file.isPrivate)
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
