import { SECOND_MS } from '#application/job.ts';
import type { FoundTasks, Task, TaskTurn } from '#application/tasks/task.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { misplacedFrom } from '#features/webhooks/rules/retry.ts';
import { WEBHOOK_RECORDS } from '#features/webhooks/rules/webhook.ts';
import { webhooksOf } from '#features/webhooks/use-cases/webhook-store.ts';
import { Receiver } from './receiver.ts';
import { DELIVER, DELIVERY_KINDS, type Due, firstOf, lastOf } from './records.ts';
import { Slots, WebhookRun } from './webhook-run.ts';

/** The first due record of every webhook that has one: one look per webhook, however many wait. */
async function* firstDues({ records }: Pick<Ports, 'records'>): AsyncGenerator<Due> {
  let after: string | null = null;
  for (;;) {
    const options = { limit: 1, ...(after !== null && { after }) };
    const [first] = await records.list<Due>(SYSTEM_TENANT, DELIVERY_KINDS.due, options);
    if (first === undefined) return;
    yield first.body;
    after = lastOf(first.body.webhookId);
  }
}

const CHUNK = 500;

/** Forgets what waits for a webhook that was removed. */
const dropQueue = async (
  { records }: Pick<Ports, 'records'>,
  { tenant, webhookId }: Due,
  isStopping: () => boolean,
): Promise<void> => {
  if ((await records.get(tenant, WEBHOOK_RECORDS.webhook, webhookId)) !== null) return;
  const options = { after: firstOf(webhookId), limit: CHUNK };
  for (let more = true; more && !isStopping(); ) {
    const chunk = await records.list<Due>(SYSTEM_TENANT, DELIVERY_KINDS.due, options);
    const own = chunk.filter(({ body }) => body.webhookId === webhookId);
    await Promise.all(
      own.flatMap(({ id, body }) => [
        records.remove(tenant, DELIVERY_KINDS.delivery, body.deliveryId),
        records.remove(SYSTEM_TENANT, DELIVERY_KINDS.due, id),
      ]),
    );
    more = own.length === CHUNK;
  }
  await records.remove(tenant, DELIVERY_KINDS.state, webhookId);
};

/** Maximum of concurrent deliveries in one process. */
const SLOTS = 64;

interface Delivering {
  readonly slots: Slots;
  /** Runs by webhook. */
  readonly runs: Map<string, WebhookRun>;
}
const DELIVERING: MemorySlot<Delivering> = {
  name: 'delivering',
  open: () => ({ slots: new Slots(SLOTS), runs: new Map() }),
};

/** Webhooks that have something due and may be sent it. */
async function* waiting(ports: Ports, isStopping: () => boolean): AsyncGenerator<Task> {
  const { runs } = ports.memory.of(DELIVERING);
  const now = ports.clock.now();
  let [resting, oldest] = [0, now];
  for await (const due of firstDues(ports)) {
    const { tenant, webhookId: id, at } = due;
    if (at > now && at <= misplacedFrom(now)) continue;
    if (!runs.has(id)) {
      const webhook = (await webhooksOf(ports, tenant)).find((one) => one.id === id);
      if (webhook === undefined) await dropQueue(ports, due, isStopping);
      if (webhook?.active !== true) continue;
      const { isResting } = await Receiver.open(ports, tenant, id);
      if (isResting) resting += 1;
      if (isResting) continue;
    }
    oldest = Math.min(oldest, at);
    yield { tenant, id, at };
  }
  ports.metrics.gauge('faultline_outgoing_resting', {}, resting);
  ports.metrics.gauge('faultline_outgoing_lag_seconds', {}, (now - oldest) / 1_000);
}

/** Delivers due deliveries of one webhook until none is left. */
async function deliver({ ports, task: { tenant, id }, signal, failed }: TaskTurn): Promise<void> {
  const { slots, runs } = ports.memory.of(DELIVERING);
  // Another process may have paused the receiver before it released the lease.
  const run = await WebhookRun.open({ ports, slots, signal, failed }, tenant, id);
  runs.set(id, run);
  run.fill();
  do await run.ended();
  while (run.isBusy);
  runs.delete(id);
}

/**
 * Each webhook is a task as long as something is due. Deliveries have places of their own, in the order of their times:
 * there may be thousands.
 */
export const deliveryTasks: FoundTasks = {
  name: DELIVER,
  everyMs: SECOND_MS,
  failure: 'webhook delivery failed, retrying',
  about: 'webhook',
  atOnce: Number.POSITIVE_INFINITY,
  waiting,
  run: deliver,
  takesAlong(ports, { id }) {
    const run = ports.memory.of(DELIVERING).runs.get(id);
    run?.fill();
    return run !== undefined;
  },
};
