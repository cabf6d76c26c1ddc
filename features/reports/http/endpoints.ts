import { z } from 'zod';
import { onBothList } from '#api/surfaces/both.ts';
import { type AnyEndpoint, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { DOCUMENT_FORMATS, type DocumentFormat } from '#features/reports/rules/document/document.ts';
import { fileNameOf } from '#features/reports/rules/report.ts';
import { TEMPLATE_IDS, TEMPLATES, type TemplateId } from '#features/reports/rules/templates/catalogue.ts';
import { parametersOf } from '#features/reports/rules/templates/parameters.ts';
import { ReportPath, TemplateView } from '#features/reports/schemas/reports.ts';
import { downloadReport, type OpenedFile } from '#features/reports/use-cases/managing/download-report.ts';
import { DOWNLOAD_PAGE } from '#features/reports/use-cases/signed-download.ts';
import { askEndpoint } from './ask.ts';
import { reporting } from './common.ts';
import { generateReport } from './generate.ts';
import { managingEndpoints } from './manage.ts';
import { scheduleEndpoints } from './schedules.ts';

const MEDIA_TYPES: Readonly<Record<DocumentFormat, string>> = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
};

const opened = {
  method: 'get',
  path: '/reports/{id}/download',
  params: ReportPath,
  query: z.strictObject({ link: z.string().max(2_048).optional().meta({ description: 'Value of a signed link' }) }),
  reply: z.string(),
  replyType: Object.values(MEDIA_TYPES),
  replyHeaders: ['Content-Disposition'],
  read: ({ params }: { params: ReportPath }) => params.id,
  present: ({ report, content }: OpenedFile) => ({
    raw: { type: MEDIA_TYPES[report.format], content },
    body: undefined,
    headers: {
      'Content-Disposition': `attachment; filename="${fileNameOf(report)}"`,
      'Cache-Control': 'private, no-store',
    },
  }),
} as const;

const downloadFile = endpoint<string, OpenedFile>({
  ...reporting,
  id: 'reports.download',
  summary: 'Download a report',
  description:
    'The `download_url` from the report status requires no other credential. Returns 404 if the file is not ready or was deleted.',
  permission: 'reports.read',
  linkPage: DOWNLOAD_PAGE,
  takesLong: true,
  mounts: [mount({ ...opened, on: 'v1' }), mount({ ...opened, on: 'platform' })],
  handle: (id, context) => downloadReport(context, id),
});

const templateBody = (id: TemplateId) => {
  const { name, description, category, needs } = TEMPLATES[id];
  return {
    template_id: id,
    name,
    description,
    category,
    formats: [...DOCUMENT_FORMATS],
    permissions: [...needs],
    parameters: parametersOf(id).map((one) => ({ ...one, values: one.values && [...one.values] })),
  };
};

const listTemplates = endpoint<void, readonly TemplateId[]>({
  ...reporting,
  id: 'reports.templates',
  summary: 'List report templates',
  permission: 'reports.read',
  mounts: onBothList.get('/reports/templates', TemplateView, {
    read: () => undefined,
    present: (ids: readonly TemplateId[]) => ({
      body: ids.map(templateBody),
      page: { page: 1, limit: ids.length, total: ids.length },
    }),
  }),
  handle: async () => TEMPLATE_IDS,
});

export const reportEndpoints: readonly AnyEndpoint[] = [
  listTemplates,
  generateReport,
  ...scheduleEndpoints,
  ...managingEndpoints,
  downloadFile,
  askEndpoint,
];
