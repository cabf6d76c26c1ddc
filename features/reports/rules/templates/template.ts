import type { ReportDocument } from '#features/reports/rules/document/document.ts';
import type { Chosen } from './chosen.ts';

/** A report without its cover, as a template makes it. */
export type ReportBody = Pick<ReportDocument, 'figures' | 'summary' | 'sections' | 'details'>;
export type Template<Read> = (read: Read, chosen: Chosen) => ReportBody;

/** Rows of the details that are read; the totals are of all. */
export const MAX_DETAILS = 10_000;

/** One group of the counted items. */
export interface CountedGroup {
  readonly label: string;
  readonly value: number;
}

/** Columns of a chart over time. */
export interface TimePoint {
  /** Begin, ms. */
  readonly at: number;
  readonly values: readonly number[];
}
