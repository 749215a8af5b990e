#!/usr/bin/env python3
"""Compare the speed of `convert` with other programs, on an archive made for it.

    swift build -c release --product notification-translator
    python3 Tests/benchmark.py [--megabytes 100] [--rounds 5] [--profile typical|small|heavy] [--seed 1]

The archive holds invented version 1 bodies. Everyone takes turns in each round; the ratios are those of processor time
(user + system) within a round, and the middle one of all rounds counts, so that a machine that is slow for a while is
slow for everyone. Compare ratios of one run, never seconds of two. Peers that are not installed are left out.
"""

import argparse
import base64
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.join(os.path.dirname(__file__), "..", ".build", "release", "notification-translator")
DAY = 86_400_000
# Type and weight, about as often as an app receives them.
TYPES = {
    "DID_RENEW": 46, "DID_CHANGE_RENEWAL_STATUS": 20, "INITIAL_BUY": 9, "DID_FAIL_TO_RENEW": 8, "INTERACTIVE_RENEWAL": 5,
    "DID_RECOVER": 4, "CANCEL": 2, "REFUND": 2, "DID_CHANGE_RENEWAL_PREF": 2, "PRICE_INCREASE_CONSENT": 1,
}
# Transactions of a body, and bytes of its receipt.
SIZES = {"typical": ((1, 40), (5_000, 60_000)), "small": ((1, 3), (2_000, 6_000)), "heavy": ((100, 100), (80_000, 80_000))}


def dates(name, milliseconds):
    """The three spellings in which version 1 gives a date."""
    text = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(milliseconds // 1000))
    return {name: text + " Etc/GMT", name + "_ms": str(milliseconds), name + "_pst": text + " America/Los_Angeles"}


def body(chance, profile):
    """One version 1 body."""
    (fewest, most), (shortest, longest) = SIZES[profile]
    kind = chance.choices(list(TYPES), TYPES.values())[0]
    app, product = "com.example.news", "com.example.news.monthly"
    original = str(chance.randrange(10**14, 10**15))
    newest = 1_590_000_000_000 + chance.randrange(10**8) * 1000
    count = chance.randint(fewest, most)
    ended = kind in ("CANCEL", "REFUND")
    rows = []
    for index in range(count):
        bought = newest - index * 30 * DAY
        row = {
            "quantity": "1", "product_id": product, "transaction_id": str(chance.randrange(10**14, 10**15)),
            "original_transaction_id": original, **dates("purchase_date", bought),
            **dates("original_purchase_date", newest - (count - 1) * 30 * DAY), **dates("expires_date", bought + 30 * DAY),
            "web_order_line_item_id": str(chance.randrange(10**14, 10**15)), "is_trial_period": "false",
            "is_in_intro_offer_period": "false", "in_app_ownership_type": "PURCHASED",
            "subscription_group_identifier": "20000001",
        }
        if ended and index == 0:
            row |= {**dates("cancellation_date", bought + 10 * DAY), "cancellation_reason": "0"}
        rows.append(row)
    renewing = "0" if ended else "1"
    pending = {
        "auto_renew_product_id": product, "original_transaction_id": original, "product_id": product,
        "auto_renew_status": renewing,
    }
    if kind == "DID_FAIL_TO_RENEW":
        pending |= {"is_in_billing_retry_period": "1", "expiration_intent": "2"}
    receipt = "MII" + base64.b64encode(chance.randbytes(chance.randint(shortest, longest) * 3 // 4)).decode()
    value = {
        "notification_type": kind, "environment": "PROD", "password": "0123456789abcdef0123456789abcdef", "bid": app,
        "bvrs": "12", "auto_renew_product_id": product, "auto_renew_status": "true" if renewing == "1" else "false",
        "unified_receipt": {
            "status": 0, "environment": "Production", "latest_receipt": receipt, "latest_receipt_info": rows,
            "pending_renewal_info": [pending],
        },
    }
    if kind == "DID_CHANGE_RENEWAL_STATUS":
        value |= dates("auto_renew_status_change_date", newest + DAY)
    return json.dumps(value, separators=(",", ":")) + "\n"


def write_archive(path, profile, size, seed):
    chance, written = random.Random(f"{profile} {seed}"), 0
    with open(path, "w") as file:
        while written < size:
            written += file.write(body(chance, profile))


# Does with orjson a part of the work: reads every line and writes twenty fields of an event.
ORJSON = """
import orjson, sys
with open(sys.argv[1], "rb") as archive:
    for line in archive:
        value = orjson.loads(line)
        receipt = value["unified_receipt"]
        row = max(receipt["latest_receipt_info"], key=lambda row: int(row["purchase_date_ms"]))
        pending = receipt["pending_renewal_info"][0]
        event = {key: value.get(key) for key in ("notification_type", "environment", "bid", "bvrs", "auto_renew_status")}
        event |= {key: row.get(key) for key in (
            "original_transaction_id", "transaction_id", "web_order_line_item_id", "product_id", "purchase_date_ms",
            "original_purchase_date_ms", "expires_date_ms", "cancellation_date_ms", "is_trial_period", "quantity",
            "in_app_ownership_type", "subscription_group_identifier")}
        event |= {key: pending.get(key) for key in (
            "auto_renew_product_id", "is_in_billing_retry_period", "expiration_intent")}
        sys.stdout.buffer.write(orjson.dumps(event) + b"\\n")
"""
JQ = "{notification_type, environment, bid, row: (.unified_receipt.latest_receipt_info | max_by(.purchase_date_ms))}"


def contenders(archive, temporary):
    ours = [PROGRAM, "convert", "-q", "--temp-dir", temporary]
    everyone = {
        "convert --context record -j 1": ours + ["--context", "record", "-j", "1", archive],
        "convert -j 1": ours + ["-j", "1", archive],
        "convert": ours + [archive],
        "wc -l": ["wc", "-l", archive],
    }
    if subprocess.run([sys.executable, "-c", "import orjson"], stderr=subprocess.DEVNULL).returncode == 0:
        everyone["Python with orjson"] = [sys.executable, "-c", ORJSON, archive]
    if shutil.which("jq"):
        everyone["jq"] = ["jq", "-c", JQ, archive]
    return everyone


def measure(command):
    """Seconds of processor time and seconds on the clock of one run."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"failed with status {status}: {' '.join(command)[:200]}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--profile", choices=SIZES, default="typical")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not os.access(PROGRAM, os.X_OK):
        sys.exit("no release build; run: swift build -c release --product notification-translator")
    with tempfile.TemporaryDirectory() as temporary:
        archive = os.path.join(temporary, "archive.ndjson")
        write_archive(archive, options.profile, options.megabytes * 1_000_000, options.seed)
        megabytes = os.path.getsize(archive) / 1e6
        everyone = contenders(archive, temporary)
        runs = {name: [] for name in everyone}
        for number in range(options.rounds):
            print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
            for name, command in everyone.items():
                runs[name].append(measure(command))
    first = next(iter(runs.values()))
    print(f"{megabytes:.0f} MB, {options.profile}, {options.rounds} rounds; ratios against the first line\n")
    print("| | MB/s of CPU time | CPU time | on the clock |\n|---|---|---|---|")
    for name, own in runs.items():
        speed = statistics.median(megabytes / cpu for cpu, _ in own)
        cpu, clock = (statistics.median(a[i] / b[i] for a, b in zip(own, first)) for i in (0, 1))
        print(f"| {name} | {speed:.0f} | {cpu:.2f} × | {clock:.2f} × |")


if __name__ == "__main__":
    main()
