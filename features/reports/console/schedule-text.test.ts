import { expect, test } from '@jest/globals';
import type { ScheduleData } from './api.ts';
import { deliveryWords, whenWords } from './schedule-text.ts';

test.each([
  ['day', 'Every day at 08:00 (Europe/Berlin)'],
  ['week', 'Every Sunday at 08:00 (Europe/Berlin)'],
  ['month', 'On the first of every month at 08:00 (Europe/Berlin)'],
] as const)('every %s: %s', (every, words) => {
  const schedule = { every, weekday: 7, at: '08:00', time_zone: 'Europe/Berlin' };
  expect(whenWords(schedule as ScheduleData)).toBe(words);
});

test.each([
  ['download', ''],
  ['webhook', 'sent to webhooks'],
  ['email', 'email to ann@example.com, bo@example.com'],
] as const)('a delivery by %s: %s', (method, words) => {
  const delivery = { method, recipients: ['ann@example.com', 'bo@example.com'] };
  expect(deliveryWords({ delivery } as unknown as ScheduleData)).toBe(words);
});
