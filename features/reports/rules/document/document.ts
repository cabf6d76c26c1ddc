/** A report, independent of its format. Times and durations are ms, shares 0 to 1. */

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
  /** Number of existing rows, of which `rows` may be the first. */
  readonly total: number;
  /** Shown instead of an empty table. */
  readonly empty: string;
}

/** A number shown large at the top. */
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
  /** Name of the user or token that requested it. */
  readonly by: string;
  /** IANA name of the time zone of all times. */
  readonly zone: string;
}

export interface ReportDocument {
  readonly template: string;
  readonly title: string;
  readonly cover: Cover;
  /** Up to five. */
  readonly figures: readonly Figure[];
  /** Sentences with the key numbers. */
  readonly summary: readonly string[];
  readonly sections: readonly ReportSection[];
  /** Last part of the report, and the only part of a CSV file. */
  readonly details: Table;
}

export const DOCUMENT_FORMATS = ['pdf', 'csv', 'json', 'html', 'md'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** Maximum number of rows in all tables together; only the CSV file has all rows. */
export const MAX_SHOWN_ROWS: Readonly<Record<'pdf' | 'html' | 'md', number>> = { pdf: 2_000, html: 5_000, md: 2_000 };
/** Maximum size of a file. */
export const MAX_FILE_BYTES = 16 * 1_024 * 1_024;
