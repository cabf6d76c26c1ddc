import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import type { DocumentFormat } from '#features/reports/rules/document/document.ts';
import { fileNameOf } from '#features/reports/rules/report.ts';
import { ReportPath } from '#features/reports/schemas/reports.ts';
import { downloadReport, type OpenedFile } from '#features/reports/use-cases/managing/download-report.ts';
import { DOWNLOAD_PAGE } from '#features/reports/use-cases/signed-download.ts';
import { reporting } from './common.ts';

const MEDIA_TYPES: Readonly<Record<DocumentFormat, string>> = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
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

export const downloadFile = endpoint<string, OpenedFile>({
  ...reporting,
  id: 'reports.download',
  summary: 'Download the file of a report',
  description:
    'The `download_url` of its status needs no other credential. 404: there is no such file any more, or not yet.',
  permission: 'reports.read',
  linkPage: DOWNLOAD_PAGE,
  takesLong: true,
  mounts: [mount({ ...opened, on: 'v1' }), mount({ ...opened, on: 'platform' })],
  handle: (id, context) => downloadReport(context, id),
});
