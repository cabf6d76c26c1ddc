import type { BackgroundOptions } from '#application/job.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { misplacedFrom } from '#features/webhooks/rules/retry.ts';
import { webhooksOf } from '#features/webhooks/use-cases/webhook-store.ts';
import { dropQueue, firstDues } from './queue-scan.ts';
import { DELIVERY_KINDS, type Due } from './records.ts';
import { Slots } from './slots.ts';
import { WebhookRun } from './webhook-run.ts';

/** Deliveries under way in one process. */
const SLOTS = 64;
/** A process that is gone holds up a webhook for so long at most; ms. */
const LEASE_MS = 15_000;

type Began = 'runs' | 'rests' | 'nothing due';

type Source = (ports: Ports, isStopping: () => boolean) => Promise<void>;

interface DelivererOptions extends Pick<BackgroundOptions, 'every' | 'failed'> {
  /** Make deliveries of what others have left; each has the same effect when it runs twice. */
  readonly sources: readonly Source[];
}

/** Delivers what is due of all webhooks. */
export class Deliverer {
  readonly #ports: Ports;
  readonly #options: DelivererOptions;
  readonly #owner: string;
  readonly #slots = new Slots(SLOTS);
  readonly #stopping = new AbortController();
  readonly #runs = new Map<string, { readonly run: WebhookRun; readonly ended: Promise<void> }>();
  #turning: Promise<void> | null = null;
  #again = false;

  constructor(ports: Ports, options: DelivererOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#owner = ports.ids.ulid();
  }

  /** There is something to deliver. */
  wake(): void {
    this.#ports.deadline.without(() => this.tick().catch(this.#options.failed));
  }

  /** Looks for what is due, and does not wait for its delivery. To be called every second. */
  tick(): Promise<void> {
    this.#again = true;
    this.#turning ??= this.#turns().finally(() => {
      this.#turning = null;
    });
    return this.#turning;
  }

  /** Resolves when nothing is due and nothing under way. */
  async idle(): Promise<void> {
    while (this.#turning !== null || this.#runs.size > 0) {
      await this.#turning;
      await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
    }
  }

  /** Lets go of what is under way: it is due again at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.idle();
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #turns(): Promise<void> {
    while (this.#again && !this.#isStopping) {
      this.#again = false;
      for (const source of this.#options.sources) await source(this.#ports, () => this.#isStopping);
      const now = this.#ports.clock.now();
      let [resting, oldest] = [0, now];
      for await (const due of firstDues(this.#ports)) {
        if (this.#isStopping) return;
        const isDue = due.at <= now || due.at > misplacedFrom(now);
        const began = isDue ? await this.#start(due) : 'nothing due';
        if (began === 'rests') resting += 1;
        if (began === 'runs') oldest = Math.min(oldest, due.at);
      }
      this.#ports.metrics.gauge('faultline_outgoing_resting', {}, resting);
      this.#ports.metrics.gauge('faultline_outgoing_lag_seconds', {}, (now - oldest) / 1_000);
    }
  }

  /** Resolves when the deliveries have begun. */
  async #start(due: Due): Promise<Began> {
    const { tenant, webhookId } = due;
    const known = this.#runs.get(webhookId);
    if (known !== undefined) {
      known.run.fill();
      return 'runs';
    }
    const webhook = (await webhooksOf(this.#ports, tenant)).find(({ id }) => id === webhookId);
    if (webhook === undefined) await dropQueue(this.#ports, due, () => this.#isStopping);
    return webhook?.active === true ? this.#run(tenant, webhookId) : 'nothing due';
  }

  async #run(tenant: string, webhookId: string): Promise<Began> {
    const { failed } = this.#options;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal]);
    const run = await WebhookRun.open({ ports: this.#ports, slots: this.#slots, signal, failed }, tenant, webhookId);
    if (run.isResting) return 'rests';
    const release = await this.#lease(webhookId, lost);
    if (release === null) return 'nothing due';
    const until = async (): Promise<void> => {
      do await run.ended();
      while (run.isBusy);
      this.#runs.delete(webhookId);
      await release();
    };
    run.fill();
    this.#runs.set(webhookId, { run, ended: until() });
    return 'runs';
  }

  /** Resolves with what gives the webhook back; null while another process has it. `lost` is aborted when it is another one's. */
  async #lease(webhookId: string, lost: AbortController): Promise<(() => Promise<void>) | null> {
    const { every } = this.#options;
    const lease = await this.#ports.leases.take({ kind: DELIVERY_KINDS.lease, id: webhookId }, this.#owner, LEASE_MS);
    if (lease === null) return null;
    const renew = async (): Promise<void> => {
      if (!(await lease.renew().catch(() => true))) lost.abort();
    };
    const stopRenewing = every(LEASE_MS / 3, () => void renew());
    return async () => {
      stopRenewing();
      await lease.release().catch(() => undefined);
    };
  }
}
