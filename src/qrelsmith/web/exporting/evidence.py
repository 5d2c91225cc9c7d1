"""Passages of current labels, and verdicts of the desk, as tables beside the judgments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.db.models import Q

from qrelsmith.base.tables import Table
from qrelsmith.io.table_files import write_table
from qrelsmith.web.models import AssignedDoc, DeskEvent, Hit
from qrelsmith.web.scale import scale_versions
