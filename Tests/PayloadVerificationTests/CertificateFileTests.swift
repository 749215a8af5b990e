import NotificationTranslation
import PayloadVerification
import Testing

@Suite("A file of certificates") struct CertificateFileTests {
    private static func pem(_ der: [UInt8], lineEnd: String = "\n") -> String {
        var rest = Token.base64(der)[...]
        var lines = ["-----BEGIN CERTIFICATE-----"]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        return (lines + ["-----END CERTIFICATE-----", ""]).joined(separator: lineEnd)
    }

    @Test("A file of certificates is read in DER, and in PEM with either end of a line", arguments: ["\n", "\r\n"])
    func readsBothForms(_ lineEnd: String) throws {
        #expect(try CertificateFile.certificates(in: AppleRoot.g3) == [AppleRoot.g3])
        let chain = try Forged.chain
        let text =
            "# ours" + lineEnd + Self.pem(AppleRoot.g3, lineEnd: lineEnd) + lineEnd + "and" + lineEnd
            + Self.pem(chain.root, lineEnd: lineEnd)
        #expect(try CertificateFile.certificates(in: Array(text.utf8)) == [AppleRoot.g3, chain.root])
    }

    @Test("A file of anything but certificates is refused") func refusesEverythingElse() throws {
        #expect(throws: AuthenticityError(.noRoots)) { try CertificateFile.certificates(in: []) }
        let good = Self.pem(AppleRoot.g3)
        let bad = [
            "abc", "{\"x5c\":[]}", String(good.dropLast(30)), good.replacing("M", with: "!"),
            good.replacing("-----END", with: "-----BEGIN"), Self.pem([0x30, 0x00]),
        ]
        for text in bad {
            #expect(throws: AuthenticityError(.badRoot)) { try CertificateFile.certificates(in: Array(text.utf8)) }
        }
        #expect(throws: AuthenticityError(.badRoot)) { try CertificateFile.certificates(in: AppleRoot.g3 + [0]) }
    }
}
