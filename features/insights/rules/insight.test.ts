import { describe, expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import type { Service } from '#domain/services/service.ts';
import { sampleEvent } from '#test/contract/samples.ts';
import { aCi } from '#test/contract/topology-samples.ts';
import { type CiEvents, type CiPicture, DAY_MS, SPAN_MS } from './ci-picture.ts';
import { insightOf } from './insight.ts';

const AT = Date.parse('2026-11-20T10:00:00Z');
const CI = aCi('ci-1', { name: 'db-1', type: 'database', createdAt: AT - 90 * DAY_MS });
const NO_IMPACT = { impacted: [], protected: [], truncated: false };
const SILENT: CiEvents = { open: [], openTotal: 0, recent: [], now: 0, before: 0, lessons: [] };
const QUIET: CiPicture = {
  ci: CI,
  at: AT,
  needs: [],
  impact: NO_IMPACT,
  services: [],
  relationships: 2,
  lastSeen: null,
  sharedAddresses: [],
  events: SILENT,
};
const told = (parts: Partial<CiPicture>): string[] => insightOf({ ...QUIET, ...parts }).claims.map(({ text }) => text);
const named = (name: string) => ({ id: `id-${name}`, name, type: 'server' });
const below = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ ci: `id-${i}`, name: `app-${i}`, type: 'server', hops: 1, via: CI.id }));
const shop = { id: 's1', name: 'Shop', criticality: 'critical' } as Service;
const event = (parts: Partial<Event>) =>
  sampleEvent(1, { title: 'Disk full', severity: 'major', firstOccurrence: AT, ...parts });

test('a CI of which little is known', () => {
  expect(told({})).toEqual([
    'db-1: database, active.',
    'No known impact on other CIs.',
    'No open events.',
    '0 new events in 30 days, no significant change from 0 in the previous 30.',
  ]);
});

describe('each of the other sentences has its reason', () => {
  test.each<[string, Partial<CiPicture>, string]>([
    [
      'it needs others',
      { needs: ['a', 'b', 'c', 'd'].map(named) },
      'It depends directly on 4 CIs: a, b, c and 1 more.',
    ],
    [
      'others hang on it',
      { impact: { ...NO_IMPACT, impacted: below(1) } },
      'If it fails, 1 other CI is impacted: app-0.',
    ],
    [
      'redundancy saves others',
      { impact: { ...NO_IMPACT, protected: [{ ci: 'x', name: 'lb', type: 'server', hops: 1, groups: [] }] } },
      'Protected by redundancy: 1 CI (lb).',
    ],
    [
      'services suffer',
      { services: [{ service: shop, impact: 'degraded_functionality' }] },
      'Affected business services: Shop (critical) is degraded.',
    ],
    [
      'three others hang on it',
      { impact: { ...NO_IMPACT, impacted: below(3) } },
      'Single point of failure for 3 CIs; no redundancy.',
    ],
    [
      'events are open',
      { events: { ...SILENT, open: [event({})], openTotal: 2 } },
      '2 open events: major “Disk full”; …',
    ],
    [
      'more events than before',
      { events: { ...SILENT, now: 6 } },
      '6 new events in 30 days, more than 0 in the previous 30.',
    ],
    [
      'no scan has seen it',
      { lastSeen: AT - SPAN_MS },
      'Not seen by discovery or import for 30 days; it may be decommissioned.',
    ],
    [
      'it is related to nothing',
      { relationships: 0 },
      "No relationships, so its events can't be correlated by topology.",
    ],
    [
      'others have its address',
      { sharedAddresses: ['10.0.0.1'] },
      'Address 10.0.0.1 is shared with other CIs; events with only this address stay unbound.',
    ],
  ])('%s', (_, parts, expected) => expect(told(parts)).toContain(expected));

  test.each<[string, Partial<CiPicture>, RegExp]>([
    ['seen a moment too early', { lastSeen: AT - SPAN_MS + 1 }, /No scan/],
    ['two others alone', { impact: { ...NO_IMPACT, impacted: below(2) } }, /single point/],
    ['a CI younger than both spans', { ci: { ...CI, createdAt: AT - 2 * SPAN_MS + 1 } }, /new events/],
    ['a caller who may not read events', { events: null }, /event/],
  ])('and not %s', (_, parts, pattern) => expect(told(parts).join('\n')).not.toMatch(pattern));
});

test('similar incidents and how they ended', () => {
  const ann = { id: 'u1', username: 'ann', name: 'Ann' };
  const ended = event({
    id: '01M7YWBDXTWDA6R21CQ905J7YQ',
    status: 'resolved',
    firstOccurrence: AT - 3 * DAY_MS,
    signature: 'disk',
    resolvedAt: AT - 3 * DAY_MS + 5_400_000,
    resolvedBy: ann,
    resolutionCategory: 'manual-fix',
    resolutionNotes: 'Rotated the logs',
  });
  const other = event({ ...ended, id: '01M7YWBDXTWDA6R21CQ905J7YR', signature: 'other' });
  const open = event({ signature: 'disk' });
  const said = told({ events: { ...SILENT, open: [open], openTotal: 1, recent: [open, other, ended] } });
  expect(said.filter((text) => text.includes('ended'))).toEqual([
    '“Disk full” from 2026-11-17 10:00 UTC ended after 1h 30m as manual-fix by Ann: Rotated the logs.',
  ]);
});

test('every sentence stands on evidence that is there', () => {
  const { claims, pack } = insightOf({
    ...QUIET,
    needs: ['a', 'b'].map(named),
    impact: { ...NO_IMPACT, impacted: below(60) },
    services: [{ service: shop, impact: 'full_outage' }],
    events: { ...SILENT, open: [event({})], openTotal: 1 },
  });
  const aliases = pack.map(({ alias }) => alias);
  for (const { refs } of claims) {
    expect(refs.length).toBeGreaterThan(0);
    expect(refs.length).toBeLessThanOrEqual(5);
    for (const ref of refs) expect(aliases).toContain(ref);
  }
  expect(pack.length).toBeLessThanOrEqual(40);
});
