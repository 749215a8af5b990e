import NotificationTranslation

/// How a report's page looks; part of the page, allowed by its hash alone.
enum ReportStyle {
    /// Nothing may be loaded, run or sent, and no other style may be used.
    static var policy: String {
        "default-src 'none'; style-src 'sha256-\(StrictBase64.encoded(standard: SHA256.digest(rules.utf8)))'; base-uri 'none'; "
            + "form-action 'none'"
    }

    /// The rules: they hold nothing that HTML would read otherwise, and colours have a contrast of 4.5 to 1 or more with
    /// what they are on, in both themes.
    static let rules = """
        :root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--ink:#1b2027;--soft:#525c69;--line:#d5dae1;
        --accent:#0a58ca;--bar:#3568c9;--bad:#b3261e}
        @media (prefers-color-scheme:dark){:root{--page:#101418;--card:#181e24;--ink:#e7ebef;--soft:#a7b1bc;--line:#323b45;
        --accent:#8ab8ff;--bar:#84aeff;--bad:#ff8a80}}
        *{box-sizing:border-box}
        html{font-size:clamp(1rem,.92rem + .28vw,1.7rem);-webkit-text-size-adjust:100%}
        body{margin:0;background:var(--page);color:var(--ink);font-family:system-ui,-apple-system,"Segoe UI",Roboto,
        "Helvetica Neue",Arial,sans-serif;line-height:1.5}
        main{max-width:72rem;margin:0 auto;padding:clamp(1rem,3vw,2.5rem) clamp(.75rem,3vw,2rem) 3rem}
        h1{font-size:clamp(1.5rem,1.1rem + 1.9vw,2.5rem);line-height:1.15;letter-spacing:-.015em;margin:.25rem 0 .75rem;
        max-width:24em;text-wrap:balance}
        h2{font-size:1.25rem;line-height:1.25;margin:0 0 .5rem;letter-spacing:-.01em}
        p{margin:.4rem 0 .8rem;max-width:46em}
        a{color:var(--accent)}
        code,kbd,pre,.mono{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em}
        code{overflow-wrap:anywhere}th code,td code{overflow-wrap:break-word}
        :focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
        .eyebrow{color:var(--soft);font-size:.85rem;margin:0;letter-spacing:.02em}
        .lead{font-size:1.05rem;color:var(--soft)}
        .soft{color:var(--soft)}
        nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;padding:0;margin:1rem 0 1.25rem;font-size:.9rem}
        nav a{display:inline-block;padding:.2rem 0}
        section{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:clamp(1rem,2.5vw,1.75rem);
        margin:0 0 1.1rem}
        .scroll{overflow:auto;max-height:32rem;margin:.6rem 0 1rem;border-radius:.3rem}
        table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
        caption{text-align:left;color:var(--soft);font-size:.85rem;padding:0 0 .35rem}
        th,td{text-align:left;vertical-align:top;padding:.34rem .75rem .34rem 0;border-bottom:1px solid var(--line)}
        thead th{font-weight:600;color:var(--soft);font-size:.82rem;position:sticky;top:0;background:var(--card);
        white-space:nowrap}
        tbody th{font-weight:400}
        .n{text-align:right;white-space:nowrap}
        th.n:last-child,td.n:last-child{padding-right:.25rem}
        .name{overflow-wrap:anywhere;min-width:8rem}tbody th.month{white-space:nowrap}
        .wide{min-width:38rem}
        meter{display:block;width:100%;min-width:4rem;height:.5rem;margin-top:.2rem}meter::-webkit-meter-optimum-value,
        meter::-moz-meter-bar{background:var(--bar)}
        .places{list-style:none;display:flex;flex-wrap:wrap;gap:.15rem .9rem;padding:0;margin:.3rem 0 .2rem}
        .bad{color:var(--bad)}
        pre{background:var(--page);border:1px solid var(--line);border-radius:.5rem;padding:.8rem 1rem;overflow-x:auto;
        white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0}
        footer{color:var(--soft);font-size:.85rem}
        .skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem}
        @media (max-width:34rem){th,td{padding-right:.4rem}
        .name{min-width:5rem}table{font-size:.84rem}thead th{white-space:normal;font-size:.72rem}
        th:last-child,td:last-child{padding-right:0}}
        @media print{:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--accent:#000;
        --bar:#3568c9;--bad:#b3261e}
        html{font-size:10pt}main{max-width:none;padding:0}nav,.skip{display:none}
        section{border:0;border-top:1px solid var(--line);border-radius:0;padding:.8rem 0;margin:0}
        .scroll{max-height:none;overflow:visible}
        tr{break-inside:avoid}thead th{position:static;white-space:normal;
        overflow-wrap:anywhere}.wide,.name{min-width:0}h2{break-after:avoid}
        meter{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
        """
}
