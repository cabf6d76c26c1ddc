import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addEdge, PRESENT } from '#domain/topology/graph/edges.ts';
import { addNode, emptyGraph } from '#domain/topology/graph/graph.ts';
import { impactOf } from '#domain/topology/graph/impact.ts';
import { unnamedImpact } from '#domain/topology/graph/impact-by-rounds.ts';
import type { Impact, Redundancy } from '#domain/topology/topology.ts';
import { sampleEvent } from '#test/contract/samples.ts';
import { aCi } from '#test/contract/topology-samples.ts';
import { assessChange } from './assess-change.ts';
import type { ChangePicture, ChangeState } from './change-picture.ts';

const STATE: ChangeState = { partnersDown: [], doubtful: [], lastOnes: [], isStopped: false };
const named = (id: string) => ({ id, name: id, type: 'server' });

/** `app` depends on members of one group, `below` others on `app`; impact of one member while others are down. */
function impactOfMember(
  { members, required, below }: { members: number; required: number; below: number },
  { down, isRedundant }: { down: readonly string[]; isRedundant: boolean },
): Impact {
  const graph = emptyGraph();
  const redundancy = new Map<number, Redundancy>();
  const facts = { type: 'depends_on', critical: false, since: -Infinity, until: Infinity };
  const app = addNode(graph, 'app');
  for (let i = 0; i < members; i++) {
    const edge = addEdge(graph, app, addNode(graph, `m${i}`), facts);
    if (isRedundant) redundancy.set(edge, { group: 'g', required });
  }
  for (let i = 0; i < below; i++) addEdge(graph, addNode(graph, `b${i}`), app, facts);
  const isDown = new Set(down.map((id) => addNode(graph, id)));
  const found = unnamedImpact(
    graph,
    impactOf(graph, [addNode(graph, 'm0')], { redundancy, limit: 1_000, at: PRESENT, down: isDown }),
  );
  const withName = <T extends { readonly ci: string }>(one: T) => ({ ...one, name: one.ci, type: 'server' });
  return {
    impacted: found.impacted.map(withName),
    protected: found.protected.map(withName),
    truncated: found.truncated,
    partnersDown: found.partnersDown.map(withName),
  };
}

const picture = (impact: Impact, state: Partial<ChangeState> = {}): ChangePicture => ({
  ci: aCi('m0', { name: 'm0' }),
  criticality: 'medium',
  said: 'restart',
  type: 'restart',
  planned: null,
  durationMs: null,
  window: null,
  impact,
  state: { ...STATE, ...state },
  all: 50,
  services: [],
  upstream: [],
  conflicts: [],
  events: { open: [], incidents: [], earlier: [] },
});
const assessed = (impact: Impact) =>
  assessChange(
    picture(impact, { partnersDown: (impact.partnersDown ?? []).map(({ ci }) => ({ ...named(ci), why: 'event' })) }),
  );

test('with so many members down that none is to spare, the last ones are as risky as one without redundancy', () => {
  const shape = fc
    .record({ members: fc.integer({ min: 2, max: 6 }), below: fc.nat(10) })
    .chain(({ members, below }) =>
      fc.integer({ min: 1, max: members - 1 }).map((required) => ({ members, below, required })),
    );
  fc.assert(
    fc.property(shape, (one) => {
      const down = Array.from({ length: one.members - one.required }, (_, i) => `m${i + 1}`);
      const last = assessed(impactOfMember(one, { down, isRedundant: true }));
      const lone = assessed(impactOfMember(one, { down: [], isRedundant: false }));
      expect(last.riskScore).toBeGreaterThanOrEqual(lone.riskScore);
      expect(last.riskLevel).toBe('critical');
      expect(last.factors.find(({ name }) => name === 'partner_down')?.value).toMatch(/m\d/);
      const whole = assessed(impactOfMember(one, { down: [], isRedundant: true }));
      expect(last.riskScore).toBeGreaterThanOrEqual(whole.riskScore);
    }),
  );
});

describe('Who is down already', () => {
  const impact: Impact = { impacted: [], protected: [], truncated: false };
  const event = sampleEvent(1, { title: 'instance evicted', severity: 'critical' });
  const said = (state: Partial<ChangeState>) => {
    const { findings, riskLevel, recommendations } = assessChange(picture(impact, state));
    return { texts: findings.claims.map(({ text }) => text), riskLevel, recommendations };
  };

  test('is named, and makes the change of the last one critical', () => {
    const { texts, riskLevel, recommendations } = said({ partnersDown: [{ ...named('m1'), why: 'event', event }] });
    expect(riskLevel).toBe('critical');
    expect(texts).toContain('No redundancy left: m1 (“instance evicted”) is down, and m0 carries the load.');
    expect(recommendations).toContain('Restore m1 before you change m0.');
  });

  test.each([
    ['maintenance', 'No redundancy left: m1 (in maintenance) is down, and m0 carries the load.'],
    ['change', 'No redundancy left: m1 (changed at the same time) is down, and m0 carries the load.'],
  ] as const)('because of %s', (why, text) =>
    expect(said({ partnersDown: [{ ...named('m1'), why }] }).texts).toContain(text),
  );

  test('of a CI that is out of service itself a change takes little away', () => {
    const { texts, riskLevel } = said({ partnersDown: [{ ...named('m1'), why: 'event' }], isStopped: true });
    expect(riskLevel).not.toBe('critical');
    expect(texts).toContain('Also down: m1. m0 itself is out of service, so a change adds little risk.');
  });

  test('a failover in doubt is high, and a CI without spare is said to be', () => {
    expect(said({ doubtful: [{ ...named('m1'), why: 'event' }] }).riskLevel).toBe('high');
    expect(said({ lastOnes: [{ ...named('m1'), why: 'event' }] }).texts).toContain('m0 has no spare: m1 is down.');
  });
});
