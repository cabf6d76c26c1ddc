import { describe, expect, test } from '@jest/globals';
import type { Candidate } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { complaintOf } from '#domain/event/identity/complaint.ts';
import { MINUTE, NOON, sampleEvent, ulidOf } from '#test/contract/samples.ts';
import { analyse, recordOf } from './analysis.ts';
import type { Case, GroupFacts } from './case.ts';

const ci = (name: string) => ({ id: `ci-${name}`, name, type: 'server' });
const event = (number: number, name: string, title: string, more: Partial<Event> = {}): Event =>
  sampleEvent(number, { ci: ci(name), title, ...more });
const app = event(10, 'app-1', 'Login page answers with an error');
const link = event(1, 'sw-1', 'Link down', { severity: 'critical' });
const deploy = event(4, 'app-1', 'Release 4.2 deployed', { category: 'deployment' });

const caseOf = (about: Event, more: Partial<Case> = {}): Case => ({
  event: about,
  complaint: complaintOf(about),
  ci: about.ci,
  hasRelationships: true,
  strangeness: { value: 3, events: 2, episodes: 1, days: 30, run: 1, lastAt: NOON },
  score: 0.7,
  group: null,
  changes: [],
  upstream: [],
  related: [],
  resolved: [],
  abstainBelow: 0.35,
  ...more,
});
const grouped = (cause: Event, confidence: number, explains = 3): GroupFacts => {
  const all = Array.from({ length: explains }, (_, i) => ({ ciId: `c${i}`, hops: 1 }));
  const reasoning = 'upstream_dependency' as const;
  const candidate: Candidate = {
    eventId: cause.id,
    ciId: cause.ci?.id ?? null,
    score: 1,
    confidence,
    reasoning,
    explains: all,
    alternatives: [{ eventId: ulidOf(2), score: 0.5 }],
  };
  const explained = all.slice(0, 3).map(({ ciId }) => ({ id: ciId, name: `name-${ciId}`, type: 'server' }));
  const suspects = [cause, event(2, 'db-1', 'Slow')];
  return { id: 'COR-1-abc', size: 4, candidate, suspects, explained, byTimeAlone: false, isLearning: false };
};
const causeOf = (about: Case) => recordOf(analyse(about), NOON);

describe('the hypothesis', () => {
  test.each([
    ['sure: probably', 0.5, '"Link down" on sw-1 is probably the cause: it explains 3 CIs of the group.', 0.5, false],
    ['less: possibly', 0.49, '"Link down" on sw-1 is possibly the cause: it explains 3 CIs of the group.', 0.49, false],
    ['just enough', 0.35, '"Link down" on sw-1 is possibly the cause: it explains 3 CIs of the group.', 0.35, false],
  ])('the candidate of the group, %s', (_, confidence, text, shown, abstained) => {
    const found = causeOf(caseOf(app, { group: grouped(link, confidence) }));
    expect(found).toMatchObject({ rootCauseHypothesis: text, confidence: shown, abstained });
  });

  test('of a candidate below the bound is abstained, with what was looked at and the nearest', () => {
    const found = causeOf(caseOf(app, { group: grouped(link, 0.349) }));
    expect(found).toMatchObject({ abstained: true, confidence: 0 });
    expect(found.rootCauseHypothesis).toBe(
      'No cause can be named: no event of its group stands out, and no change within 60 min and no older open event up to 6 hops upstream. Nearest: sw-1; db-1.',
    );
  });

  test('each rule goes before the next', () => {
    const all = {
      group: grouped(link, 0.5),
      changes: [{ event: deploy, hops: 0 }],
      upstream: [{ event: link, hops: 2 }],
    };
    const disk = event(10, 'app-1', 'Disk full');
    const said = [all, { ...all, group: null }, { upstream: all.upstream }, {}].map(
      (more) => causeOf(caseOf(disk, more)).rootCauseHypothesis,
    );
    expect(said).toEqual([
      '"Link down" on sw-1 is probably the cause: it explains 3 CIs of the group.',
      'A change is probably the cause: "Release 4.2 deployed" on app-1, on the same CI, 6 min before.',
      '"Link down" on sw-1 is possibly the cause: open since 9 min before, 2 hops upstream.',
      '"Disk full" on app-1 is possibly a cause itself: it tells of a known one, disk full.',
    ]);
    expect(causeOf(caseOf(app)).abstained).toBe(true);
  });

  test('what the tenant wants to be surer of is not named', () => {
    const found = causeOf(caseOf(app, { changes: [{ event: deploy, hops: 0 }], abstainBelow: 0.61 }));
    expect(found.abstained).toBe(true);
  });
});

