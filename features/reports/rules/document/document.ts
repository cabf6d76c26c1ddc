/** A report before it has a format. Times and durations are ms, shares 0 to 1. */

import type { Chart } from '#features/reports/rules/charts/chart.ts';
import type { Cell, ValueKind } from '#features/reports/rules/values/value.ts';

export interface ReportColumn {
  /** Name in CSV and JSON. */
  readonly key: string;
  readonly label: string;
  readonly kind: ValueKind;
  /** Share of the width relative to the other columns; 1 by default. */
  readonly width?: number;
  /** True for columns of CSV and JSON only. */
  readonly isForPrograms?: true;
}

export interface Table {
  readonly title: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** Rows that there are; more than `rows` when not all were read. */
  readonly total: number;
  /** Shown instead of rows without data. */
  readonly empty: string;
}

/** A number that stands large at the beginning. */
export interface Figure {
  readonly label: string;
  readonly value: Cell;
  readonly kind: ValueKind;
}

export interface ReportSection {
  readonly heading: string;
  readonly text: readonly string[];
  readonly charts: readonly Chart[];
  readonly tables: readonly Table[];
}

export interface Cover {
  readonly tenant: string;
  /** The request in words: `CIs of type server`. */
  readonly scope: readonly string[];
  readonly range: { readonly from: number; readonly to: number } | null;
  readonly madeAt: number;
  /** Name of the person or token that asked for it. */
  readonly by: string;
  /** IANA name: times are those of clocks there. */
  readonly zone: string;
}

export interface ReportDocument {
  readonly template: string;
  readonly title: string;
  readonly cover: Cover;
  /** Figures, up to five. */
  readonly figures: readonly Figure[];
  /** Sentences with the numbers that matter. */
  readonly summary: readonly string[];
  readonly sections: readonly ReportSection[];
  /** The last part of the report, and all that a CSV file has. */
  readonly details: Table;
}

export const DOCUMENT_FORMATS = ['pdf', 'csv', 'json', 'html', 'md'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** Rows of all tables that a person gets to see; the rest are in the CSV file. */
export const MAX_SHOWN_ROWS: Readonly<Record<'pdf' | 'html' | 'md', number>> = { pdf: 2_000, html: 5_000, md: 2_000 };
/** Size limit of a file. */
export const MAX_FILE_BYTES = 16 * 1_024 * 1_024;
