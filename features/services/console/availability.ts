import type { ServiceHealthHistory } from './api.ts';

/** `99.95%`: share of the time until now since it was created, ms, in which it was not critical, rounded down; null without data. */
export const availabilityWords = (
  days: ServiceHealthHistory['days'],
  createdAt: number,
  now: number,
): string | null => {
  if (days.every(({ worst }) => worst.status === 'unknown')) return null;
  const critical = days.reduce((sum, day) => sum + day.critical_seconds, 0);
  const elapsed = (now - Math.max(createdAt, Date.parse(days[0]?.from ?? ''))) / 1_000;
  const share = 1 - critical / Math.max(1, elapsed || 1, critical);
  const isWhole = share === 0 || critical === 0;
  return `${(Math.floor(share * 10_000) / 100).toFixed(isWhole ? 0 : 2)}%`;
};
