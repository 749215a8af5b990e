import Synchronization

/// Workspaces that wait to be used again, so that a value that many tasks share need not make one for each body.
final class WorkspacePool: Sendable {
    private struct Idle: @unchecked Sendable {
        var workspaces: [Workspace] = []
    }

    private static let most = 64
    private let idle = Mutex(Idle())
    private let policy: TrustPolicy
    private let longest: Int

    /// Workspaces for bodies of at most `longest` bytes.
    init(
        _ policy: TrustPolicy,
        longest: Int = BodyReader.usualLongest
    ) {
        self.longest = longest
        self.policy = policy
    }

    /// Calls `body` with a workspace that no one else uses meanwhile.
    ///
    /// One that a large body has made grow is not kept: a few of them would hold more memory than all others together.
    func with<Result, Failure: Error>(
        _ body: (Workspace) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let taken = idle.withLock { idle in idle.workspaces.popLast().map(Carrier.init) }
        let workspace = taken?.workspace ?? Workspace(policy, longest: longest)
        defer {
            if !workspace.reader.isLarge {
                let carrier = Carrier(workspace: workspace)
                idle.withLock { idle in
                    if idle.workspaces.count < Self.most { idle.workspaces.append(carrier.workspace) }
                }
            }
        }
        return try body(workspace)
    }

    /// Takes a workspace across the lock; whoever holds it is its only owner.
    private struct Carrier: @unchecked Sendable {
        let workspace: Workspace
    }
}
