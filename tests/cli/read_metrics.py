# SPDX-License-Identifier: Apache-2.0
"""Reads a file of metrics with Prometheus' own parser and prints `name{labels} value` of each: read_metrics.py FILE."""
import sys

try:
    from prometheus_client.parser import text_string_to_metric_families
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(77)

with open(sys.argv[1], encoding="utf-8") as file:
    families = list(text_string_to_metric_families(file.read()))
for family in families:
    assert family.documentation, family.name
    assert family.type == "gauge", family.name
    for sample in family.samples:
        print(sample.name, sorted(sample.labels.items()), float(sample.value))
