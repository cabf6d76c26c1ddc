import type { z } from 'zod';
import type { SettingsHistoryPaths } from '#console/api/admin/settings-history.ts';
import type { Call, Reply } from '#console/api/link/call.ts';
import { type Versioned, versioned } from '#console/api/link/versioned.ts';
import { useRead } from '#console/hooks/use-read.ts';
import type { NoiseBody } from '#features/noise/schemas/noise.ts';
import type { CheckRuleBody } from '#schemas/http/admin/settings.ts';

export type NoiseData = z.output<typeof NoiseBody>;
export type NoisyCheckData = NoiseData['checks'][number];

export const readNoise = async (call: Call, signal?: AbortSignal): Promise<NoiseData> =>
  (await call<{ readonly data: NoiseData }>('GET /api/noise', { signal })).data;

/** Begins the keys of all queries of noise. */
export const NOISE = ['noise'] as const;

/** Read by the pages that show it; the server counts at most once in five minutes. */
export const useNoise = () => useRead(NOISE, readNoise, { staleTime: 60_000 });

interface CheckRules {
  readonly checks: readonly CheckRuleBody[];
}
export const readCheckRules = async (call: Call, signal?: AbortSignal): Promise<CheckRules & Versioned> =>
  versioned(await call.whole<Reply<CheckRules>>('GET /api/admin/settings/inbound', { signal }));

export const CHECK_RULES_HISTORY: SettingsHistoryPaths = {
  list: 'GET /api/admin/settings/inbound/history',
  restore: 'POST /api/admin/settings/inbound/restore',
};

/** Puts the rule in place of the one of its check; without severity and grouping there is none. */
export async function putCheckRule(call: Call, rule: CheckRuleBody): Promise<void> {
  const { checks, etag } = await readCheckRules(call);
  const others = checks.filter(({ source, problem }) => source !== rule.source || problem !== rule.problem);
  const isRule = rule.severity !== undefined || rule.grouped !== undefined;
  await call('PUT /api/admin/settings/inbound', { body: { checks: isRule ? [...others, rule] : others }, etag });
}
