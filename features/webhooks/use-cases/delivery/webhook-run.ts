import { auditedAs } from '#application/access/audit.ts';
import { Fault, isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { nextAttemptAt } from '#features/webhooks/rules/retry.ts';
import type { Attempt, Delivery, Webhook } from '#features/webhooks/rules/webhook.ts';
import { findWebhook, putWebhook, webhooksOf } from '#features/webhooks/use-cases/webhook-store.ts';
import { type Sending, send } from './attempt.ts';
import { DueWindow } from './due-window.ts';
import { Preparing } from './preparing.ts';
import { putLog } from './put-delivery.ts';
import { Receiver } from './receiver.ts';
import { DELIVERY_KINDS, type Due, dueRecords, expiryOf, placed } from './records.ts';

/** Attempts that a delivery remembers. */
const REMEMBERED = 20;
const GONE = 410;

/** Attempts since it was made, or since it was last asked to be sent again. */
const triesOf = ({ attempts, redeliveredAt = 0 }: Delivery): number =>
  attempts.filter(({ at }) => at >= redeliveredAt).length;

const tried = (delivery: Delivery, attempt: Attempt, now: number, random: number): Delivery => {
  const after = { ...delivery, attempts: [...delivery.attempts, attempt].slice(-REMEMBERED) };
  if (attempt.error === null) return placed({ ...after, state: 'delivered' }, null);
  const nextAt = attempt.status === GONE ? null : nextAttemptAt(triesOf(after), now, random);
  return placed(nextAt === null ? { ...after, state: 'dead' } : after, nextAt);
};

/** The delivery after an attempt; its hash is the chance by which retries are spread. */
const afterAttempt = (
  { clock, crypto }: Pick<Ports, 'clock' | 'crypto'>,
  { id, revision, body }: StoredRecord<Delivery>,
  attempt: Attempt,
): StoredRecord<Delivery> => {
  const random = Number.parseInt(crypto.sha256(`${id} ${attempt.at}`).slice(0, 8), 16) / 2 ** 32;
  return { id, revision, body: tried(body, attempt, clock.now(), random) };
};

/** It is never sent. */
const skipped = ({ id, revision, body }: StoredRecord<Delivery>): StoredRecord<Delivery> => ({
  id,
  revision,
  body: placed({ ...body, state: 'skipped' }, null),
});

const countAttempt = ({ metrics }: Pick<Ports, 'metrics'>, { state }: Delivery, { ms }: Attempt): void => {
  metrics.count('faultline_outgoing_attempts_total', { outcome: state === 'waiting' ? 'failed' : state });
  metrics.observe('faultline_outgoing_attempt_seconds', {}, ms / 1_000);
};

/** Removes a delivery from the queue; its entry in the log follows it. */
const leaveQueue = async (ports: Ports, due: StoredRecord<Due>, delivery: Delivery | null): Promise<void> => {
  const { tenant } = due.body;
  const logged = delivery === null || delivery.state === 'waiting' ? null : putLog(ports, tenant, delivery);
  await Promise.all([logged, ports.records.remove(SYSTEM_TENANT, DELIVERY_KINDS.due, due.id)]);
};

/**
 * Stores the outcome of a delivery: first the delivery with its next place in the queue, then its old place is deleted.
 */
const settle = async (ports: Ports, due: StoredRecord<Due>, stored: StoredRecord<Delivery>): Promise<void> => {
  const { tenant } = due.body;
  const { id, revision, body } = stored;
  const expiresAt = expiryOf(body, ports.clock.now());
  const options = { expected: revision, expiresAt, sideRecords: dueRecords(tenant, body) };
  // A concurrent request for it has set another place in the queue.
  const isKept = await ports.records.put(tenant, DELIVERY_KINDS.delivery, id, body, options).then(
    () => true,
    (error) => {
      if (isOvertaken(error)) return false;
      throw error;
    },
  );
  await leaveQueue(ports, due, isKept ? body : null);
};

/** Outcomes that wait to be stored at most; more wait at their receivers. */
const MOST = 32;

type Store = () => Promise<void>;

/** Stores outcomes in groups: outcomes that arrive while a group is stored share the next commit. */
class Settling {
  readonly #failed: (error: unknown) => void;
  #waiting: Store[] = [];
  #running: Promise<void> | null = null;

  /** `failed` receives every outcome that was not stored. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Resolves when the next outcome may be added. */
  async add(store: Store): Promise<void> {
    this.#waiting.push(store);
    this.#running ??= this.#storeAll().finally(() => {
      this.#running = null;
    });
    while (this.#waiting.length >= MOST) await this.#running;
  }

  /** Resolves when all are stored. */
  async done(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #storeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0);
      await Promise.all(group.map((store) => store().catch(this.#failed)));
    }
  }
}

const FAULTLINE = { id: 'faultline', username: 'faultline', name: 'Faultline' };
const TRIES = 5;

/**
 * Deliveries of the webhook wait from now on, until a user resumes it. One that is off, changed or gone stays
 * unchanged.
 */
export const switchOff = async (
  ports: Ports,
  tenant: string,
  { id }: Webhook,
  reason: NonNullable<Webhook['inactiveReason']>,
): Promise<void> => {
  const target = { kind: 'webhook', id };
  const by = { actor: FAULTLINE, address: '', department: null };
  for (let tries = 1; tries <= TRIES; tries++) {
    const { body: before, revision } = await findWebhook(ports.records, tenant, id);
    if (!before.active) return;
    const after: Webhook = { ...before, active: false, inactiveReason: reason, updatedAt: ports.clock.now() };
    const seen = { before: { active: true }, after: { active: false, inactive_reason: reason } };
    const entry = auditedAs(ports, tenant, by, { action: 'webhook.switched-off', target, ...seen });
    try {
      await putWebhook(ports, tenant, { before, after, expected: revision, sideRecords: [entry] });
      return;
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }
  throw new Fault('unavailable', `Webhook ${id} has too many concurrent changes`);
};

type StoredDue = StoredRecord<Due>;

/** Deliveries that get their body before their turn, while the receiver answers within this time, ms. */
const AHEAD = 15;
const QUICK_MS = 100;

const nothing = async (): Promise<void> => undefined;

/** Limits concurrency; waiting callers get their slot in the order of arrival. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves with the function that releases the slot. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    };
  }
}

interface RunOptions {
  readonly ports: Ports;
  /** Places of this process. */
  readonly slots: Slots;
  /** Aborted when this process stops or another one has the webhook. */
  readonly signal: AbortSignal;
  readonly failed: (error: unknown) => void;
}

/** Delivers due deliveries of one webhook, as many at a time as its receiver allows, until none is left. */
export class WebhookRun {
  readonly #options: RunOptions;
  readonly #tenant: string;
  readonly #webhookId: string;
  readonly #window: DueWindow;
  readonly #receiver: Receiver;
  readonly #lanes = new Set<Promise<void>>();
  readonly #preparing = new Preparing();
  /** The store is down: all that were in flight are due again. */
  readonly #fail = (error: unknown): void => {
    this.#isClosed = true;
    this.#options.failed(error);
  };
  readonly #settling = new Settling(this.#fail);
  #isClosed = false;
  #again = false;
  #isQuick = true;

  private constructor(options: RunOptions, tenant: string, webhookId: string, receiver: Receiver) {
    this.#options = options;
    this.#tenant = tenant;
    this.#webhookId = webhookId;
    this.#window = new DueWindow(options.ports, webhookId);
    this.#receiver = receiver;
  }

  static async open(options: RunOptions, tenant: string, webhookId: string): Promise<WebhookRun> {
    return new WebhookRun(options, tenant, webhookId, await Receiver.open(options.ports, tenant, webhookId));
  }

  /** There may be more to do. */
  fill(): void {
    this.#again = true;
    while (!this.#isOver && this.#lanes.size < this.#receiver.places) {
      const lane: Promise<void> = this.#lane().finally(() => this.#lanes.delete(lane));
      this.#lanes.add(lane);
    }
  }

  /** Resolves when none is in flight. */
  async ended(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all(this.#lanes);
  }

  get isBusy(): boolean {
    return this.#lanes.size > 0;
  }

  get #isOver(): boolean {
    return this.#options.signal.aborted || this.#isClosed;
  }

  async #lane(): Promise<void> {
    try {
      while (!this.#isOver && this.#lanes.size <= this.#receiver.places) {
        const due = await this.#window.take();
        if (due === null && !this.#again) break;
        this.#again &&= due !== null;
        if (due !== null) await this.#deliver(due);
      }
      await this.#settling.done();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Resolves when the lane may continue. */
  async #deliver(due: StoredDue): Promise<void> {
    const free = await this.#options.slots.take();
    const outcome = await this.#attempt(due).finally(() => {
      free();
      this.#window.over(due);
    });
    await this.#settling.add(() => outcome().finally(() => this.#window.settled(due)));
  }

  /** Resolves when the next attempt at the resource may begin, with the function that stores the outcome. */
  async #attempt(due: StoredDue): Promise<() => Promise<void>> {
    const { ports, signal } = this.#options;
    const sending = await this.#sending();
    if (sending === null) return nothing;
    const prepared = await this.#preparing.take(sending, due, this.#window.next(this.#isQuick ? AHEAD : 0));
    if (prepared.is === 'elsewhere') return nothing;
    if (prepared.is === 'stale') return () => leaveQueue(ports, due, prepared.delivery);
    if (prepared.is === 'skipped') return () => settle(ports, due, skipped(prepared.stored));
    const attempt = await send(sending, prepared.stored.body, signal);
    return attempt === null ? nothing : this.#note(sending, due, prepared.stored, attempt);
  }

  /** The receiver is judged at once, so that it is paused before the next attempt. */
  #note(sending: Sending, due: StoredDue, stored: StoredRecord<Delivery>, attempt: Attempt) {
    const { ports } = this.#options;
    const after = afterAttempt(ports, stored, attempt);
    this.#isQuick = attempt.ms < QUICK_MS;
    const before = this.#receiver.places;
    const noted = this.#receiver.note(attempt);
    noted.catch(() => undefined);
    // A probe succeeded.
    if (this.#receiver.places > before) this.fill();
    return async (): Promise<void> => {
      await settle(ports, due, after);
      countAttempt(ports, after.body, attempt);
      const verdict = await noted;
      if (verdict !== 'goes on') await switchOff(ports, this.#tenant, sending.webhook, verdict);
    };
  }

  /** Null when nothing may be sent any more: the webhook is switched off or gone. */
  async #sending(): Promise<Sending | null> {
    const { ports } = this.#options;
    const all = await webhooksOf(ports, this.#tenant);
    const webhook = all.find(({ id, active }): boolean => active && id === this.#webhookId);
    this.#isClosed ||= webhook === undefined;
    return webhook === undefined ? null : { ports, tenant: this.#tenant, webhook };
  }
}
