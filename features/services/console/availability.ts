import type { ServiceHealthHistory } from './api.ts';

/** `99.95%`: share of the time until now, ms, in which it was not critical, rounded down. */
export const availabilityWords = (days: ServiceHealthHistory['days'], now: number): string => {
  const critical = days.reduce((sum, day) => sum + day.critical_seconds, 0);
  const elapsed = (now - Date.parse(days[0]?.from ?? '')) / 1_000;
  const share = 1 - critical / Math.max(1, elapsed || 1, critical);
  return `${(Math.floor(share * 10_000) / 100).toFixed(critical === 0 ? 0 : 2)}%`;
};
