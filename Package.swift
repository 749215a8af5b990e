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
            name: "NotificationMappings",
            path: "Mappings",
            exclude: [
                "README.md", "v1-to-v2.json", "v2-to-event.json", "fields.json", "flags.json", "silent-events.json",
                "event.json",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationLibC",
            swiftSettings: strict
        ),
        .target(
            name: "NotificationTranslation",
            dependencies: ["NotificationMappings", "NotificationLibC"],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationArchives",
            dependencies: ["NotificationTranslation", "NotificationLibC"],
            path: "Sources/ArchiveConversion",
            swiftSettings: strict
        ),
        .target(name: "CNotificationLibcrypto", path: "Sources/CLibcrypto"),
        .target(
            name: "PayloadVerification",
            dependencies: ["NotificationTranslation", "NotificationLibC", "CNotificationLibcrypto"],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationReports",
            dependencies: ["NotificationTranslation", "NotificationArchives"],
            path: "Sources/Reports",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "notification-translator",
            dependencies: [
                "NotificationMappings", "NotificationLibC", "NotificationTranslation", "NotificationArchives",
                "NotificationReports", "PayloadVerification",
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
            dependencies: [
                "NotificationMappings", "NotificationTranslation", "NotificationArchives", "SimulatedLives",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PayloadVerificationTests",
            dependencies: [
                "NotificationLibC", "NotificationTranslation", "NotificationArchives", "PayloadVerification",
                "SimulatedLives",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ArchiveConversionTests",
            dependencies: ["NotificationLibC", "NotificationArchives", "SimulatedLives"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationTranslatorCommandTests",
            dependencies: [
                "NotificationLibC", "NotificationTranslation", "NotificationArchives", "NotificationReports",
                "PayloadVerification", "notification-translator", "SimulatedLives",
            ],
            swiftSettings: strict
        ),
    ]
)
