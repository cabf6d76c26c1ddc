import type { Ports } from '#domain/ports/ports.ts';
import { afterFailure, CLOSED, placesNow } from '#features/webhooks/rules/breaker.ts';
import type { Attempt } from '#features/webhooks/rules/webhook.ts';
import { putState, type WebhookState, webhookState } from './state.ts';

const GONE = 410;
/** Duration of failures after which a webhook is disabled, ms. */
const FAILING_MS = 5 * 24 * 3_600_000;
/** Maximum age of the stored time of the last success, ms. */
const NOTED_MS = 60_000;

/** The effect of the attempt on the webhook itself. */
type Verdict = 'goes on' | 'gone' | 'failing';

/** State of the receiver of one webhook; stored, so that a pause outlives the process. */
export class Receiver {
  readonly #ports: Pick<Ports, 'records' | 'clock'>;
  readonly #place: readonly [tenant: string, webhookId: string];
  #state: WebhookState;
  #stored: Promise<unknown> = Promise.resolve();

  private constructor(ports: Pick<Ports, 'records' | 'clock'>, place: readonly [string, string], state: WebhookState) {
    this.#ports = ports;
    this.#place = place;
    this.#state = state;
  }

  static async open(
    ports: Pick<Ports, 'records' | 'clock'>,
    ...place: readonly [tenant: string, webhookId: string]
  ): Promise<Receiver> {
    return new Receiver(ports, place, await webhookState(ports, ...place));
  }

  /** Returns the number of deliveries that may run now. */
  get places(): number {
    return placesNow(this.#state, this.#ports.clock.now());
  }

  get isResting(): boolean {
    return this.places === 0;
  }

  /** `longestRestMs`: of a pause; default: an hour. */
  async note({ status, error }: Attempt, longestRestMs?: number): Promise<Verdict> {
    if (error === null) return this.#succeeded();
    const now = this.#ports.clock.now();
    const failingSince = this.#state.failingSince ?? now;
    this.#state = {
      ...this.#state,
      ...afterFailure(this.#state, now, longestRestMs),
      lastFailureAt: now,
      failingSince,
    };
    await this.#put();
    if (status === GONE) return 'gone';
    return now - failingSince >= FAILING_MS ? 'failing' : 'goes on';
  }

  async #succeeded(): Promise<Verdict> {
    const { failures, lastSuccessAt } = this.#state;
    const now = this.#ports.clock.now();
    if (failures === 0 && lastSuccessAt !== null && now - lastSuccessAt < NOTED_MS) return 'goes on';
    this.#state = { ...this.#state, ...CLOSED, lastSuccessAt: now, failingSince: null };
    await this.#put();
    return 'goes on';
  }

  /**
   * Serialized: a store may finish two puts in the other order, and with the older state the pause would be forgotten.
   */
  #put(): Promise<void> {
    const put = this.#stored.then(() => putState(this.#ports, ...this.#place, this.#state));
    this.#stored = put.catch(() => undefined);
    return put;
  }
}
