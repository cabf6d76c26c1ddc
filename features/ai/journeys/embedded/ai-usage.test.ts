import { expect, test } from '@jest/globals';
import { leastUlidAt } from '#domain/access/ulid-time.ts';
import { type AiUsage, dayOf, type UsageDay } from '#features/ai/rules/usage.ts';
import { answer } from '#features/ai/use-cases/answer.ts';
import { storeRulesAnswers } from '#features/ai/use-cases/usage/rules-count.ts';
import { sumUsage } from '#features/ai/use-cases/usage/sum-usage.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

/* Usage of the model in the administrator's view: tokens, cost, errors, and number of answers by rules. */

const DAY = 24 * 3_600_000;
const app = appOfTests();
const own = tenantOfTests(app, 'all', 'acme', 'viewer');

const used = async (at: number, changes: Partial<AiUsage> = {}): Promise<void> => {
  const body: AiUsage = {
    at,
    service: 'ci-insight',
    model: 'm',
    input: 900,
    output: 100,
    estimated: false,
    cost: 0.5,
    priced: true,
    latencyMs: 400,
    outcome: 'done',
    department: null,
    requestId: null,
    ...changes,
  };
  await app.app.ports.records.put(
    'acme',
    'ai-usage',
    leastUlidAt(at).slice(0, 10) + app.app.ports.ids.ulid().slice(10),
    body,
  );
};
const shown = async (query = '') => {
  const { status, body } = await own.send('GET', `/api/monitoring/ai${query}`);
  return status === 200 ? body : { status, ...body };
};

test('a tenant without a model sees zeros, and answers of the rules are counted', async () => {
  const { metrics, summary } = await shown();
  expect(metrics).toEqual([]);
  expect(summary).toEqual({
    totalTokens: 0,
    estimatedCost: 0,
    priced: false,
    totalCalls: 0,
    averageLatency: 0,
    rulesAnswers: 0,
    budget: { used: 0, limit: 2_000_000 },
  });
  const { ports } = app.app;
  const asking = { tenant: 'acme', ports, department: null, requestId: null, signal: AbortSignal.timeout(1_000) };
  const question = { service: 'ci-insight', pack: [], claims: [], abstained: true, task: '', mode: 'rules' } as const;
  await answer(asking, question);
  await answer(asking, question);
  expect((await shown()).summary.rulesAnswers).toBe(2);
  await storeRulesAnswers(ports, () => false);
  await answer(asking, question);
  expect((await shown()).summary.rulesAnswers).toBe(3);
});

test('attempts are summed by service, model, day and department, before and after their day was closed', async () => {
  await used(START - 2 * DAY);
  await used(START - 2 * DAY, { outcome: 'provider', output: 0, latencyMs: 800, department: 'network' });
  await used(START - DAY, { service: 'change-analysis', model: 'n' });
  await used(START, { cost: 0.25 });
  const before = await Promise.all(['service', 'model', 'day', 'department'].map((by) => shown(`?groupBy=${by}`)));
  expect(before[0].metrics).toEqual([
    expect.objectContaining({ service: 'change-analysis', model: null, callCount: 1 }),
    expect.objectContaining({
      service: 'ci-insight',
      day: null,
      department: null,
      callCount: 3,
      inputTokens: 2_700,
      outputTokens: 200,
      estimatedCost: 1.25,
      averageLatency: 533,
      errorRate: 1 / 3,
    }),
  ]);
  expect(before[2].metrics.map(({ day }: { day: string }) => day)).toEqual(
    [START - 2 * DAY, START - DAY, START].map((at) => dayOf(at)),
  );
  expect(before[3].metrics.map(({ department }: { department: string }) => department)).toEqual([null, 'network']);
  expect(before[0].summary).toMatchObject({ totalTokens: 3_900, totalCalls: 4, budget: { used: 1_000 } });
  await sumUsage(app.app.ports, () => false);
  const { records } = app.app.ports;
  const closed = await records.list<UsageDay>('acme', 'ai-usage-day', { limit: 10 });
  expect(closed.map(({ id }) => id)).toEqual([START - 2 * DAY, START - DAY].map((at) => dayOf(at)));
  await sumUsage(app.app.ports, () => false);
  expect((await records.list('acme', 'ai-usage-day', { limit: 10 })).map(({ revision }) => revision)).toEqual([1, 1]);
  expect(await Promise.all(['service', 'model', 'day', 'department'].map((by) => shown(`?groupBy=${by}`)))).toEqual(
    before,
  );
});

test('dates are inclusive, at most 400 days, and real', async () => {
  const yesterday = dayOf(START - DAY);
  expect((await shown(`?startDate=${yesterday}&endDate=${yesterday}`)).summary.totalCalls).toBe(1);
  for (const [query, field] of [
    ['?startDate=2026-11-21&endDate=2026-11-20', 'startDate'],
    ['?startDate=2025-10-16&endDate=2026-11-20', 'startDate'],
    ['?endDate=2026-02-30', 'endDate'],
    ['?groupBy=hour', 'groupBy'],
  ] as const)
    expect(await shown(query)).toMatchObject({ status: 400, error: { code: 'INVALID_REQUEST', details: { field } } });
  expect((await shown('?startDate=2025-10-17&endDate=2026-11-20')).success).toBe(true);
});

test('settings: effective, overrides and defaults; zones, countries and shares are checked', async () => {
  const admin = await app.tenant('settings');
  const put = (body: object) => app.send('PUT', '/api/admin/settings/ai', body, { token: admin });
  const { data } = (await put({ dailyTokens: 50, zone: 'Europe/Berlin', country: 'DE', analysisShare: 0.2 })).body;
  expect(data.overrides).toEqual({ dailyTokens: 50, zone: 'Europe/Berlin', country: 'DE', analysisShare: 0.2 });
  expect(data.effective).toMatchObject({ dailyTokens: 50, zone: 'Europe/Berlin', abstainBelow: 0.35, analyse: true });
  const bad = { zone: 'Mars/Base', country: 'UK', analysisShare: 1.1, abstainBelow: -0.1, dailyTokens: -1, more: 1 };
  for (const [field, value] of Object.entries(bad)) {
    const reply = await put({ [field]: value });
    expect(reply).toMatchObject({ status: 400, body: { error: { details: { field } } } });
  }
  expect((await put({ dailyTokens: null, country: null })).body.data.effective).toMatchObject({
    dailyTokens: 2_000_000,
    country: null,
    zone: 'Europe/Berlin',
  });
});
