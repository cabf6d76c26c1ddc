import { describe, expect, test } from '@jest/globals';
import type { Candidate } from '#domain/correlation/records.ts';
import { complaintKindOf } from '#domain/event/complaints/kind.ts';
import type { Event } from '#domain/event/event.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { problemKindOf } from '#domain/event/identity/problem-kind.ts';
import { MINUTE, NOON, sampleEvent, ulidOf } from '#test/contract/samples.ts';
import { analyse, recordOf } from './analysis.ts';
import type { Case, GroupFacts } from './case.ts';
import { isNamedByGroup } from './hypothesis.ts';

const ci = (name: string) => ({ id: `ci-${name}`, name, type: 'server' });
const event = (number: number, name: string, title: string, more: Partial<Event> = {}): Event =>
  sampleEvent(number, { ci: ci(name), title, ...more });
const app = event(10, 'app-1', 'Login page answers with an error');
const link = event(1, 'sw-1', 'Link down', { severity: 'critical' });
const deploy = event(4, 'app-1', 'Release 4.2 deployed', { category: 'deployment' });

const caseOf = (about: Event, more: Partial<Case> = {}): Case => ({
  event: about,
  complaint: problemKindOf(about),
  kind: complaintKindOf(about),
  isUsual: false,
  judged: null,
  lesson: null,
  learned: null,
  runbook: null,
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
    ['sure: probably', 0.5, 'Probable root cause: "Link down" on sw-1 (explains 3 CIs in the group).', 0.5, false],
    ['less: possibly', 0.49, 'Possible root cause: "Link down" on sw-1 (explains 3 CIs in the group).', 0.49, false],
    ['just enough', 0.35, 'Possible root cause: "Link down" on sw-1 (explains 3 CIs in the group).', 0.35, false],
  ])('the candidate of the group, %s', (_, confidence, text, shown, abstained) => {
    const found = causeOf(caseOf(app, { group: grouped(link, confidence) }));
    expect(found).toMatchObject({ rootCauseHypothesis: text, confidence: shown, abstained });
  });

  test('of a candidate below the bound is abstained, with what was looked at and the nearest', () => {
    const found = causeOf(caseOf(app, { group: grouped(link, 0.349) }));
    expect(found).toMatchObject({ abstained: true, confidence: 0 });
    expect(found.rootCauseHypothesis).toBe(
      'No root cause identified: no root cause in its group, and no change within 60m and no older open event up to 6 hops upstream. Closest candidates: sw-1; db-1.',
    );
  });

  test('each rule goes before the next', () => {
    const all = {
      group: grouped(link, 0.5),
      changes: [{ event: deploy, hops: 0 }],
      upstream: [{ event: link, hops: 2 }],
    };
    const disk = event(10, 'app-1', 'Disk full');
    const said = [all, { ...all, group: null }, { upstream: all.upstream }].map(
      (more) => causeOf(caseOf(app, more)).rootCauseHypothesis,
    );
    said.push(causeOf(caseOf(disk)).rootCauseHypothesis);
    expect(said).toEqual([
      'Probable root cause: "Link down" on sw-1 (explains 3 CIs in the group).',
      'Probable root cause: change "Release 4.2 deployed" on app-1, on the same CI, 6m before.',
      'Possible root cause: "Link down" on sw-1, open since 9m before, 2 hops upstream.',
      'Probable root cause: "Disk full" on app-1, a problem on app-1 itself.',
    ]);
    expect(causeOf(caseOf(app)).abstained).toBe(true);
  });

  test('what lies around an event is asked about just when its group names no cause', () => {
    const around = { changes: [{ event: deploy, hops: 0 }], upstream: [{ event: link, hops: 2 }] };
    const groups = [null, grouped(link, 0.5), grouped(link, 0.349), { ...grouped(link, 0.5), byTimeAlone: true }];
    const named = groups.map((group) =>
      isNamedByGroup({ event: app, group, kind: complaintKindOf(app), abstainBelow: 0.35 }),
    );
    expect(named).toEqual([false, true, false, false]);
    const differs = groups.map(
      (group) =>
        causeOf(caseOf(app, { group })).rootCauseHypothesis !==
        causeOf(caseOf(app, { group, ...around })).rootCauseHypothesis,
    );
    expect(differs).toEqual(named.map((isNamed) => !isNamed));
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
    ['unbound', unknown, 'this event has no CI'],
    ['bound', app, 'no relationship to this event'],
    ['itself', link, 'related by time only'],
  ])('is possible at most, and it is said why: %s', (_, about, why) => {
    const found = causeOf(caseOf(about, { group: alone() }));
    expect(found.rootCauseHypothesis).toBe(
      `Possible root cause by time only: "Link down" on sw-1 is the group's root-cause candidate, but ${why}.`,
    );
    expect(found).toMatchObject({ confidence: 0.4, abstained: false });
    expect(found.warnings).toEqual([expect.stringMatching(/^Grouped by time only: /)]);
    expect(found.certainties).not.toContain('likely');
  });

  test('is no surer than the group', () => {
    const group = { ...grouped(link, 0.36), byTimeAlone: true };
    expect(causeOf(caseOf(unknown, { group })).confidence).toBe(0.36);
    expect(causeOf(caseOf(unknown, { group, abstainBelow: 0.37 })).abstained).toBe(true);
  });

  test('comes after a change on the CI, which relationships speak for', () => {
    const found = causeOf(caseOf(app, { group: alone(), changes: [{ event: deploy, hops: 0 }] }));
    expect(found.rootCauseHypothesis).toMatch(/^Probable root cause: change/);
  });

  test('is compared with, and neither checked first nor waited for', () => {
    expect(causeOf(caseOf(unknown, { group: alone() })).recommendedActions).toEqual([
      'No advice for this problem. Add a runbook to the CI or resolution notes to the event.',
      'Check whether it is related to "Link down" on sw-1, which started around the same time.',
      'Bind the event to a CI; the dependencies of mystery-1 are unknown.',
    ]);
  });

  test('of a young tenant has the warning of the group, as any other has', () => {
    const learning = { isLearning: true };
    const warnings = (group: GroupFacts) => causeOf(caseOf(app, { group })).warnings;
    expect(warnings(alone(learning))).toHaveLength(2);
    expect(warnings({ ...grouped(link, 0.9), ...learning })).toEqual([
      expect.stringContaining('still learning its background rates'),
    ]);
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

describe('A person who judges the cause', () => {
  const switched = event(5, 'core-sw-2', 'Interface Ethernet1/14 err-disabled');
  const judged = { by: 'Ann', at: NOON, isRight: false, root: switched, note: 'broken SFP' };

  test('is followed, with the note and what the score had', () => {
    const found = causeOf(caseOf(app, { group: grouped(link, 0.9), judged }));
    expect(found.rootCauseHypothesis).toBe(
      'Root cause set by Ann: "Interface Ethernet1/14 err-disabled" on core-sw-2, "broken SFP"; top score: sw-1.',
    );
    expect(found).toMatchObject({ confidence: 1, abstained: false });
    expect(found.recommendedActions[0]).toMatch(/^Check core-sw-2 first/);
  });

  test('may confirm the candidate, or reject it without naming another', () => {
    const group = grouped(link, 0.9);
    const confirmed = causeOf(caseOf(app, { group, judged: { ...judged, isRight: true, root: null, note: null } }));
    expect(confirmed.rootCauseHypothesis).toBe('Root cause confirmed by Ann: "Link down" on sw-1.');
    const rejected = causeOf(caseOf(app, { group, judged: { ...judged, root: null } }));
    expect(rejected.rootCauseHypothesis).toMatch(
      /^No root cause identified: Ann rejected the candidate of its group\./,
    );
  });

  test('is remembered the next time', () => {
    const lesson = {
      signature: app.signature,
      by: 'Ann',
      at: NOON,
      groupId: 'COR-1',
      note: 'broken SFP',
      rootTitle: 'Interface err-disabled',
      rootSubject: 'core-sw-2',
      rootKind: 'port_disabled',
      scoredKind: null,
    };
    expect(causeOf(caseOf(app, { lesson })).recommendedActions[0]).toBe(
      'Last time, Ann set the root cause to "Interface err-disabled" on core-sw-2: "broken SFP".',
    );
  });
});

test('a problem of its own upstream, shortly before the candidate, goes before it', () => {
  const port = event(6, 'core-sw-2', 'Interface Ethernet1/14 err-disabled', { timestamp: NOON, severity: 'critical' });
  const evicted = event(7, 'ora-1', 'ORA-29740: instance evicted from cluster', { timestamp: NOON + 25_000 });
  const about = (above: Event) =>
    caseOf(evicted, { group: grouped(evicted, 0.9), upstream: [{ event: above, hops: 1 }] });
  expect(causeOf(about(port)).rootCauseHypothesis).toBe(
    'Probable root cause: "Interface Ethernet1/14 err-disabled" on core-sw-2, upstream, 0m before "ORA-29740: instance evicted from cluster" on ora-1, the highest-scored candidate.',
  );
  const earlier = { ...port, timestamp: NOON - 60 * MINUTE };
  expect(causeOf(about(earlier)).rootCauseHypothesis).toMatch(/^Probable root cause: "ORA-29740/);
});

describe('a cause is named only for what has one', () => {
  test('a problem that is usual for its CI has none, and the past says that it is usual', () => {
    const found = causeOf(
      caseOf(app, { isUsual: true, group: grouped(link, 0.9), upstream: [{ event: link, hops: 1 }] }),
    );
    expect(found.rootCauseHypothesis).toBe('No root cause identified: nothing unusual, this problem recurs on app-1.');
    expect(found.history?.text).toMatch(/^Recurring on app-1: this problem occurred 2 times/);
    expect(found.recommendedActions).toEqual([expect.stringMatching(/^Nothing new to do/)]);
  });

  test('a change is none of a problem', () => {
    const found = causeOf(caseOf(deploy, { upstream: [{ event: link, hops: 1 }] }));
    expect(found.rootCauseHypothesis).toBe('No root cause identified: this is a change, not a problem.');
    expect(found.recommendedActions).toEqual(['Nothing to do unless problems started after the change.']);
  });

  test('what is local has none upstream', () => {
    const cassette = event(10, 'atm-33', 'Cash cassette 2 low');
    const found = causeOf(caseOf(cassette, { group: grouped(link, 0.9) }));
    expect(found.rootCauseHypothesis).toBe(
      'No root cause identified: a local problem on atm-33 without an upstream cause.',
    );
    expect(found.recommendedActions).toEqual(['Schedule a refill.']);
  });

  test('what never came before is not called usual', () => {
    const never = { value: 2, events: 0, episodes: 0, days: 30, run: 1, lastAt: null };
    expect(causeOf(caseOf(app, { strangeness: never, score: 0.5 })).history?.text).toBe(
      'Unusual: first occurrence of this problem in the last 30 days.',
    );
  });
});

describe('what to do', () => {
  test('a runbook goes before the table', () => {
    const found = causeOf(caseOf(link, { runbook: 'https://wiki.example.com/link' }));
    expect(found.recommendedActions[0]).toBe('Runbook: https://wiki.example.com/link');
  });

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
      'Previous occurrence on app-1: resolved by Kim at 2026-01-15 12:05 UTC (manual-fix): "restarted the pool".',
      'Errors should stop once the root cause is fixed. Recheck then.',
      "Add relationships: app-1 has none, so upstream causes can't be found.",
    ]);
  });

  test('the cause itself is told how such a thing is repaired', () => {
    const about = caseOf(link, { group: grouped(link, 0.8) });
    expect(causeOf(about).recommendedActions).toEqual([
      'Check cable, port and the other end of the link, and whether a redundant path carries the traffic.',
    ]);
  });

  test('an event without a CI is to be bound', () => {
    const { ci: _ci, ...unbound } = app;
    const actions = causeOf(caseOf({ ...unbound, ci: null, hostname: 'app-1' })).recommendedActions;
    expect(actions.at(-1)).toBe('Bind the event to a CI; the dependencies of app-1 are unknown.');
  });

  test('never more than five, and what ended by itself is told when no one did anything', () => {
    const five = Array.from({ length: 5 }, (_, i) => ({ ...fixed, id: ulidOf(20 + i) }));
    const about = caseOf(app, { group: grouped(link, 0.8), resolved: five, hasRelationships: false });
    expect(causeOf(about).recommendedActions).toHaveLength(5);
    const alone = event(3, 'app-1', 'x', { status: 'resolved', resolvedAt: NOON, resolutionCategory: 'auto-resolved' });
    expect(causeOf(caseOf(app, { resolved: [alone] })).recommendedActions[0]).toBe(
      'Previous occurrence on app-1: resolved automatically at 2026-01-15 12:00 UTC (auto-resolved).',
    );
  });
});

describe('the record', () => {
  test.each([
    [
      'unusual',
      { score: 0.95 },
      'Unusual: this problem occurred 2 times in 1 burst in the last 30 days, last at 2026-01-15 12:00 UTC.',
    ],
    [
      'not',
      { score: 0.5 },
      'Not unusual: this problem occurred 2 times in 1 burst in the last 30 days, last at 2026-01-15 12:00 UTC.',
    ],
    [
      'young',
      { strangeness: { value: 1, events: 0, episodes: 0, days: 0.2, run: 1, lastAt: null } },
      'Not enough history (less than a day); not seen before.',
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
