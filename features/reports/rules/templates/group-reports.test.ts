import { describe, expect, test } from '@jest/globals';
import type { Chosen } from './chosen.ts';
import type { ReportedGroup } from './group-facts.ts';
import { type HandoverOpenGroup, type HandoverRead, handover } from './handover.ts';
import { coveredMs } from './impact-time.ts';
import { openQuestions, postIncident } from './post-incident.ts';
import { statusUpdate } from './status-update.ts';
import type { ReportBody } from './template.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const chosen: Chosen = { range: { from: NOW - 24 * HOUR_MS, to: NOW }, zone: 'UTC', grouping: null };

const group: ReportedGroup = {
  id: 'COR-1-abc',
  title: 'Link down',
  began: NOW - 2 * HOUR_MS,
  ended: null,
  now: NOW,
  events: 12,
  open: 3,
  cis: 4,
  severity: 'critical',
  acknowledgedAt: NOW - 90 * MINUTE_MS,
  acknowledgedBy: 'Ann',
  assignee: 'Ann',
  cause: { text: '“Link down” on sw-1', confidence: 0.87 },
  rival: { text: '“Slow” on db-1', confidence: 0.4 },
  verdict: null,
  causeNamedAt: NOW - 119 * MINUTE_MS,
  services: [{ name: 'Shop', criticality: 'high', isDown: true, isHitNow: true, impactMs: 90_000 }],
  moments: [{ at: NOW - 2 * HOUR_MS, by: 'Monitoring', text: 'Link down on sw-1' }],
  momentsTotal: 1,
  actions: [{ at: NOW, by: 'Ann', text: 'cable ordered' }],
  resolutionNotes: [],
};

/** Every table has a cell for every column, and every row a title. */
const expectWhole = ({ details, sections }: ReportBody): void => {
  for (const { columns, rows } of [details, ...sections.flatMap(({ tables }) => tables)]) {
    const title = columns.findIndex(({ key }) =>
      ['title', 'service', 'question', 'subject', 'what', 'team'].includes(key),
    );
    for (const row of rows) expect([row.length, row[title]]).toEqual([columns.length, expect.stringMatching(/./)]);
  }
};

describe('status-update', () => {
  const sentences = (more: Partial<ReportedGroup>) => statusUpdate({ group: { ...group, ...more } }, chosen).summary;

  test('tells others in four sentences', () => {
    expect(sentences({})).toEqual([
      'Shop is affected since 20 Nov 2026, 10:00 (2h ago).',
      'Probable root cause: “Link down” on sw-1, 87% confidence.',
      'Assigned to Ann.',
      '3 events of 12 still open.',
    ]);
    expectWhole(statusUpdate({ group }, chosen));
  });

  test('tells of the end, and of what is not known', () => {
    expect(sentences({ ended: NOW - HOUR_MS, open: 0, assignee: null, cause: null, services: [] })).toEqual([
      '“Link down”: no business service was affected from 20 Nov 2026, 10:00 to 20 Nov 2026, 11:00 (1h).',
      'No root cause identified.',
      'Handled without an assignee.',
      'Resolved: all 12 events have ended.',
    ]);
    expect(sentences({ assignee: null })[2]).toBe('Acknowledged by Ann, unassigned.');
    expect(statusUpdate({ group: null }, chosen).summary).toEqual(['No groups in the time range.']);
  });

  test.each([
    [
      { by: 'Ann', at: NOW, cause: 'wrong', root: '“Broken SFP” on core-2', note: 'swapped' },
      'Root cause set by Ann: “Broken SFP” on core-2, "swapped".',
    ],
    [
      { by: 'Ann', at: NOW, cause: 'right', root: null, note: null },
      'Root cause confirmed by Ann: “Link down” on sw-1.',
    ],
    [
      { by: 'Ann', at: NOW, cause: 'wrong', root: null, note: null },
      'No root cause identified: Ann rejected “Link down” on sw-1.',
    ],
  ])('a verdict leads: %j', (verdict, sentence) => expect(sentences({ verdict })[1]).toBe(sentence));
});

describe('post-incident', () => {
  test('has timeline, impact, cause with its rival, actions, questions and a part to complete', () => {
    const told = postIncident({ group }, chosen);
    expectWhole(told);
    expect(told.sections.map(({ heading }) => heading)).toEqual([
      'Impact',
      'Root cause',
      'Actions',
      'Open questions',
      'Review',
    ]);
    expect(told.sections[0]!.tables[0]!.rows).toEqual([['Shop', 'high', 'down', 2]]);
    expect(told.sections[1]!.text).toEqual([
      'Probable root cause: “Link down” on sw-1, 87% confidence.',
      'Alternative: “Slow” on db-1, with 40% of the score of the root cause.',
      'The probable root cause was first named at 20 Nov 2026, 10:01 (1h 59m ago).',
    ]);
    expect(told.details.rows).toEqual([[NOW - 2 * HOUR_MS, 'Monitoring', 'Link down on sw-1']]);
    expectWhole(postIncident({ group: null }, chosen));
  });

  test('asks what the record leaves open', () => {
    expect(openQuestions(group)).toEqual([
      'When will the remaining events end?',
      'Was “Link down” on sw-1 the root cause? No verdict was recorded.',
      'What rules out “Slow” on db-1?',
      'Why did acknowledgement take 30m?',
      'What resolved it? No resolution note was recorded.',
    ]);
    const verdict = { by: 'Ann', at: NOW, cause: 'right', root: null, note: null };
    const closed = { ended: NOW, acknowledgedAt: group.began, resolutionNotes: ['new cable'], verdict };
    expect(openQuestions({ ...group, ...closed })).toEqual([]);
  });
});

