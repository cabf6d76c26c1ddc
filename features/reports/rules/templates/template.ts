import type { ReportDocument } from '#features/reports/rules/document/document.ts';
import type { Chosen } from './chosen.ts';

/** A report without its cover. */
export type ReportBody = Pick<ReportDocument, 'figures' | 'summary' | 'sections' | 'details'>;
export type Template<Read> = (read: Read, chosen: Chosen) => ReportBody;

/** Maximum number of rows in the details; totals include the rest. */
export const MAX_DETAILS = 10_000;

/** One group of the counted items. */
export interface CountedGroup {
  readonly label: string;
  readonly value: number;
}

/** Columns of a chart over time. */
export interface TimePoint {
  /** Start, ms. */
  readonly at: number;
  readonly values: readonly number[];
}
