import { beforeAll, expect, test } from '@jest/globals';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { Attempt, Delivery } from '#features/webhooks/rules/webhook.ts';
import { addDelivery } from '#features/webhooks/use-cases/delivery/put-delivery.ts';
import { DELIVERY_KINDS, type Due, newDelivery } from '#features/webhooks/use-cases/delivery/records.ts';
import { findWebhook } from '#features/webhooks/use-cases/webhook-store.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';
import { hurryResumed, resume } from './resume.ts';

const TENANT = 'default';
const HOUR = 3_600_000;
const COUNT = 450;

const app = appOfTests();
let webhookId: string;
beforeAll(async () => {
  const hook = { name: 'w', url: 'https://hooks.invalid', events: ['ci.created'], active: false };
  webhookId = (await app.send('POST', '/v1/webhooks', hook)).body.id;
});

const idOf = (n: number): string => `DLV-${String(n).padStart(4, '0')}`;
const failed = (at: number): Attempt => ({ at, status: 500, ms: 1, error: 'status 500' });
/** Waits for a while, longer with each number, after a failure at `at`. */
const waiting = async (n: number, at: number): Promise<void> => {
  const { ports } = app.app;
  const { body } = await findWebhook(ports.records, TENANT, webhookId);
  const told = { kind: 'ci.created', resource: { kind: 'ci', id: `c${n}` }, sequence: 1, at } as const;
  const made = newDelivery(body, idOf(n), told, { now: START, at: START + HOUR + n });
  await addDelivery(ports, TENANT, { ...made, attempts: [failed(at)] });
};
const dues = async (): Promise<Due[]> =>
  (await app.app.ports.records.list<Due>(SYSTEM_TENANT, DELIVERY_KINDS.due, { limit: 1_000 })).map(({ body }) => body);
const isNow = ({ at }: Due): boolean => at === START;
const marks = async (): Promise<number> =>
  (await app.app.ports.records.list(SYSTEM_TENANT, DELIVERY_KINDS.resumed, { limit: 10 })).length;
const step = (): Promise<void> => hurryResumed(app.app.ports, () => false);

test('what waits is made due in steps, the longest due first; what failed since keeps its time', async () => {
  const { ports } = app.app;
  for (let n = 0; n < COUNT; n += 1) await waiting(n, START - 1);
  for (const n of [COUNT, COUNT + 1]) await waiting(n, START + 1);
  const { ring } = ports.background;
  Object.assign(ports.background, { ring: () => undefined });
  await resume(ports, TENANT, webhookId, []);
  await step();
  const first = (await dues()).filter(isNow).map(({ deliveryId }) => deliveryId);
  expect(first.sort()).toEqual(Array.from({ length: 200 }, (_, n) => idOf(n)));
  await step();
  expect([(await dues()).filter(isNow).length, await marks()]).toEqual([400, 1]);
  await Promise.all([step(), step()]);
  const all = await dues();
  expect([all.length, all.filter(isNow).length, await marks()]).toEqual([COUNT + 2, COUNT, 0]);
  expect(all.filter((due) => !isNow(due)).map(({ deliveryId }) => deliveryId)).toEqual([idOf(COUNT), idOf(COUNT + 1)]);
  const { body } = (await ports.records.get<Delivery>(TENANT, DELIVERY_KINDS.delivery, idOf(0)))!;
  expect(body).toMatchObject({ nextAt: START, turn: 1, attempts: [{ status: 500 }] });
  Object.assign(ports.background, { ring });
});