describe('handover', () => {
  const group = (title: string, more: Partial<HandoverOpenGroup> = {}): HandoverOpenGroup => ({
    id: `COR-${title}`,
    title,
    place: null,
    severity: 'minor',
    state: 'active',
    began: NOW - 3 * HOUR_MS,
    last: NOW - 2 * HOUR_MS,
    ended: null,
    events: 2,
    assignee: 'Ann',
    cause: { confidence: 0.8 },
    services: ['Shop'],
    note: null,
    ...more,
  });
  const read: HandoverRead = {
    began: [group('db-1: Disk full', { place: 'db-1' }), group('db-1: Fan broken', { place: 'db-1', ended: NOW })],
    hasMore: false,
    resolved: 1,
    open: {
      rows: [
        group('sw-1: Link down', {
          severity: 'critical',
          assignee: null,
          last: NOW - 5 * MINUTE_MS,
          note: { by: 'Bo', at: NOW - 10 * MINUTE_MS, text: 'vendor called' },
          cause: { by: 'Ann', as: 'rejected' },
        }),
        group('Slow'),
        group('Old', { began: NOW - 50 * HOUR_MS, cause: null }),
      ],
      total: 3,
      unassigned: 1,
    },
    acts: {
      rows: [
        { at: NOW - HOUR_MS, user: 'Bo', action: 'group.noted', subject: 'sw-1: Link down', text: 'vendor called' },
      ],
      total: 1,
    },
    silences: [
      { what: 'host web-*', state: 'active', from: NOW, to: NOW + HOUR_MS, by: 'Ann', reason: 'new racks' },
      { what: 'db-2', state: 'planned', from: NOW + HOUR_MS, to: NOW + 2 * HOUR_MS, by: 'Ann', reason: 'patches' },
    ],
    onCall: [{ team: 'Night', now: { name: 'Ann', until: NOW + HOUR_MS }, next: { name: 'Bo', from: NOW + HOUR_MS } }],
    now: NOW,
  };

  test('tells what is open and whose, what was done, what is silenced and planned, and who is next', () => {
    const told = handover(read, chosen);
    expect(told.summary).toEqual([
      '2 groups started in 24 hours; 1 resolved.',
      '3 groups open now (20 Nov 2026, 12:00), 1 unassigned. Most urgent: “sw-1: Link down” (critical).',
      '1 user action.',
      '4 items to watch.',
    ]);
    const rowsOf = (heading: string) => told.sections.find((one) => one.heading === heading)!.tables[0]!.rows;
    expect(
      rowsOf('Open now (20 Nov 2026, 12:00)').map(([title, , , whose, , services, cause, note]) => [
        title,
        whose,
        services,
        cause,
        note,
      ]),
    ).toEqual([
      ['sw-1: Link down', 'Unassigned', 'Shop', 'rejected by Ann', 'Bo, 10m ago: vendor called'],
      ['Slow', 'Ann', 'Shop', 'probable (80%)', null],
      ['Old', 'Ann', 'Shop', 'unknown', null],
    ]);
    expect(rowsOf('Watch list')).toEqual([
      ['sw-1: Link down', 'critical and unassigned; new event 5m ago'],
      ['Old', 'open for 2d 2h'],
      ['db-1', '2 groups'],
      ['host web-*', 'silenced for another 1h'],
    ]);
    expect(rowsOf('User actions')).toEqual([[NOW - HOUR_MS, 'Bo', 'commented', 'sw-1: Link down', 'vendor called']]);
    expect(rowsOf('Silenced now')).toEqual([['host web-*', NOW, NOW + HOUR_MS, 'Ann', 'new racks']]);
    expect(rowsOf('Planned')).toEqual([['db-2', NOW + HOUR_MS, NOW + 2 * HOUR_MS, 'Ann', 'patches']]);
    expect(rowsOf('On call')).toEqual([['Night', 'Ann', NOW + HOUR_MS, 'Bo', NOW + HOUR_MS]]);
    expectWhole(told);
  });

  test('of a past range names the time at which its groups are open', () => {
    const range = { from: NOW - 48 * HOUR_MS, to: NOW - 24 * HOUR_MS };
    const told = handover(read, { ...chosen, range, zone: 'Europe/Berlin' });
    expect(told.sections[0]?.heading).toBe('Open now (20 Nov 2026, 13:00)');
  });

  test('tells that there is nothing', () => {
    const none = { rows: [], total: 0 };
    const nothing = {
      ...read,
      began: [],
      resolved: 0,
      open: { ...none, unassigned: 0 },
      acts: none,
      silences: [],
      onCall: [],
    };
    expect(handover(nothing, chosen).summary).toEqual([
      'No groups started in 24 hours.',
      'No groups are open now (20 Nov 2026, 12:00).',
      'No user actions are recorded.',
      'Nothing to watch.',
    ]);
  });
});

test.each([
  [[], 0],
  [[{ from: 0, to: 5 }], 5],
  [
    [
      { from: 3, to: 8 },
      { from: 0, to: 5 },
      { from: 20, to: 21 },
    ],
    9,
  ],
  [
    [
      { from: 0, to: 9 },
      { from: 2, to: 3 },
    ],
    9,
  ],
])('the time that %j cover is %d', (spans, ms) => expect(coveredMs(spans)).toBe(ms));
