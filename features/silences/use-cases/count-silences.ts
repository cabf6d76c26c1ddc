import { currentSilences } from '#application/events/silences/silence-store.ts';
import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { silenceState } from '#domain/event/silences/silence-rule.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Measures how many silences of all tenants hold now, and how many are planned. */
export const countSilences = async (
  { records, clock, metrics }: Pick<Ports, 'records' | 'clock' | 'metrics'>,
  isStopping: () => boolean,
): Promise<void> => {
  const counts = { active: 0, planned: 0 };
  const failed = (count: number): string => `Couldn't count silences of ${count} tenants`;
  await eachActiveTenant(records, { isStopping, failed }, async (tenant) => {
    const now = clock.now();
    for (const rule of (await currentSilences(records, tenant)).silences) {
      const state = silenceState(rule, now);
      if (state !== 'past') counts[state] += 1;
    }
  });
  if (isStopping()) return;
  for (const [state, count] of Object.entries(counts)) metrics.gauge('faultline_silences', { state }, count);
};
