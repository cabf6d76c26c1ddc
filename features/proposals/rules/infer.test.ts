import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NEEDED_PORTS } from '#features/discovery/rules/port-table.ts';
import {
  confidenceOf,
  FAN_OUT,
  infer,
  type Knowledge,
  LISTED_FROM,
  MAX_CONFIDENCE,
  type PortConnection,
  PRIORS,
} from './infer.ts';

const NOTHING: Knowledge = { listens: () => false, agrees: () => false, days: () => 0, targets: () => 0 };
const connection = (port: number, frequency: number, parts: Partial<PortConnection> = {}): PortConnection => ({
  source: 'web',
  target: 'db',
  protocol: 'tcp',
  port,
  frequency,
  ...parts,
});
const one = (connections: readonly PortConnection[], knowledge: Partial<Knowledge> = {}) =>
  infer(connections, connections, { ...NOTHING, ...knowledge }).listed[0];

test.each([
  [PRIORS.needed, 10, [], 0.474],
  [PRIORS.needed, 100, [], 0.75],
  [PRIORS.web, 10, [], 0.348],
  [PRIORS.other, 1_000, [], 0.3],
  [PRIORS.ephemeral, 1_000, [], 0.1],
  [PRIORS.needed, 0, ['listens'], 0.3],
  [PRIORS.needed, 10, ['listens'], 0.632],
  [PRIORS.needed, 10, ['listens', 'agrees'], 0.7055],
  [PRIORS.needed, 10, ['listens', 'agrees', 'days'], 0.764],
  [PRIORS.ephemeral, 10, ['listens', 'agrees', 'days'], 0.58],
] as const)('prior %d, %i connections, %j: %d', (prior, frequency, signs, confidence) => {
  expect(confidenceOf(prior, frequency, signs)).toBeCloseTo(confidence, 3);
});

describe('One relationship per source and target', () => {
  test.each([
    [5432, 'depends_on', 'PostgreSQL'],
    [2049, 'depends_on', 'NFS'],
    [443, 'depends_on', 'HTTPS'],
    [50_000, 'depends_on', 'Db2'],
    [7_777, 'communicates_with', null],
  ] as const)('port %i: %s', (port, type, service) => {
    expect(one([connection(port, 1_000)])).toMatchObject({ type, service });
  });

  test('an ephemeral port alone says too little to be listed', () => {
    expect(one([connection(45_000, 1_000)])).toBeUndefined();
  });

  test('frequencies are summed, and the port that says most decides', () => {
    expect(one([connection(45_000, 4), connection(5432, 6)])).toMatchObject({
      port: 5432,
      frequency: 10,
      confidence: 0.474,
      type: 'depends_on',
      signs: [],
    });
  });

  test('what the CMDB knows adds to it', () => {
    const asked: unknown[] = [];
    const knowledge: Partial<Knowledge> = {
      listens: (target, port) => asked.push([target, port]) > 0 && target === 'db',
      agrees: (_, __, words) => words.includes('postgres'),
      days: () => 3,
    };
    expect(one([connection(5432, 10)], knowledge)).toMatchObject({
      confidence: 0.764,
      signs: ['listens', 'agrees', 'days'],
    });
    expect(asked).toContainEqual(['db', 5432]);
    expect(one([connection(5432, 10)], { days: () => 2 })!.signs).toEqual([]);
  });

  test(`a source with more than ${FAN_OUT} targets on one port only communicates`, () => {
    const targets = (n: number) => Array.from({ length: n }, (_, i) => connection(5432, 1_000, { target: `db-${i}` }));
    expect(one(targets(FAN_OUT))).toMatchObject({ type: 'depends_on', confidence: 0.75 });
    expect(one(targets(FAN_OUT + 1))).toMatchObject({ type: 'communicates_with', confidence: 0.4, signs: ['fan-out'] });
    expect(one([connection(5432, 1_000)], { targets: () => FAN_OUT + 1 })).toMatchObject({ confidence: 0.4 });
  });

  test('both ways on the same port is a cluster, on another port it is not', () => {
    const back = (port: number) => connection(port, 10, { source: 'db', target: 'web' });
    expect(one([connection(5432, 10), back(5432)])).toMatchObject({ type: 'communicates_with', signs: ['cluster'] });
    expect(one([connection(5432, 10), back(80)])).toMatchObject({ type: 'depends_on', signs: [] });
  });

  test('whatever was seen, confidences lie between the bounds, surest first', () => {
    const end = fc.constantFrom('a', 'b', 'c');
    const port = fc.oneof(fc.constantFrom(...NEEDED_PORTS.keys(), 80, 443), fc.integer({ min: 1, max: 65_535 }));
    const seen = fc.record({ source: end, target: end, port, protocol: fc.constant('tcp'), frequency: fc.nat(1e6) });
    fc.assert(
      fc.property(fc.array(seen), fc.boolean(), (connections, knows) => {
        const knowledge = { ...NOTHING, listens: () => knows, agrees: () => knows, days: () => (knows ? 9 : 0) };
        const { listed, tooUncertain } = infer(connections, connections, knowledge);
        const pairs = new Set(connections.map(({ source, target }) => `${source} ${target}`));
        expect(listed.length + tooUncertain).toBe(pairs.size);
        const confidences = listed.map(({ confidence }) => confidence);
        for (const confidence of confidences) {
          expect(confidence).toBeGreaterThanOrEqual(LISTED_FROM);
          expect(confidence).toBeLessThanOrEqual(MAX_CONFIDENCE);
        }
        expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
      }),
    );
  });
});

test('the table has some sixty ports', () => {
  expect(NEEDED_PORTS.size).toBeGreaterThanOrEqual(58);
  for (const { words } of NEEDED_PORTS.values()) expect(words.length).toBeGreaterThan(0);
});
