# SPDX-License-Identifier: Apache-2.0
"""The compiled part. The folder above this one holds the program and its libraries."""