describe('a candidate that nothing but its time joins with the event', () => {
  const alone = (more: Partial<GroupFacts> = {}): GroupFacts => ({ ...grouped(link, 0.9), byTimeAlone: true, ...more });
  const { ci: _ci, ...unbound } = app;
  const unknown = { ...unbound, ci: null, hostname: 'mystery-1' };

  test.each([
    ['unbound', unknown, 'this event is bound to no CI'],
    ['bound', app, 'no relationship leads from it to this event'],
    ['itself', link, 'nothing but time joins it with the others'],
  ])('is possible at most, and it is said why: %s', (_, about, why) => {
    const found = causeOf(caseOf(about, { group: alone() }));
    expect(found.rootCauseHypothesis).toBe(
      `"Link down" on sw-1 is possibly the cause, by time alone: it is the root-cause candidate of the group, and ${why}.`,
    );
    expect(found).toMatchObject({ confidence: 0.4, abstained: false });
    expect(found.warnings).toEqual([expect.stringMatching(/^By time alone: /)]);
    expect(found.certainties).not.toContain('likely');
  });

  test('is no surer than the group', () => {
    const group = { ...grouped(link, 0.36), byTimeAlone: true };
    expect(causeOf(caseOf(unknown, { group })).confidence).toBe(0.36);
    expect(causeOf(caseOf(unknown, { group, abstainBelow: 0.37 })).abstained).toBe(true);
  });

  test('comes after a change on the CI, which relationships speak for', () => {
    const found = causeOf(caseOf(app, { group: alone(), changes: [{ event: deploy, hops: 0 }] }));
    expect(found.rootCauseHypothesis).toMatch(/^A change is probably the cause/);
  });

  test('is compared with, and neither checked first nor waited for', () => {
    expect(causeOf(caseOf(unknown, { group: alone() })).recommendedActions).toEqual([
      'Read the newest errors in its log, and compare with the last release.',
      'See whether it has to do with "Link down" on sw-1, which began near in time.',
      'Bind the event to a CI: nothing is known of what mystery-1 depends on.',
    ]);
  });

  test('of a young tenant has the warning of the group, as any other has', () => {
    const learning = { isLearning: true };
    const warnings = (group: GroupFacts) => causeOf(caseOf(app, { group })).warnings;
    expect(warnings(alone(learning))).toHaveLength(2);
    expect(warnings({ ...grouped(link, 0.9), ...learning })).toEqual([expect.stringContaining('not known yet')]);
    expect(warnings(grouped(link, 0.9))).toBeUndefined();
  });
});

describe('what the candidate explains', () => {
  const cited = (explains: number): string[] => {
    const found = causeOf(caseOf(app, { group: grouped(link, 0.8, explains) }));
    return found.refs!.hypothesis.map((ref) => found.citations!.find((one) => one.ref === ref)!.id);
  };
  const own = [eventIdOf(link.id), 'ci-sw-1'];

  test.each([
    ['none', 0, [...own, 'COR-1-abc']],
    ['two', 2, [...own, 'c0', 'c1', 'COR-1-abc']],
    ['three', 3, [...own, 'c0', 'c1', 'c2']],
    ['more: the group lists all', 4, [...own, 'COR-1-abc', 'c0', 'c1']],
  ])('is cited: %s', (_, explains, ids) => expect(cited(explains)).toEqual(ids));
});

