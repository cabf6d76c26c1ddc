import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Demonstrated, demonstrate } from '#features/demo/cli/show/run.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START, TOKEN } from '#test/setup/test-app.ts';

/* The demo with its default seed and the default profile: its quality is documented, so it is tested here. */

const it = appOfTests();
let done: Demonstrated;
const lines: string[] = [];
beforeAll(async () => {
  const screen = { print: (text: string) => lines.push(text), isTerminal: false };
  const options = { seed: 1, now: START, profiles: ['calibrated'] as const };
  done = await demonstrate({ url: it.url, token: TOKEN }, options, screen);
}, 120_000);

describe('the demo', () => {
  test('sends everything and reads every event back', () => {
    const [report] = done.reports;
    const fired = done.story.payloads.flatMap(({ truths }) => truths).filter(({ phase }) => phase === 'fire');
    expect(report).toMatchObject({ payloads: done.story.payloads.length, tenant: done.tenants[0]?.id });
    // A problem that a condition of another name already holds open is deduplicated into its event.
    expect(report!.events).toBeGreaterThan(0.9 * fired.length);
    expect(report!.events).toBeLessThanOrEqual(fired.length);
    expect(report!.noiseReduction).toBeGreaterThan(0.9);
    expect(lines.length).toBeGreaterThanOrEqual(8);
  });

  test('finds the incidents: pairwise F1 of at least 0.8', () => {
    expect(done.reports[0]!.score.f1).toBeGreaterThanOrEqual(0.8);
  });

  test('leaves unrelated noise alone once rates are known: at most a fifth is grouped', () => {
    const { later } = done.reports[0]!.score.noise;
    expect(later.events).toBeGreaterThan(20);
    expect(later.share).toBeLessThanOrEqual(0.2);
  });

  test('puts the cause first in at least six of ten incidents whose cause has an event', () => {
    const { known, first } = done.reports[0]!.score.causes;
    expect(known).toBeGreaterThanOrEqual(10);
    expect(first / known).toBeGreaterThanOrEqual(0.6);
  });

  test('names cause, size, services and reasons of every group', () => {
    for (const group of done.reports[0]!.groups) {
      expect(group.events).toBeGreaterThanOrEqual(2);
      expect(group.rootCause?.title).toBeTruthy();
      expect(group.reasoning).toMatch(/^[a-z_]+$/);
      expect(group.strategies.length).toBeGreaterThan(0);
      expect(group.truth.reduce((sum, { events }) => sum + events, 0)).toBe(group.events);
    }
    expect(done.reports[0]!.groups.some(({ services }) => services.includes('Web Shop'))).toBe(true);
  });

  test('one request acknowledges its largest group, the reply equals a fresh list, and a repeat changes nothing', async () => {
    const send = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
      it.send(method, path, body, { headers: { 'X-Tenant-ID': done.tenants[0]!.id, ...more } });
    const largest = async () => {
      const { body } = await send('GET', '/api/events/groups?sortBy=size&limit=1');
      return body.groups[0];
    };
    const before = await largest();
    const { correlationId, eventCount, counts } = before;
    expect(counts.open).toBeGreaterThan(0);
    const key = { 'Idempotency-Key': 'largest' };
    const asked = { correlationId, status: 'acknowledged', notes: 'power is coming back' };
    const { status, body } = await send('POST', '/api/events/status', asked, key);
    expect(status).toBe(200);
    expect(body).toMatchObject({ changed: counts.open, failed: [], more: false });
    expect(body.matched).toBe(body.changed + body.unchanged);
    const after = await largest();
    expect(after.counts).toEqual({ ...counts, open: 0, acknowledged: counts.acknowledged + counts.open });
    expect(after).toMatchObject({ correlationId, eventCount, status: 'acknowledged' });
    const listed = await send('GET', `/api/events?correlationId=${correlationId}&status=acknowledged&view=row`);
    expect(listed.body.pagination.total).toBe(after.counts.acknowledged);
    const again = await send('POST', '/api/events/status', asked, key);
    expect([again.body, again.headers.get('Idempotency-Replayed')]).toEqual([body, 'true']);
    expect((await largest()).lastActivity).toBe(after.lastActivity);
  });
});
