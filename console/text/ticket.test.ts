import { expect, test } from '@jest/globals';
import type { GroupDetailData } from '#console/api/groups.ts';
import { curlOf, ticketMarkdown, ticketText } from './ticket.ts';

const GROUP = {
  severity: 'critical',
  title: 'Power feed <b>lost</b>',
  eventCount: 62,
  counts: { open: 2, acknowledged: 0, suppressed: 0, resolved: 60 },
  timeSpan: { start: '2026-11-23T00:17:19.000Z' },
  rootCauseCandidate: { confidence: 0.76, explains: [{ ciId: 'c', hops: 1 }] },
  causeName: 'ams2-ups-b',
  verdict: null,
  cause: {
    event: { title: 'Power feed <b>lost</b>' },
    ci: { name: 'ams2-ups-b' },
    confidence: 0.76,
    reasoning: 'earliest_severe_event',
  },
  impactedServices: [{ name: 'Shop' }],
  services: { names: [], count: 0 },
  servicesHit: { names: ['Shop'], count: 1 },
  cis: { names: [], count: 2 },
  assignedTo: null,
  assignedTeam: null,
  acknowledgedBy: null,
} as unknown as GroupDetailData;

test('as text it says what a colleague asks first', () => {
  expect(ticketText(GROUP, 'http://h/ui/groups/G').split('\n')).toEqual([
    'CRITICAL: ams2-ups-b: Power feed <b>lost</b>',
    '2 of 62 open, 1 CI impacted by ams2-ups-b, affects Shop, unassigned',
    'Probable root cause: Power feed <b>lost</b> on ams2-ups-b (76%, early severe event)',
    'Services: Shop',
    'Started 2026-11-23T00:17:19.000Z',
    'http://h/ui/groups/G',
  ]);
});

test('a cause that a user set has no percent of the scored one', () => {
  const verdict = { cause: 'wrong', rootEventId: 'EVT-2', by: { name: 'Ada' } };
  const text = ticketText({ ...GROUP, verdict } as unknown as GroupDetailData, 'l');
  expect(text).toContain('Probable root cause: Power feed <b>lost</b> on ams2-ups-b (confirmed by Ada)');
  expect(text).toContain('2 CIs affected');
});

test('as Markdown nothing of a title becomes markup', () => {
  const text = ticketMarkdown(GROUP, 'http://h/ui/groups/G');
  expect(text).toContain('### CRITICAL: ams2-ups-b: Power feed \\<b\\>lost\\</b\\>');
  expect(text.split('\n').at(-1)).toBe('- [Open in Faultline](http://h/ui/groups/G)');
});

test('as a request it names no token', () => {
  expect(curlOf('http://h/', 'COR-1')).toBe(
    `curl -H "Authorization: Bearer $FAULTLINE_TOKEN" 'http://h/api/events/groups/COR-1'`,
  );
});
