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

interface ReportsPage {
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
  ({ query, found }: ReportsPage, context: Context) => ({
    body: found.items.map((report) => listedReport(report, prefixOf(style, context))),
    page: pageInfo(query, found),
  });

const list = endpoint<ReportQuery, ReportsPage>({
  ...reporting,
  id: 'reports.list',
  summary: 'List your reports and shared reports',
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

interface ReportRequest {
  readonly id: string;
  readonly style: Style;
}
interface ReportStatusView extends ShownReport {
  readonly prefix: string;
}
const shown = { method: 'get', path: '/reports/{id}/status', params: ReportPath } as const;
const readFor =
  (style: Style) =>
  ({ params }: { params: ReportPath }): ReportRequest => ({ id: params.id, style });

const present = ({ report, estimatedAt, download, prefix }: ReportStatusView) => ({
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

const status = endpoint<ReportRequest, ReportStatusView>({
  ...reporting,
  id: 'reports.status',
  summary: 'Get report status',
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
  summary: 'Delete a report',
  description: 'Shared reports can be deleted by their owner or with settings.manage.',
  permission: 'reports.write',
  mounts: both(deleted, Message),
  handle: (id, context) => deleteReport(context, id),
});

export const managingEndpoints: readonly AnyEndpoint[] = [list, status, remove];
