import type { Ports } from '#domain/ports/ports.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { Attempt, Delivery } from '#features/webhooks/rules/webhook.ts';
import { webhooksOf } from '#features/webhooks/use-cases/webhook-store.ts';
import { type Sending, send } from './attempt.ts';
import { DueWindow } from './due-window.ts';
import { Preparing } from './preparing.ts';
import { Receiver } from './receiver.ts';
import type { Due } from './records.ts';
import { afterAttempt, countAttempt, leaveQueue, settle, skipped } from './settle.ts';
import { Settling } from './settling.ts';
import type { Slots } from './slots.ts';
import { switchOff } from './switch-off.ts';

type StoredDue = StoredRecord<Due>;

/** Deliveries that get their body before their turn, while the receiver answers within this time, ms. */
const AHEAD = 15;
const QUICK_MS = 100;

const nothing = async (): Promise<void> => undefined;

interface RunOptions {
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
  readonly #preparing = new Preparing();
  /** The store is down: all that was under way is due again. */
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

  /** Resolves when the lane may go on. */
  async #deliver(due: StoredDue): Promise<void> {
    const free = await this.#options.slots.take();
    const outcome = await this.#attempt(due).finally(() => {
      free();
      this.#window.over(due);
    });
    await this.#settling.add(() => outcome().finally(() => this.#window.settled(due)));
  }

  /** Resolves when the next attempt at the resource may begin, with what stores the outcome. */
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

  /** The receiver is judged at once, so that it rests before the next attempt. */
  #note(sending: Sending, due: StoredDue, stored: StoredRecord<Delivery>, attempt: Attempt) {
    const { ports } = this.#options;
    const after = afterAttempt(ports, stored, attempt);
    this.#isQuick = attempt.ms < QUICK_MS;
    const before = this.#receiver.places;
    const noted = this.#receiver.note(attempt);
    noted.catch(() => undefined);
    // A probe went well.
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
