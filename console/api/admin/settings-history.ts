import type { z } from 'zod';
import type { SettingsRestore, SettingsVersions } from '#schemas/http/admin/settings-history.ts';
import type { Call, Reply } from '../link/call.ts';

/** Settings with a history: those that the console edits. */
const HISTORIES = {
  correlation: ['GET /api/admin/settings/correlation/history', 'POST /api/admin/settings/correlation/restore'],
  lifecycle: ['GET /api/admin/settings/lifecycle/history', 'POST /api/admin/settings/lifecycle/restore'],
  inbound: ['GET /api/admin/settings/inbound/history', 'POST /api/admin/settings/inbound/restore'],
  ai: ['GET /api/admin/settings/ai/history', 'POST /api/admin/settings/ai/restore'],
  limits: ['GET /api/admin/limits/history', 'POST /api/admin/limits/restore'],
} as const;
export type HistoryName = keyof typeof HISTORIES;
export type SettingsVersionData = z.output<typeof SettingsVersions>[number];

export const listVersions = async (call: Call, name: HistoryName, signal?: AbortSignal) =>
  (await call<Reply<SettingsVersionData[]>>(HISTORIES[name][0], { signal })).data;

export const restoreVersion = (call: Call, name: HistoryName, body: z.input<typeof SettingsRestore>) =>
  call(HISTORIES[name][1], { body });
