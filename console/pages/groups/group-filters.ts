import type { Filter } from '#console/data/filters.ts';
import { SEVERITY_WORDS } from '#console/facts/severity-shapes.ts';
import { SEVERITIES } from '#domain/event/event.ts';

export const GROUP_STATES = ['active', 'acknowledged', 'resolved'] as const;
export type GroupFilterState = (typeof GROUP_STATES)[number];

export const GROUP_FILTERS: readonly Filter[] = [
  {
    name: 'severity',
    words: 'severity',
    isMany: true,
    values: SEVERITIES.map((value) => ({ value, words: SEVERITY_WORDS[value] })),
  },
  {
    name: 'assignee',
    words: 'who has it',
    values: [
      { value: 'me', words: 'me' },
      { value: 'none', words: 'nobody' },
    ],
  },
  { name: 'service', words: 'service' },
  { name: 'host', words: 'host' },
  { name: 'source', words: 'source' },
  {
    name: 'verdict',
    words: 'verdict',
    values: [
      { value: 'none', words: 'none yet' },
      { value: 'right', words: 'cause was right' },
      { value: 'wrong', words: 'cause was wrong' },
    ],
  },
  {
    name: 'timeRange',
    words: 'time',
    isTime: true,
    values: [
      { value: '1h', words: 'the last hour' },
      { value: '6h', words: 'the last 6 hours' },
      { value: '24h', words: 'the last day' },
      { value: '3d', words: 'the last 3 days' },
      { value: '7d', words: 'the last 7 days' },
    ],
  },
];

export const stateOf = (query: Readonly<Record<string, string>>): GroupFilterState =>
  GROUP_STATES.find((state) => state === query.state) ?? 'active';
