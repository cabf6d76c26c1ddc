import { describe, expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const line = commandLine(it);

/**
 * A tenant with this number of judged groups of two: the cause of the first `right` of them right, of the others wrong.
 */
const judged = async (name: string, groups: number, right: number) => {
  const token = await it.tenant(name);
  const send = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });
  const settings = { strategies: { temporal: { enabled: false }, pattern: { enabled: false } } };
  await send('PUT', '/api/admin/settings/correlation', settings);
  for (let n = 0; n < groups; n++) {
    const events = ['a', 'b'].map((one) => ({
      sourceId: `${n}${one}`,
      hostname: `h${n}${one}`,
      service: `s${n}`,
      severity: 'major',
      title: `Odd ${one}`,
    }));
    await send('POST', '/api/events/bulk-ingest', { source: 'test', events });
  }
  await it.app.idle();
  const listed = (await send('GET', '/api/events/groups?limit=100')).body.groups as { correlationId: string }[];
  for (const [n, { correlationId }] of listed.entries())
    await send('PUT', `/api/events/groups/${correlationId}/verdict`, {
      cause: n < right ? 'right' : 'wrong',
      members: n === 0 ? 'too_few' : 'right',
    });
  const run = (...args: readonly string[]) => line.run('quality', ...args, '--url', it.url, '--token', token);
  return { run, send, listed };
};

describe('quality of the verdicts of a tenant', () => {
  test('says how often causes were right, by strategy and CI type, with intervals', async () => {
    const { run } = await judged('few', 4, 3);
    const text = await run();
    expect(text).toContain(
      '4 verdicts. Events: correct 3, too many 0, too few 1. Manual corrections: 0 splits, 0 merges.',
    );
    expect(text).toContain('Fewer than 30 verdicts: rely on the interval, not on the share.');
    expect(text).toMatch(/all +│ +3 │ +4 │ +75\.0% │ 30\.1% to 95\.4%/);
    expect(text).toMatch(/right events +│ +3 │ +4 │ +75\.0% │ 30\.1% to 95\.4%/);
    expect(text).toMatch(/no unrelated events +│ +4 │ +4 │ +100\.0% │ 51\.0% to 100\.0%/);
    expect(text).toMatch(/no missing events +│ +3 │ +4 │ +75\.0% │/);
    expect(text).toMatch(/by strategy[\s\S]*service +│ +3 │ +4 │/);
    expect(text).toMatch(/by root-cause CI type[\s\S]*no CI +│ +3 │ +4 │/);
    expect(text).toContain('Calibration needs 30 right/wrong verdicts; 4 so far.');
    for (const one of text.split('\n').filter((shown) => shown.startsWith('│')))
      expect(one.length).toBeLessThanOrEqual(120);
  });

  test('holds confidence against verdicts as soon as there are enough', async () => {
    const { run } = await judged('enough', 30, 12);
    const { quality } = JSON.parse(await run('--json'));
    const { bins, error, of } = quality.calibration;
    const known = bins.filter((bin: { judged: number }) => bin.judged > 0);
    expect(of).toBe(30);
    const interval = { low: expect.closeTo(0.246, 3), high: expect.closeTo(0.577, 3) };
    expect(known).toEqual([expect.objectContaining({ judged: 30, hitRate: 0.4, interval })]);
    expect(error).toBeCloseTo(Math.abs(0.4 - known[0].meanConfidence), 10);
    const text = await run();
    expect(text).toContain(`Expected calibration error (ECE): ${error.toFixed(3)} over 30 verdicts`);
    expect(text).toMatch(/│ +30 │ +[\d.]+% │ +40\.0% │ 24\.6% to 57\.7%/);
    expect(text).not.toContain('Fewer than');
  });

  test('counts what people put together by hand', async () => {
    const { run, send, listed } = await judged('mended', 2, 2);
    const [a, b] = await Promise.all(
      listed.map(async ({ correlationId }) => {
        const { members } = (await send('GET', `/api/events/groups/${correlationId}/members`)).body;
        return members[0].eventId as string;
      }),
    );
    await send('POST', '/api/events/correlate', { primaryEventId: a, relatedEventIds: [b] });
    expect(JSON.parse(await run('--json')).quality.corrections).toEqual({ splits: 0, merges: 1, truncated: false });
    expect(await run('--range', '24h')).toContain('0 splits, 1 merge.');
  });

  test('without verdicts says how to give one', async () => {
    const { run } = await judged('none', 0, 0);
    expect(await run()).toContain('faultline group verdict');
  });
});
