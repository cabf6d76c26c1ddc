import type { Actor } from '#domain/event/event.ts';
import type { DocumentFormat } from '#features/reports/rules/document/document.ts';
import type { TemplateId } from '#features/reports/rules/templates/catalogue.ts';
import type { Chosen } from '#features/reports/rules/templates/chosen.ts';

const DAY_MS = 86_400_000;
/** A report and its file are kept for so long after it was asked for, and after it was made. */
const REPORT_KEPT_MS = 7 * DAY_MS;
/** Reports of a tenant that are not made yet. */
export const MOST_WAITING = 100;

/** Kinds of the record store; `(system)` marks those kept under SYSTEM_TENANT. */
/** The work of the background. */
export const MAKE_REPORTS = 'make-reports';

export const REPORT_KINDS = {
  report: 'report',
  /** Pieces of files, by report, turn and number. */
  chunk: 'report-chunk',
  /** (system) By tenant and report: what is not made yet. */
  queue: 'report-queue',
  /** (system) By report: the process that makes it. */
  lease: 'report-lease',
} as const;

export const DELIVERY_METHODS = ['download', 'email', 'webhook'] as const;
type DeliveryMethod = (typeof DELIVERY_METHODS)[number];
/** `not_configured`: there is no mail server. `queued`: webhooks are told. `no_subscriber`: no active webhook wants report.completed. */
export const DELIVERY_OUTCOMES = ['pending', 'ready', 'queued', 'no_subscriber', 'not_configured'] as const;
type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export const REPORT_STATUSES = ['generating', 'completed', 'failed'] as const;
export const REPORT_STEPS = ['waiting', 'reading', 'writing'] as const;
type ReportStep = (typeof REPORT_STEPS)[number];

export interface ReportDelivery {
  readonly method: DeliveryMethod;
  readonly recipients: readonly string[];
}

/** Where the pieces of a file are. */
export interface ReportFile {
  /** The turn that wrote it. */
  readonly turn: number;
  readonly chunks: number;
  readonly bytes: number;
}

/** Record of kind `report`, in its tenant. Times are ms. */
export interface Report {
  /** ULID. */
  readonly id: string;
  readonly template: TemplateId;
  /** As the caller gave them. */
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
  /** How often it was begun; a process that stops takes its turn back. */
  readonly turns: number;
  readonly completedAt: number | null;
  readonly error: string | null;
  readonly file: ReportFile | null;
}

/** A report that waits or is made. */
export interface QueuedReport {
  readonly tenant: string;
  readonly report: string;
  /** When it was asked for, ms. */
  readonly at: number;
}

/** When it is forgotten, ms. */
export const goneAt = ({ requestedAt, completedAt }: Pick<Report, 'requestedAt' | 'completedAt'>): number =>
  (completedAt ?? requestedAt) + REPORT_KEPT_MS;

/** The file name of a report. */
export const fileNameOf = ({ template, id, format }: Pick<Report, 'template' | 'id' | 'format'>): string =>
  `${template}-${id.toLowerCase()}.${format}`;
