import NotificationTranslation

/// The tables that `state` and `transactions` write.
extension Schema {
    static let state = Schema(
        name: "state", table: "subscription_states",
        title: "How a subscription, or a purchase made once, stood at an instant.",
        columns: SubscriptionState.columns.map { ($0.name, $0.kind) },
        required: ["schema_version", "original_transaction_id", "at", "valid_from", "certainty", "flags"],
        indexes: """
            create unique index if not exists subscription_states_id
                on subscription_states (original_transaction_id, coalesce(environment, ''), coalesce(bundle_id, ''));
            create index if not exists subscription_states_account on subscription_states (app_account_token)
                where app_account_token is not null;
            """,
        views: """

            -- Who has access now, the sandbox apart.
            create or replace view access_today as
            select original_transaction_id, app_account_token, product_id, access_until, certainty
            from subscription_states
            where entitled and (access_until is null or access_until > now()) and environment is distinct from 'Sandbox';

            """)

    static let history = Schema(
        name: "history", table: "subscription_history",
        title: "How a subscription, or a purchase made once, stood during a stretch of time.",
        columns: SubscriptionState.columns.map { ($0.name, $0.kind) },
        required: ["schema_version", "original_transaction_id", "valid_from", "certainty", "flags"],
        indexes: """
            create unique index if not exists subscription_history_id on subscription_history
                (original_transaction_id, valid_from, coalesce(environment, ''), coalesce(bundle_id, ''));
            create index if not exists subscription_history_time on subscription_history (valid_from, valid_to);
            """)

    static let transactions = Schema(
        name: "transactions", table: "subscription_transactions",
        title: "A transaction: what was bought, renewed, refunded or replaced.",
        columns: SubscriptionTransaction.columns.map { ($0.name, $0.kind) },
        required: ["schema_version", "original_transaction_id", "basis", "reported_by", "certainty", "flags"],
        indexes: """
            create unique index if not exists subscription_transactions_id on subscription_transactions
                (transaction_id, coalesce(environment, ''), coalesce(bundle_id, '')) where transaction_id is not null;
            create index if not exists subscription_transactions_subscription
                on subscription_transactions (original_transaction_id, purchased_at);
            create index if not exists subscription_transactions_time on subscription_transactions (purchased_at);
            """)

    /// A table whose columns may be null but for the `required` ones.
    private init(
        name: String, table: String, title: String, columns: [(name: String, kind: ColumnKind)],
        required: Set<String>, indexes: String, views: String = ""
    ) {
        let fields = columns.map { name, kind in
            let type: ValueType =
                switch kind {
                case .text: .text
                case .time: .time
                case .number: .number
                case .truth: .truth
                case .list: .list(.text)
                }
            return Field(name, type, nullable: !required.contains(name), "")
        }
        self.init(
            title: title, table: table, key: "original_transaction_id", fields: fields, rows: (name, indexes, views))
    }

    /// The table in PostgreSQL, with indexes, a load of the CSV that can be repeated, and views.
    func postgres(of rows: (name: String, indexes: String, views: String)) -> String {
        let width = fields.map(\.key.count).max() ?? 0
        let definitions = fields.map { field in
            let isList = if case .list = field.type { true } else { false }
            return "    " + HelpText.padded(field.key, to: width) + " "
                + (isList ? "text" : Self.postgres(field.type)) + (field.isNullable || isList ? "" : " not null")
        }
        return """
            create table if not exists \(table) (
            \(definitions.joined(separator: ",\n"))
            );
            \(rows.indexes)

            -- The file holds everything, so that loading it again changes nothing; lists are texts with blanks. Without the
            -- first line a file that cannot be opened would leave the table empty.
            \\set ON_ERROR_STOP on
            begin;
            truncate \(table);
            \\copy \(table) from '\(rows.name).csv' csv header
            commit;
            analyze \(table);
            \(rows.views)
            """
    }
}