describe('what to do', () => {
  const kim = { id: 'u1', username: 'kim', name: 'Kim' };
  const fixed = event(3, 'app-1', 'Login page answers with an error', {
    status: 'resolved',
    resolvedBy: kim,
    resolvedAt: NOON + 5 * MINUTE,
    resolutionNotes: 'restarted the pool',
    resolutionCategory: 'manual-fix',
  });

  test('check the cause first, do as before, and what is missing last', () => {
    const about = caseOf(app, { group: grouped(link, 0.8), resolved: [fixed], hasRelationships: false });
    expect(causeOf(about).recommendedActions).toEqual([
      'Check sw-1 first: "Link down" on sw-1.',
      'The same complaint on app-1 before: Kim resolved it at 2026-01-15 12:05 UTC (manual-fix): "restarted the pool".',
      'Expect the errors to end with the cause; look again when it is resolved.',
      'Add a relationship: app-1 has none, so no cause upstream can be found.',
    ]);
  });

  test('the cause itself is told how such a thing is repaired', () => {
    const about = caseOf(link, { group: grouped(link, 0.8) });
    expect(causeOf(about).recommendedActions).toEqual([
      'Check cable, port and the other end of the link, and whether a second way carries the traffic.',
    ]);
  });

  test('an event without a CI is to be bound', () => {
    const { ci: _ci, ...unbound } = app;
    const actions = causeOf(caseOf({ ...unbound, ci: null, hostname: 'app-1' })).recommendedActions;
    expect(actions.at(-1)).toBe('Bind the event to a CI: nothing is known of what app-1 depends on.');
  });

  test('never more than five, and what ended by itself is told when no one did anything', () => {
    const five = Array.from({ length: 5 }, (_, i) => ({ ...fixed, id: ulidOf(20 + i) }));
    const about = caseOf(app, { group: grouped(link, 0.8), resolved: five, hasRelationships: false });
    expect(causeOf(about).recommendedActions).toHaveLength(5);
    const alone = event(3, 'app-1', 'x', { status: 'resolved', resolvedAt: NOON, resolutionCategory: 'auto-resolved' });
    expect(causeOf(caseOf(app, { resolved: [alone] })).recommendedActions[0]).toBe(
      'The same complaint on app-1 before: it ended by itself at 2026-01-15 12:00 UTC (auto-resolved).',
    );
  });
});

describe('the record', () => {
  test.each([
    [
      'unusual',
      { score: 0.95 },
      'Unusual: this complaint came 2 times in 1 run in the last 30 days, last at 2026-01-15 12:00 UTC.',
    ],
    [
      'not',
      { score: 0.5 },
      'Not unusual: this complaint came 2 times in 1 run in the last 30 days, last at 2026-01-15 12:00 UTC.',
    ],
    [
      'young',
      { strangeness: { value: 1, events: 0, episodes: 0, days: 0.2, run: 1, lastAt: null } },
      'Too early to say how unusual it is: less than a day of history is known; not seen before.',
    ],
  ])('says how usual it is: %s', (_, more, text) => expect(causeOf(caseOf(app, more)).history?.text).toBe(text));

  test('every sentence has citations, and each names something of the case', () => {
    const about = caseOf(app, { group: grouped(link, 0.8), related: [app.id, link.id] });
    const found = causeOf(about);
    const refs = [found.refs!.history, found.refs!.hypothesis, ...found.refs!.actions];
    for (const some of refs) expect(some.length).toBeGreaterThan(0);
    const known = found.citations!.map(({ ref }) => ref);
    for (const ref of refs.flat()) expect(known).toContain(ref);
    expect(found.relatedEvents).toEqual([eventIdOf(link.id)]);
    expect(found.citations!.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual([
      'ci c0',
      'ci c1',
      'ci c2',
      'ci ci-sw-1',
      `event ${eventIdOf(link.id)}`,
      `event ${eventIdOf(app.id)}`,
    ]);
  });

  test('no sentence is longer than 300 characters', () => {
    const long = 'a long title '.repeat(80);
    const cause = event(1, 'x'.repeat(255), long);
    const about = event(10, 'y'.repeat(255), long);
    const resolved = [
      {
        ...about,
        id: ulidOf(5),
        resolutionNotes: long,
        resolvedAt: NOON,
        resolutionCategory: 'no-action-needed' as const,
      },
    ];
    for (const group of [grouped(cause, 0.9), grouped(cause, 0.1)]) {
      const found = causeOf(caseOf(about, { group, resolved, hasRelationships: false }));
      const said = [found.rootCauseHypothesis, found.history!.text, ...found.recommendedActions];
      for (const text of said) expect(text.length).toBeLessThanOrEqual(300);
    }
  });
});
