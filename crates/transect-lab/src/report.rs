//! Figures and the report.
