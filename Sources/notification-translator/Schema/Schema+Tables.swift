import NotificationTranslation

/// The tables that `state` and `transactions` write.
enum TableShape: String, CaseIterable {
    case state, history, transactions

    /// What PostgreSQL calls it.
    var table: String {
        switch self {
        case .state: "subscription_states"
        case .history: "subscription_history"
        case .transactions: "subscription_transactions"
        }
    }

    fileprivate var title: String {
        switch self {
        case .state: "How a subscription, or a purchase made once, stood at an instant."
        case .history: "How a subscription, or a purchase made once, stood during a stretch of time."
        case .transactions: "A transaction: what was bought, renewed, refunded or replaced."
        }
    }

    fileprivate var columns: [(name: String, kind: ColumnKind)] {
        switch self {
        case .state, .history: SubscriptionState.columns.map { ($0.name, $0.kind) }
        case .transactions: SubscriptionTransaction.columns.map { ($0.name, $0.kind) }
        }
    }

    /// The columns that are never null.
    private var required: Set<String> {
        switch self {
        case .state: ["schema_version", "original_transaction_id", "at", "valid_from", "certainty", "flags"]
        case .history: ["schema_version", "original_transaction_id", "valid_from", "certainty", "flags"]
        case .transactions: ["schema_version", "original_transaction_id", "basis", "reported_by", "certainty", "flags"]
        }
    }

    fileprivate var fields: [Schema.Field] {
        columns.map { name, kind in
            let type: Schema.ValueType =
                switch kind {
                case .text: .text
                case .time: .time
                case .number: .number
                case .truth: .truth
                case .list: .list(.text)
                }
            return Schema.Field(name, type, nullable: !required.contains(name), "")
        }
    }

    /// The table in PostgreSQL, with indexes, a load of the CSV that can be repeated, and views.
    var postgres: String {
        let width = columns.map(\.name.count).max() ?? 0
        let definitions = columns.map { name, kind in
            let type =
                switch kind {
                case .text, .list: "text"
                case .time: "timestamptz"
                case .number: "bigint"
                case .truth: "boolean"
                }
            return "    \(name)\(String(repeating: " ", count: width - name.count)) \(type)"
                + (required.contains(name) && kind != .list ? " not null" : "")
        }
        return """
            create table if not exists \(table) (
            \(definitions.joined(separator: ",\n"))
            );
            \(indexes)

            -- The file holds everything, so that loading it again changes nothing; lists are texts with blanks. Without the
            -- first line a file that cannot be opened would leave the table empty.
            \\set ON_ERROR_STOP on
            begin;
            truncate \(table);
            \\copy \(table) from '\(rawValue).csv' csv header
            commit;
            analyze \(table);
            \(views)
            """
    }

    private var indexes: String {
        switch self {
        case .state:
            """
            create unique index if not exists subscription_states_id
                on subscription_states (original_transaction_id, coalesce(environment, ''), coalesce(bundle_id, ''));
            create index if not exists subscription_states_account on subscription_states (app_account_token)
                where app_account_token is not null;
            """
        case .history:
            """
            create unique index if not exists subscription_history_id on subscription_history
                (original_transaction_id, valid_from, coalesce(environment, ''), coalesce(bundle_id, ''));
            create index if not exists subscription_history_time on subscription_history (valid_from, valid_to);
            """
        case .transactions:
            """
            create unique index if not exists subscription_transactions_id on subscription_transactions
                (transaction_id, coalesce(environment, ''), coalesce(bundle_id, '')) where transaction_id is not null;
            create index if not exists subscription_transactions_subscription
                on subscription_transactions (original_transaction_id, purchased_at);
            create index if not exists subscription_transactions_time on subscription_transactions (purchased_at);
            """
        }
    }

    private var views: String {
        guard self == .state else { return "" }
        return """

            -- Who has access now, the sandbox apart.
            create or replace view access_today as
            select original_transaction_id, app_account_token, product_id, access_until, certainty
            from subscription_states
            where entitled and (access_until is null or access_until > now()) and environment is distinct from 'Sandbox';

            """
    }
}

extension Schema {
    init(_ table: TableShape) {
        self.init(title: table.title, table: table.table, key: "original_transaction_id", fields: table.fields)
    }
}
