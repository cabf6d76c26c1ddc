import type { Actor } from '#domain/event/event.ts';
import type { DocumentFormat } from '#features/reports/rules/document/document.ts';
import type { TemplateId } from '#features/reports/rules/templates/catalogue.ts';
import type { Chosen } from '#features/reports/rules/templates/chosen.ts';

const DAY_MS = 86_400_000;
/** Retention of a report after the request, and of its file after completion. */
const REPORT_KEPT_MS = 7 * DAY_MS;
/** Maximum number of unfinished reports per tenant. */
export const MAX_WAITING = 100;

export const REPORT_KINDS = {
  report: 'report',
  /** Parts of files, by report, attempt and number. */
  chunk: 'report-chunk',
} as const;

export const DELIVERY_METHODS = ['download', 'email', 'webhook'] as const;
type DeliveryMethod = (typeof DELIVERY_METHODS)[number];
/**
 * `not_configured`: no mail server exists. `sent`: mailed to all recipients; `not_sent`: the server refused one. `queued`: webhooks are notified. `no_subscriber`: no active webhook includes
 * report.completed.
 */
export const DELIVERY_OUTCOMES = [
  'pending',
  'ready',
  'queued',
  'no_subscriber',
  'sent',
  'not_sent',
  'not_configured',
] as const;
type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export const REPORT_STATUSES = ['generating', 'completed', 'failed'] as const;
export const REPORT_STEPS = ['waiting', 'reading', 'writing'] as const;
type ReportStep = (typeof REPORT_STEPS)[number];

export interface ReportDelivery {
  readonly method: DeliveryMethod;
  readonly recipients: readonly string[];
}

/** Location of the parts of a file. */
export interface ReportFile {
  /** Attempt that wrote it. */
  readonly turn: number;
  readonly chunks: number;
  readonly bytes: number;
}

/** Record of kind `report`, in its tenant. Times are ms. */
export interface Report {
  /** ULID. */
  readonly id: string;
  readonly template: TemplateId;
  /** Parameters of the request. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly chosen: Chosen;
  readonly format: DocumentFormat;
  readonly delivery: ReportDelivery & { readonly outcome: DeliveryOutcome };
  readonly shared: boolean;
  readonly category: string;
  readonly by: Actor;
  readonly requestedAt: number;
  readonly status: (typeof REPORT_STATUSES)[number];
  /** Null when completed or failed. */
  readonly step: ReportStep | null;
  readonly completedAt: number | null;
  readonly error: string | null;
  readonly file: ReportFile | null;
}

/** Deletion time, ms. */
export const goneAt = ({ requestedAt, completedAt }: Pick<Report, 'requestedAt' | 'completedAt'>): number =>
  (completedAt ?? requestedAt) + REPORT_KEPT_MS;

export const fileNameOf = ({ template, id, format }: Pick<Report, 'template' | 'id' | 'format'>): string =>
  `${template}-${id.toLowerCase()}.${format}`;
