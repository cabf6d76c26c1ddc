import { describe, expect, test } from '@jest/globals';
import { afterFailure, type Breaker, CLOSED, placesNow } from './breaker.ts';
import { deliveryIdOf } from './delivery-id.ts';
import { matches, subscribes } from './filter.ts';
import { nextAttemptAt, RETRY_DELAYS_MS } from './retry.ts';
import type { FilterSubject, Outgoing, WebhookFilter } from './webhook.ts';

const MINUTE = 60_000;

test.each([
  [['event.created'], 'event.created', true],
  [['event.created'], 'event.status_changed', false],
  [['*'], 'webhook.overflow', true],
  [['ci.created'], 'webhook.test', true],
] as const)('%j subscribes to %s: %s', (events, kind, does) => {
  expect(subscribes({ events }, kind)).toBe(does);
});

const SUBJECT: FilterSubject = {
  severity: 'major',
  services: ['Shop', 'Web'],
  source: 'prometheus',
  tags: ['team:storage'],
  ciType: 'database',
  isCause: false,
};
test.each<[WebhookFilter | null, FilterSubject, boolean]>([
  [null, {}, true],
  [{}, {}, true],
  [{ minSeverity: 'major' }, SUBJECT, true],
  [{ minSeverity: 'critical' }, SUBJECT, false],
  [{ minSeverity: 'info' }, {}, false],
  [{ services: ['bank', 'SHOP'] }, SUBJECT, true],
  [{ services: ['bank'] }, SUBJECT, false],
  [{ sources: ['Prometheus'] }, SUBJECT, true],
  [{ sources: ['zabbix'] }, SUBJECT, false],
  [{ tags: ['team:storage', 'night'] }, SUBJECT, true],
  [{ tags: ['night'] }, SUBJECT, false],
  [{ ciTypes: ['database'] }, SUBJECT, true],
  [{ ciTypes: ['switch'] }, SUBJECT, false],
  [{ ciTypes: ['switch'] }, {}, false],
  [{ onlyCauses: true }, SUBJECT, false],
  [{ onlyCauses: true }, { isCause: true }, true],
  [{ onlyCauses: false }, SUBJECT, true],
  [{ minSeverity: 'major', services: ['shop'], ciTypes: ['switch'] }, SUBJECT, false],
])('filter %j on %j: %s', (filter, subject, does) => {
  expect(matches(filter, subject)).toBe(does);
});

describe('retries', () => {
  test('are 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, then none', () => {
    expect(RETRY_DELAYS_MS.map((ms) => ms / MINUTE)).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1_200, 1_440]);
    expect(RETRY_DELAYS_MS.map((_, i) => nextAttemptAt(i + 1, 1_000, 0.5))).toEqual(
      RETRY_DELAYS_MS.map((ms) => 1_000 + ms),
    );
    expect(nextAttemptAt(10, 0, 0.5)).toBeNull();
  });
  test.each([
    [0, 4.5],
    [0.5, 5],
    [1, 5.5],
  ])('chance %d makes 5 min to %d min', (random, minutes) => {
    expect(nextAttemptAt(2, 0, random)).toBe(minutes * MINUTE);
  });
});

describe('the breaker', () => {
  const failing = (times: number, now: number, from: Breaker = CLOSED): Breaker =>
    Array.from({ length: times }).reduce<Breaker>((breaker) => afterFailure(breaker, now), from);
  test('rests after 5 failures in a row, and then lets one probe through', () => {
    expect(placesNow(failing(4, 0), 0)).toBe(4);
    const open = failing(5, 0);
    expect(open).toEqual({ failures: 5, restsUntil: MINUTE });
    expect([placesNow(open, 0), placesNow(open, MINUTE - 1), placesNow(open, MINUTE)]).toEqual([0, 0, 1]);
  });
  test('rests twice as long after each failed probe, up to 1 h', () => {
    let breaker = failing(5, 0);
    const rests: number[] = [];
    for (let probes = 0; probes < 8; probes += 1) {
      const now = breaker.restsUntil!;
      breaker = afterFailure(breaker, now);
      rests.push((breaker.restsUntil! - now) / MINUTE);
    }
    expect(rests).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });
  test('a failure that began before the rest does not lengthen it', () => {
    expect(failing(8, 0)).toEqual(failing(5, 0));
  });
});

describe('the id of a delivery', () => {
  const sha256 = (text: string): string => text.padEnd(80, '.');
  const outgoing: Outgoing = { kind: 'ci.updated', resource: { kind: 'ci', id: 'a' }, sequence: 3, at: 0 };
  const idOf = (more: Partial<Outgoing> = {}, webhook = 'WHK-1') =>
    deliveryIdOf((text) => sha256(text).split('').reverse().join(''), { id: webhook }, { ...outgoing, ...more });
  test('is the same for the same story, whenever it is told', () => {
    expect(idOf({ at: 5 })).toBe(idOf());
    expect(deliveryIdOf(sha256, { id: 'WHK-1' }, outgoing)).toMatch(/^DLV-.{32}$/);
  });
  const texts: string[] = [];
  const noting = (text: string): string => {
    texts.push(text);
    return sha256(text);
  };
  test('hashes webhook, kind, resource and sequence', () => {
    for (const more of [
      {},
      { kind: 'ci.created' },
      { sequence: 4 },
      { resource: { kind: 'ci', id: 'b' } },
    ] as Partial<Outgoing>[])
      deliveryIdOf(noting, { id: 'WHK-1' }, { ...outgoing, ...more });
    deliveryIdOf(noting, { id: 'WHK-2' }, outgoing);
    expect(new Set(texts).size).toBe(5);
  });
});
