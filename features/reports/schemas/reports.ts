import { z } from 'zod';
import { CATEGORY, MAX_RECIPIENTS } from '#features/reports/rules/bounds.ts';
import { DOCUMENT_FORMATS } from '#features/reports/rules/document/document.ts';
import {
  DELIVERY_METHODS,
  DELIVERY_OUTCOMES,
  goneAt,
  REPORT_STATUSES,
  REPORT_STEPS,
  type Report,
} from '#features/reports/rules/report.ts';
import { TEMPLATE_IDS, TEMPLATES, type TemplateId } from '#features/reports/rules/templates/catalogue.ts';
import { flag } from '#schemas/http/common.ts';
import { pageFields, ulidCursor, withinWindow } from '#schemas/http/paging.ts';
import { IsoTime, iso, isoOrNull } from '#schemas/http/time.ts';

/** Report requests and responses (docs/reports.md). */

const TEXT = 255;
/** Maximum size of all parameters as JSON, in characters. */
const MAX_PARAMETERS = 20_000;

/** ASCII characters not allowed in categories. */
const NO_CATEGORY = '\\u0000-\\u0008\\u000e-\\u001f!-,:-@\\[-^`{-\\u007f';
const parameters = z
  .record(z.string().max(64), z.unknown())
  .refine(
    (given) => JSON.stringify(given).length <= MAX_PARAMETERS,
    `expected at most ${MAX_PARAMETERS} characters of JSON`,
  )
  .meta({ description: 'See GET /reports/templates' });

/** Documents the parameters of a template. */
const parametersOf = (id: TemplateId) => ({
  if: { properties: { template_id: { pattern: id } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { properties: { parameters: { propertyNames: { enum: TEMPLATES[id].parameters } } } },
});

/** Documents the parameters of every template in OpenAPI. */
export const parameterRules = TEMPLATE_IDS.map(parametersOf);

export const GenerateReport = z
  .strictObject({
    template_id: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .meta({ pattern: `^\\s*(?:${TEMPLATE_IDS.join('|')})\\s*$`, description: TEMPLATE_IDS.join(', ') }),
    parameters: parameters.default({}),
    format: z.enum(DOCUMENT_FORMATS).default('pdf'),
    delivery: z
      .strictObject({
        method: z.enum(DELIVERY_METHODS).default('download'),
        recipients: z.array(z.string().trim().min(1).max(TEXT)).max(MAX_RECIPIENTS).default([]),
      })
      .prefault({}),
    shared: z.boolean().default(false).meta({ description: 'Shared with users of the tenant who can read its data' }),
    category: z
      .string()
      .trim()
      .max(64)
      // Some readers of the OpenAPI document do not support Unicode classes.
      .refine((category) => CATEGORY.test(category), 'expected up to 64 letters, digits, spaces, and - _ . /')
      .meta({ pattern: `^\\s*[^\\s${NO_CATEGORY}][^${NO_CATEGORY}]*$` })
      .optional()
      .meta({ description: 'Default: template name' }),
  })
  .meta({
    id: 'GenerateReport',
    allOf: parameterRules,
    example: {
      template_id: 'ci-inventory',
      parameters: { ci_type: 'server', date_range: 'last_30_days', grouping: 'environment' },
      format: 'pdf',
      delivery: { method: 'download', recipients: [] },
    },
  });
export type GenerateReport = z.output<typeof GenerateReport>;

const Delivery = z
  .object({
    method: z.enum(DELIVERY_METHODS),
    recipients: z.array(z.string()),
    state: z.enum(DELIVERY_OUTCOMES).meta({
      description:
        'ready: available at download_url. queued: webhook notifications queued. no_subscriber: no active webhook subscribes to report.completed. sent: emailed to all recipients. not_sent: the mail server rejected at least one; the report is available. not_configured: no mail server; the report is available',
    }),
  })
  .meta({ id: 'ReportDelivery' });

export const ReportStarted = z
  .object({
    report_id: z.string(),
    status: z.enum(REPORT_STATUSES),
    estimated_completion: IsoTime,
    status_url: z.string(),
    delivery: Delivery,
  })
  .meta({ id: 'ReportStarted' });

const listed = {
  report_id: z.string(),
  template_id: z.enum(TEMPLATE_IDS),
  name: z.string(),
  status: z.enum(REPORT_STATUSES),
  format: z.enum(DOCUMENT_FORMATS),
  category: z.string(),
  shared: z.boolean(),
  created_by: z.object({ id: z.string(), username: z.string(), name: z.string() }),
  created_at: IsoTime,
  completed_at: IsoTime.nullable(),
  expires_at: IsoTime.meta({ description: 'Expiry of the report and its file' }),
  size_bytes: z.int().nullable(),
  error: z.string().nullable().meta({ description: 'Error' }),
  status_url: z.string(),
};
export const ListedReport = z.object(listed).meta({ id: 'ListedReport' });

export const ReportView = z
  .object({
    ...listed,
    step: z.enum(REPORT_STEPS).nullable(),
    parameters: z.record(z.string(), z.unknown()),
    delivery: Delivery,
    file_name: z.string(),
    estimated_completion: IsoTime.nullable(),
    download_url: z.string().nullable().meta({
      description:
        'Completed reports: opens the file without another credential until link_expires_at; new in each response',
    }),
    link_expires_at: IsoTime.nullable(),
  })
  .meta({ id: 'Report' });

const Parameter = z
  .object({
    name: z.string(),
    type: z.string(),
    description: z.string(),
    values: z.array(z.string()).nullable().meta({ description: 'Allowed values; null: values present in the tenant' }),
    default: z.string().nullable(),
    example: z.unknown(),
  })
  .meta({ id: 'ReportParameter' });
export const TemplateView = z
  .object({
    template_id: z.enum(TEMPLATE_IDS),
    name: z.string(),
    description: z.string(),
    category: z.string(),
    formats: z.array(z.enum(DOCUMENT_FORMATS)),
    permissions: z.array(z.string()).meta({ description: 'Required in addition to reports.write' }),
    parameters: z.array(Parameter),
  })
  .meta({ id: 'ReportTemplate' });

export const ReportQuery = z
  .strictObject({
    ...pageFields({ limit: 20, max: 100 }),
    cursor: ulidCursor,
    category: z.string().min(1).max(TEXT).optional(),
    created_by: z.string().min(1).max(TEXT).optional().meta({ description: 'User ID or username' }),
    shared: flag().optional(),
  })
  .check(withinWindow);
export type ReportQuery = z.output<typeof ReportQuery>;

export const ReportPath = z.strictObject({ id: z.string().min(1).max(TEXT) });
export type ReportPath = z.output<typeof ReportPath>;

/** `prefix`: public URL and path style, such as `/v1`. */
export const statusUrl = (prefix: string, { id }: Pick<Report, 'id'>): string => `${prefix}/reports/${id}/status`;

export const deliveryBody = ({ delivery: { method, recipients, outcome } }: Report): z.output<typeof Delivery> => ({
  method,
  recipients: [...recipients],
  state: outcome,
});

export const listedReport = (report: Report, prefix: string): z.output<typeof ListedReport> => ({
  report_id: report.id,
  template_id: report.template,
  name: TEMPLATES[report.template].name,
  status: report.status,
  format: report.format,
  category: report.category,
  shared: report.shared,
  created_by: { ...report.by },
  created_at: iso(report.requestedAt),
  completed_at: isoOrNull(report.completedAt),
  expires_at: iso(goneAt(report)),
  size_bytes: report.file?.bytes ?? null,
  error: report.error,
  status_url: statusUrl(prefix, report),
});
