import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { Fault } from '#domain/fault.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { HealthCheck } from '#domain/ports/health.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { type RecordStore, type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { isPlatformAdmin } from './platform-admin.ts';

/** Clocks that are kept by NTP drift by less between two looks. */
const JUMP_MS = 60_000;
/** A clock that was set is believed when it has agreed for so long with the one that only grows. */
export const SETTLING_MS = 3_600_000;
/** A machine that was off for longer, or one whose clock was set meanwhile: a start cannot tell. */
const GAP_MS = 24 * 3_600_000;
/** Two processes whose clocks differ by more: one of them is wrong. */
const APART_MS = 5 * 60_000;
/** How often the time is stored, for the next start and other processes. */
const NOTED_MS = 60_000;

const KIND = 'clock';
const LAST = 'last';
const CONFIRMED = 'confirmed';

/** When a process had this store last. */
interface LastSeen {
  readonly at: number;
  readonly owner: string;
  readonly settlingMs: number;
}

/** A person says that the clocks are right. */
export interface ClockConfirmation {
  readonly at: number;
}

export interface ClockWatchOptions {
  readonly clock: Clock;
  readonly records: RecordStore;
  /** Names this process. */
  readonly owner: string;
  readonly metrics: Pick<Metrics, 'gauge'>;
  readonly log: Pick<Log, 'warn' | 'info'>;
}

const PAUSED = 'jobs that delete or expire data are paused';

/**
 * Compares the wall clock with the one that only grows, with other processes, and at a start with the time that is stored. Deletions
 * wait until it has been right for an hour, or a person says so.
 */
export class ClockWatch {
  readonly #options: ClockWatchOptions;
  /** Wall clock less the clock that only grows, ms. */
  #difference: number;
  /** Of the clock that only grows, ms. */
  #settledAt = Number.NEGATIVE_INFINITY;
  #notedAt = Number.NEGATIVE_INFINITY;
  #revision: number | null = null;
  /** The last trouble, and since when by the wall clock, ms. */
  #trouble: { readonly what: string; readonly since: number } | null = null;

  constructor(options: ClockWatchOptions) {
    this.#options = options;
    this.#difference = options.clock.now() - options.clock.steady();
  }

  /** Ms until it is believed; 0: it is. */
  get settlesIn(): number {
    this.#look();
    return Math.max(0, this.#settledAt - this.#options.clock.steady());
  }

  isSettled(): boolean {
    return this.settlesIn === 0;
  }

  /** Compares with what the store remembers. To be called once, before any job. */
  async begin(): Promise<void> {
    const { clock, records } = this.#options;
    const last = await records.get<LastSeen>(SYSTEM_TENANT, KIND, LAST);
    if (last !== null) {
      const gapMs = clock.now() - last.body.at;
      if (gapMs > GAP_MS || gapMs < -JUMP_MS)
        this.#distrust(`it differs from the time that was stored last by ${spanOf(gapMs)}`, SETTLING_MS);
      else if (last.body.settlingMs > 0) this.#distrust('it was set before the restart', last.body.settlingMs);
    }
    await this.#note();
  }

  /** Looks at the clock, and now and then at the store. */
  async tick(): Promise<void> {
    if (!this.isSettled()) await this.#heed();
    if (this.#options.clock.steady() - this.#notedAt < NOTED_MS) return;
    await this.#compare();
    await this.#note();
  }

  /** Sets the gauge; to be called before measurements are shown. */
  measure(): void {
    this.#options.metrics.gauge('faultline_clock_settling_seconds', {}, this.settlesIn / 1_000);
  }

  /** Of `/readyz?verbose`. */
  check(): HealthCheck {
    const ms = this.settlesIn;
    if (ms === 0 || this.#trouble === null)
      return { name: 'clock', ok: true, detail: 'agrees with the time that has passed' };
    const detail = `${this.#trouble.what}; ${PAUSED} for ${Math.ceil(ms / 60_000)} min more`;
    return { name: 'clock', ok: true, warn: true, detail };
  }

  #look(): void {
    const { clock } = this.#options;
    const difference = clock.now() - clock.steady();
    const jumpMs = difference - this.#difference;
    this.#difference = difference;
    if (Math.abs(jumpMs) < JUMP_MS) return;
    this.#distrust(`it was set by ${spanOf(jumpMs)}, or the machine slept`, SETTLING_MS, Math.round(jumpMs / 1_000));
  }

  #distrust(what: string, ms: number, jumpSeconds?: number): void {
    const { clock, log } = this.#options;
    const wasSettled = clock.steady() >= this.#settledAt;
    this.#settledAt = clock.steady() + ms;
    this.#trouble = { what, since: clock.now() };
    if (!wasSettled && jumpSeconds === undefined) return;
    const minutes = Math.ceil(ms / 60_000);
    log.warn(
      { ...(jumpSeconds !== undefined && { jumpSeconds }), minutes },
      `the system clock is not sure: ${what}; events are stamped with it, and ${PAUSED} until it has been steady for ${minutes} min or an administrator confirms it`,
    );
  }

  /** Another process that has stored its time since this one did has another clock. */
  async #compare(): Promise<void> {
    const { clock, records, owner } = this.#options;
    const last: StoredRecord<LastSeen> | null = await records.get(SYSTEM_TENANT, KIND, LAST);
    if (last === null || last.body.owner === owner || last.revision === this.#revision) return;
    const apartMs = clock.now() - last.body.at;
    if (Math.abs(apartMs) > APART_MS)
      this.#distrust(`it differs from that of another process by ${spanOf(apartMs)}`, SETTLING_MS);
  }

  /** Heeds what a person has said of the clocks since this one was set. */
  async #heed(): Promise<void> {
    const { clock, records, log } = this.#options;
    const said = await records.get<ClockConfirmation>(SYSTEM_TENANT, KIND, CONFIRMED);
    const since = this.#trouble?.since ?? 0;
    if (said === null || said.body.at < since - JUMP_MS || said.body.at > clock.now() + JUMP_MS) return;
    this.#settledAt = clock.steady();
    log.info({}, 'the system clock was confirmed: jobs that delete or expire data run again');
    await this.#note();
  }

  async #note(): Promise<void> {
    const { clock, records, owner } = this.#options;
    this.#notedAt = clock.steady();
    const body: LastSeen = { at: clock.now(), owner, settlingMs: this.settlesIn };
    this.#revision = await records.put(SYSTEM_TENANT, KIND, LAST, body);
  }
}

const spanOf = (ms: number): string => {
  const [size, sign] = [Math.abs(ms), ms < 0 ? '-' : '+'];
  if (size < 2 * 3_600_000) return `${sign}${Math.round(size / 60_000)} min`;
  if (size < 2 * 86_400_000) return `${sign}${Math.round(size / 3_600_000)} h`;
  return `${sign}${Math.round(size / 86_400_000)} days`;
};

/** Says to all processes that their clocks are right, where they agree with the clock here. Throws Fault `forbidden`. */
export const confirmClock = async (context: UseCaseContext): Promise<ClockConfirmation> => {
  if (!isPlatformAdmin(context))
    throw new Fault('forbidden', 'The clock counts for all tenants: platform administrators confirm it');
  const { records, clock } = context.ports;
  const at = clock.now();
  const target = { kind: 'clock', id: 'system' };
  const entry = audited(context, { action: 'clock.confirmed', target, before: null, after: null });
  await records.put<ClockConfirmation>(SYSTEM_TENANT, KIND, CONFIRMED, { at }, { sideRecords: [entry] });
  return { at };
};
