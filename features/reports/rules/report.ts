import type { Actor } from '#domain/event/event.ts';
import type { DocumentFormat } from '#features/reports/rules/document/document.ts';
import type { TemplateId } from '#features/reports/rules/templates/catalogue.ts';
import type { Chosen } from '#features/reports/rules/templates/chosen.ts';

const DAY_MS = 86_400_000;
/** Retention of a report after the request, and of its file after completion. */
const REPORT_KEPT_MS = 7 * DAY_MS;
/** Reports of a tenant that are not made yet. */
export const MAX_WAITING = 100;

/** Kinds of the record store. */
export const REPORT_KINDS = {
  report: 'report',
  /** Pieces of files, by report, try and number. */
  chunk: 'report-chunk',
} as const;

export const DELIVERY_METHODS = ['download', 'email', 'webhook'] as const;
type DeliveryMethod = (typeof DELIVERY_METHODS)[number];
/** `not_configured`: there is no mail server. `queued`: webhooks are notified. `no_subscriber`: no active webhook wants report.completed. */
export const DELIVERY_OUTCOMES = ['pending', 'ready', 'queued', 'no_subscriber', 'not_configured'] as const;
type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export const REPORT_STATUSES = ['generating', 'completed', 'failed'] as const;
export const REPORT_STEPS = ['waiting', 'reading', 'writing'] as const;
type ReportStep = (typeof REPORT_STEPS)[number];

export interface ReportDelivery {
  readonly method: DeliveryMethod;
  readonly recipients: readonly string[];
}

/** Position of the pieces of a file. */
export interface ReportFile {
  /** The try that wrote it. */
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
  /** Null when it is completed or has failed. */
  readonly step: ReportStep | null;
  readonly completedAt: number | null;
  readonly error: string | null;
  readonly file: ReportFile | null;
}

/** Deletion time, ms. */
export const goneAt = ({ requestedAt, completedAt }: Pick<Report, 'requestedAt' | 'completedAt'>): number =>
  (completedAt ?? requestedAt) + REPORT_KEPT_MS;

/** The file name of a report. */
export const fileNameOf = ({ template, id, format }: Pick<Report, 'template' | 'id' | 'format'>): string =>
  `${template}-${id.toLowerCase()}.${format}`;
