import type { z } from 'zod';
import { addressOf } from '#console/api/link/address.ts';
import type { Call, Reply } from '#console/api/link/call.ts';
import type { List } from '#console/api/list.ts';
import type { ReportAnswer } from '#features/reports/schemas/query.ts';
import type { GenerateReport, ListedReport, ReportView, TemplateView } from '#features/reports/schemas/reports.ts';
import type { NewSchedule, ScheduleBody } from '#features/reports/schemas/schedules.ts';

export type ReportData = z.output<typeof ListedReport>;
export type TemplateData = z.output<typeof TemplateView>;
export type ReportInput = z.input<typeof GenerateReport>;
export type ScheduleData = z.output<typeof ScheduleBody>;
export type ScheduleInput = z.input<typeof NewSchedule>;
export type ReportDetails = z.output<typeof ReportAnswer>;

interface RowsReply<T> extends Reply<readonly T[]> {
  readonly pagination: { readonly total: number };
}

export const listTemplates = async (call: Call, signal?: AbortSignal): Promise<readonly TemplateData[]> =>
  (await call<RowsReply<TemplateData>>('GET /api/reports/templates', { signal })).data;

/** Newest first. */
export const listReports = (call: Call, cursor?: string, signal?: AbortSignal): Promise<List<ReportData>> =>
  call<List<ReportData>>('GET /api/reports', { query: { limit: 50, cursor }, signal });

export const generateReport = async (call: Call, wish: ReportInput): Promise<string> =>
  (await call<Reply<{ readonly report_id: string }>>('POST /api/reports/generate', { body: wish })).data.report_id;

export const deleteReport = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/reports/{id}', { params: { id } });

/** Returns a short-lived URL, relative to the root, that opens the file without credentials. */
export const fileAddress = async (call: Call, root: string, id: string): Promise<string | null> => {
  const params = { id };
  const { data } = await call<Reply<z.output<typeof ReportView>>>('GET /api/reports/{id}/status', { params });
  const link = data.download_url === null ? null : new URL(data.download_url, root).searchParams.get('link');
  return link === null ? null : addressOf(root, '/api/reports/{id}/download', params, { link });
};

export const askReports = async (
  call: Call,
  question: string,
  predictions: boolean,
  zone: string | null,
): Promise<ReportDetails> =>
  (
    await call<Reply<ReportDetails>>('POST /api/reports/ai/query', {
      body: {
        query: question,
        context: { include_predictions: predictions, ...(zone !== null && { time_zone: zone }) },
      },
    })
  ).data;

export const listSchedules = async (call: Call, signal?: AbortSignal): Promise<readonly ScheduleData[]> =>
  (await call<RowsReply<ScheduleData>>('GET /api/reports/schedules', { signal })).data;

/** Null: a new one. */
export const saveSchedule = (call: Call, id: string | null, wish: ScheduleInput): Promise<unknown> =>
  id === null
    ? call('POST /api/reports/schedules', { body: wish })
    : call('PUT /api/reports/schedules/{id}', { params: { id }, body: wish });

export const deleteSchedule = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/reports/schedules/{id}', { params: { id } });
