import type { ServiceHealthHistory } from './api.ts';

const DAY_S = 86_400;

/** `99.95%`: share of the time in which it was not critical, rounded down. */
export const availabilityWords = (days: ServiceHealthHistory['days']): string => {
  const critical = days.reduce((sum, day) => sum + day.critical_seconds, 0);
  const share = 1 - critical / Math.max(1, days.length * DAY_S);
  return `${(Math.floor(Math.max(0, share) * 10_000) / 100).toFixed(critical === 0 ? 0 : 2)}%`;
};
