# SPDX-License-Identifier: Apache-2.0
"""What report.py is made of: machine, measure, kept, judge, pages, in the order in which they are used."""
