import { both } from '#api/surfaces/both.ts';
import { type AnyEndpoint, type Context, endpoint, mount } from '#api/surfaces/endpoint.ts';
import type { Page } from '#domain/page.ts';
import { fileNameOf, type Report } from '#features/reports/rules/report.ts';
import {
  deliveryBody,
  ListedReport,
  listedReport,
  ReportPath,
  ReportQuery,
  ReportView,
} from '#features/reports/schemas/reports.ts';
import { deleteReport } from '#features/reports/use-cases/managing/delete-report.ts';
import { listReports, reportStatus, type ShownReport } from '#features/reports/use-cases/managing/show-report.ts';
import { Message } from '#schemas/http/common.ts';
import { v1List, wrapped, wrappedList } from '#schemas/http/envelope.ts';
import { pageInfo } from '#schemas/http/paging.ts';
import { iso } from '#schemas/http/time.ts';
import { prefixOf, reporting } from './common.ts';

type Style = '/v1' | '/api';

interface Listed {
  readonly query: ReportQuery;
  readonly found: Page<Report>;
}
const listed = {
  method: 'get',
  path: '/reports',
  query: ReportQuery,
  read: ({ query }: { query: ReportQuery }) => query,
} as const;
const presentList =
  (style: Style) =>
  ({ query, found }: Listed, context: Context) => ({
    body: found.items.map((report) => listedReport(report, prefixOf(style, context))),
    page: pageInfo(query, found),
  });

const list = endpoint<ReportQuery, Listed>({
  ...reporting,
  id: 'reports.list',
  summary: 'List your reports and those that are shared, newest first',
  permission: 'reports.read',
  mounts: [
    mount({ ...listed, on: 'v1', reply: v1List(ListedReport), present: presentList('/v1') }),
    mount({ ...listed, on: 'platform', reply: wrappedList(ListedReport), present: presentList('/api') }),
  ],
  async handle(query, context) {
    const filter = { category: query.category, createdBy: query.created_by, shared: query.shared };
    return { query, found: await listReports(context, filter, query) };
  },
});

interface Asked {
  readonly id: string;
  readonly style: Style;
}
interface Shown extends ShownReport {
  readonly prefix: string;
}
const shown = { method: 'get', path: '/reports/{id}/status', params: ReportPath } as const;
const readFor =
  (style: Style) =>
  ({ params }: { params: ReportPath }): Asked => ({ id: params.id, style });

const present = ({ report, estimatedAt, download, prefix }: Shown) => ({
  body: {
    ...listedReport(report, prefix),
    step: report.step,
    parameters: { ...report.parameters },
    delivery: deliveryBody(report),
    file_name: fileNameOf(report),
    estimated_completion: estimatedAt === null ? null : iso(estimatedAt),
    download_url: download?.url ?? null,
    link_expires_at: download === null ? null : iso(download.expiresAt),
  },
});

const status = endpoint<Asked, Shown>({
  ...reporting,
  id: 'reports.status',
  summary: 'Show how far a report is, and where its file is',
  permission: 'reports.read',
  mounts: [
    mount({ ...shown, on: 'v1', reply: ReportView, read: readFor('/v1'), present }),
    mount({ ...shown, on: 'platform', reply: wrapped(ReportView), read: readFor('/api'), present }),
  ],
  async handle({ id, style }, context) {
    const prefix = prefixOf(style, context);
    return { ...(await reportStatus(context, id, prefix)), prefix };
  },
});

const deleted = {
  method: 'delete',
  path: '/reports/{id}',
  params: ReportPath,
  read: ({ params }: { params: ReportPath }) => params.id,
  present: () => ({ body: { message: 'Report deleted' } }),
} as const;

const remove = endpoint<string, void>({
  ...reporting,
  id: 'reports.delete',
  summary: 'Delete a report with its file; one that is being made is given up',
  description: 'What a colleague has shared is deleted by him, or with the permission settings.manage.',
  permission: 'reports.write',
  mounts: both(deleted, Message),
  handle: (id, context) => deleteReport(context, id),
});

/** Reports that were asked for. */
export const managingEndpoints: readonly AnyEndpoint[] = [list, status, remove];
