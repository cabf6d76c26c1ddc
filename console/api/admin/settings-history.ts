import type { z } from 'zod';
import type { SettingsRestore, SettingsVersions } from '#schemas/http/admin/settings-history.ts';
import type { Call, CalledEndpoint, Reply } from '../link/call.ts';

/** Endpoints of a history of settings. */
export interface SettingsHistoryPaths {
  readonly list: CalledEndpoint;
  readonly restore: CalledEndpoint;
}
export const CORRELATION_HISTORY: SettingsHistoryPaths = {
  list: 'GET /api/admin/settings/correlation/history',
  restore: 'POST /api/admin/settings/correlation/restore',
};
export const LIFECYCLE_HISTORY: SettingsHistoryPaths = {
  list: 'GET /api/admin/settings/lifecycle/history',
  restore: 'POST /api/admin/settings/lifecycle/restore',
};
export const LIMITS_HISTORY: SettingsHistoryPaths = {
  list: 'GET /api/admin/limits/history',
  restore: 'POST /api/admin/limits/restore',
};

export type SettingsVersionData = z.output<typeof SettingsVersions>[number];

export const listVersions = async (call: Call, { list }: SettingsHistoryPaths, signal?: AbortSignal) =>
  (await call<Reply<SettingsVersionData[]>>(list, { signal })).data;

export const restoreVersion = (
  call: Call,
  { restore }: SettingsHistoryPaths,
  body: z.input<typeof SettingsRestore>,
): Promise<unknown> => call(restore, { body });
