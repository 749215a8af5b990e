/// Words of Apple's V2 payloads that code writes or compares, each in this one place.
extension EventText {
    /// The environment of the App Store.
    static var production: EventText { EventText("Production") }
    /// The environment of tests.
    static var sandbox: EventText { EventText("Sandbox") }
    /// The type of a product that renews until it is cancelled.
    static var autoRenewable: EventText { EventText("Auto-Renewable Subscription") }
    /// The discount of an introductory offer that costs nothing.
    static var freeTrial: EventText { EventText("FREE_TRIAL") }
}
