import { webhooksOf } from '#application/webhooks/webhook-store.ts';
import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { Attempt, Delivery } from '#domain/webhooks/webhook.ts';
import { freeze, type Sending, send } from './attempt.ts';
import { DueWindow } from './due-window.ts';
import { Receiver } from './receiver.ts';
import { DELIVERY_KINDS, type Due } from './records.ts';
import { afterAttempt, leaveQueue, settle } from './settle.ts';
import type { Slots } from './slots.ts';
import { switchOff } from './switch-off.ts';

type StoredDue = StoredRecord<Due>;

const count = ({ metrics }: Ports, { state }: Delivery, { ms }: Attempt): void => {
  metrics.count('faultline_outgoing_attempts_total', { outcome: state === 'waiting' ? 'failed' : state });
  metrics.observe('faultline_outgoing_attempt_seconds', {}, ms / 1_000);
};

export interface RunOptions {
  readonly ports: Ports;
  /** Places of this process. */
  readonly slots: Slots;
  /** Aborted when this process stops or another one has the webhook. */
  readonly signal: AbortSignal;
  readonly failed: (error: unknown) => void;
}

/** Delivers what is due of one webhook, as many at a time as its receiver may have, until nothing is due any more. */
export class WebhookRun {
  readonly #options: RunOptions;
  readonly #tenant: string;
  readonly #webhookId: string;
  readonly #window: DueWindow;
  readonly #receiver: Receiver;
  readonly #lanes = new Set<Promise<void>>();
  #isClosed = false;
  #again = false;

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

  /** Resolves when nothing is under way. */
  async ended(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all(this.#lanes);
  }

  get isResting(): boolean {
    return this.#receiver.isResting;
  }

  get isBusy(): boolean {
    return this.#lanes.size > 0;
  }

  get #isOver(): boolean {
    return this.#options.signal.aborted || this.#isClosed;
  }

  async #lane(): Promise<void> {
    let settling: Promise<void> = Promise.resolve();
    try {
      while (!this.#isOver && this.#lanes.size <= this.#receiver.places) {
        const due = await this.#window.take();
        if (due === null && !this.#again) break;
        this.#again &&= due !== null;
        if (due === null) continue;
        const free = await this.#options.slots.take();
        const outcome = await this.#attempt(due).finally(() => {
          free();
          this.#window.over(due);
        });
        await settling;
        settling = outcome().finally(() => this.#window.settled(due));
        // A failure is told when it is waited for.
        settling.catch(() => undefined);
      }
      await settling;
    } catch (error) {
      // The store is down: all that was under way is due again.
      this.#isClosed = true;
      this.#options.failed(error);
    }
  }

  /** Resolves when the next attempt at the resource may begin, with what stores the outcome. */
  async #attempt(due: StoredDue): Promise<() => Promise<void>> {
    const { ports, signal } = this.#options;
    const sending = await this.#sending();
    if (sending === null) return async () => undefined;
    const { tenant, deliveryId, at } = due.body;
    const stored = await ports.records.get<Delivery>(tenant, DELIVERY_KINDS.delivery, deliveryId);
    // A crash came between the change of the delivery and that of the queue, or it was asked for again meanwhile.
    if (stored === null || stored.body.nextAt !== at) return () => leaveQueue(ports, due, stored?.body ?? null);
    const frozen = await freeze(sending, stored).catch((error) => {
      if (isOvertaken(error)) return 'overtaken' as const;
      throw error;
    });
    if (frozen === 'overtaken') return async () => undefined;
    if (frozen === null) return () => this.#silent(due, stored);
    const attempt = await send(sending, frozen.body, signal);
    return attempt === null ? async () => undefined : () => this.#settle(sending, due, frozen, attempt);
  }

  /** The format has nothing to say of it. */
  #silent(due: StoredDue, { id, revision, body }: StoredRecord<Delivery>): Promise<void> {
    return settle(this.#options.ports, due, { id, revision, body: { ...body, state: 'delivered', nextAt: null } });
  }

  async #settle(sending: Sending, due: StoredDue, frozen: StoredRecord<Delivery>, attempt: Attempt): Promise<void> {
    const { ports } = this.#options;
    const jitter = Number.parseInt(ports.crypto.sha256(`${frozen.id} ${attempt.at}`).slice(0, 8), 16) / 2 ** 32;
    const body = afterAttempt(frozen.body, attempt, ports.clock.now(), jitter);
    count(ports, body, attempt);
    const settled = settle(ports, due, { id: frozen.id, revision: frozen.revision, body });
    const before = this.#receiver.places;
    const noted = this.#receiver.note(attempt);
    // A probe went well.
    if (this.#receiver.places > before) this.fill();
    const [verdict] = await Promise.all([noted, settled]);
    if (verdict !== 'goes on') await switchOff(ports, this.#tenant, sending.webhook, verdict);
  }

  /** Null when nothing may be sent any more: the webhook is switched off or gone. */
  async #sending(): Promise<Sending | null> {
    const { ports } = this.#options;
    const all = await webhooksOf(ports, this.#tenant);
    const webhook = all.find(({ id, active }): boolean => active && id === this.#webhookId);
    if (webhook === undefined) {
      this.#isClosed = true;
      return null;
    }
    return { ports, tenant: this.#tenant, webhook };
  }
}
