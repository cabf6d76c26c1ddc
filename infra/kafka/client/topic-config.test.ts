import { expect, test } from '@jest/globals';
import { logRetentionMs, topics } from '#schemas/topics/topics.ts';
import { topicConfig } from './ensure-topics.ts';

const DAY = 86_400_000;

test.each([1, 6, 90])('with groups kept for %i days no topic holds a record longer than the log is said to', (days) => {
  const lives = topics.map((topic) => {
    const config = topicConfig(topic, days * DAY);
    return Number(config['retention.ms']) + Number(config['segment.ms']);
  });
  expect(Math.max(...lives)).toBeLessThanOrEqual(logRetentionMs(days * DAY));
  expect(logRetentionMs(days * DAY)).toBe((Math.max(7, days) + 1) * DAY);
});
