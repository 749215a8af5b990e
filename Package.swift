// swift-tools-version: 6.2.3
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "notification-translator",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "NotificationTranslation", targets: ["NotificationTranslation"]),
        .library(name: "PayloadVerification", targets: ["PayloadVerification"]),
        .executable(name: "notification-translator", targets: ["notification-translator"]),
    ],
    dependencies: [],
    targets: [
        .target(
            name: "Mappings",
            path: "Mappings",
            exclude: [
                "README.md", "v1-to-v2.json", "v2-to-event.json", "fields.json", "flags.json", "silent-events.json",
                "event.json",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "SystemLibC",
            swiftSettings: strict
        ),
        .target(
            name: "NotificationTranslation",
            dependencies: ["Mappings", "SystemLibC"],
            swiftSettings: strict
        ),
        .target(
            name: "ArchiveConversion",
            dependencies: ["NotificationTranslation", "SystemLibC"],
            swiftSettings: strict
        ),
        .target(name: "CLibcrypto"),
        .target(
            name: "PayloadVerification",
            dependencies: ["NotificationTranslation", "SystemLibC", "CLibcrypto"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "notification-translator",
            dependencies: [
                "Mappings", "SystemLibC", "NotificationTranslation", "ArchiveConversion", "PayloadVerification",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "SimulatedLives",
            path: "Tests/SimulatedLives",
            swiftSettings: strict
        ),
        .testTarget(
            name: "SimulatedLivesTests",
            dependencies: ["SimulatedLives"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationTranslationTests",
            dependencies: ["Mappings", "NotificationTranslation", "SimulatedLives"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PayloadVerificationTests",
            dependencies: ["SystemLibC", "NotificationTranslation", "PayloadVerification"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ArchiveConversionTests",
            dependencies: ["SystemLibC", "ArchiveConversion", "SimulatedLives"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationTranslatorCommandTests",
            dependencies: [
                "SystemLibC", "NotificationTranslation", "PayloadVerification", "notification-translator",
                "SimulatedLives",
            ],
            swiftSettings: strict
        ),
    ]
)
