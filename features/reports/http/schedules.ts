import { onBoth, onBothList } from '#api/surfaces/both.ts';
import { type AnyEndpoint, endpoint } from '#api/surfaces/endpoint.ts';
import type { ReportSchedule } from '#features/reports/rules/schedule.ts';
import { NewSchedule, ScheduleBody, SchedulePath, scheduleBody } from '#features/reports/schemas/schedules.ts';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  listSchedules,
} from '#features/reports/use-cases/scheduling/schedules.ts';
import { Message } from '#schemas/http/common.ts';
import { reporting } from './common.ts';

const create = endpoint<NewSchedule, ReportSchedule>({
  ...reporting,
  id: 'reports.schedules.create',
  summary: 'Create a report schedule',
  description:
    'Generates the report every day, week or month with the permissions of its owner. With delivery method webhook, report.completed includes its summary and, for format md, its text. Up to 20 per tenant.',
  permission: 'reports.write',
  mounts: onBoth.post('/reports/schedules', ScheduleBody, {
    body: NewSchedule,
    status: 201,
    read: ({ body }) => body,
    present: (schedule: ReportSchedule) => ({ body: scheduleBody(schedule) }),
  }),
  handle: (asked, context) => createSchedule(context, asked),
});

const list = endpoint<void, readonly ReportSchedule[]>({
  ...reporting,
  id: 'reports.schedules.list',
  summary: 'List report schedules',
  description: 'Lists your schedules; with settings.manage, all schedules of the tenant.',
  permission: 'reports.read',
  mounts: onBothList.get('/reports/schedules', ScheduleBody, {
    read: () => undefined,
    present: (all: readonly ReportSchedule[]) => ({
      body: all.map(scheduleBody),
      page: { page: 1, limit: Math.max(1, all.length), total: all.length },
    }),
  }),
  handle: (_, context) => listSchedules(context),
});

interface ScheduleChange {
  readonly id: string;
  readonly asked: NewSchedule;
}

const change = endpoint<ScheduleChange, ReportSchedule>({
  ...reporting,
  id: 'reports.schedules.change',
  summary: 'Change a report schedule',
  description: 'Replaces all fields. The owner, whose permissions apply, stays the same.',
  permission: 'reports.write',
  mounts: onBoth.put('/reports/schedules/{id}', ScheduleBody, {
    params: SchedulePath,
    body: NewSchedule,
    read: ({ params: { id }, body: asked }) => ({ id, asked }),
    present: (schedule: ReportSchedule) => ({ body: scheduleBody(schedule) }),
  }),
  handle: (asked, context) => changeSchedule(context, asked),
});

const remove = endpoint<string, void>({
  ...reporting,
  id: 'reports.schedules.delete',
  summary: 'Delete a report schedule',
  permission: 'reports.write',
  mounts: onBoth.delete('/reports/schedules/{id}', Message, {
    params: SchedulePath,
    read: ({ params }) => params.id,
    present: () => ({ body: { message: 'Report schedule deleted' } }),
  }),
  handle: (id, context) => deleteSchedule(context, id),
});

export const scheduleEndpoints: readonly AnyEndpoint[] = [create, list, change, remove];
