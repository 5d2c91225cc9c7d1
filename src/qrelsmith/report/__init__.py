"""The audit rendered as a page, with its tables and figures as files."""

from qrelsmith.report.files import check_dependencies, check_folder, write_report

__all__ = ["check_dependencies", "check_folder", "write_report"]
