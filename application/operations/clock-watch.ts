import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { Fault } from '#domain/fault.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { HealthCheck } from '#domain/ports/health.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { type RecordStore, type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { isPlatformAdmin } from './platform-admin.ts';

/** Drift of NTP clocks between two checks is smaller. */
const JUMP_MS = 60_000;
/** Time of agreement with the monotonic clock after which a changed clock is trusted. */
export const SETTLING_MS = 3_600_000;
/** A machine that was off for longer, or one whose clock was set meanwhile: a start cannot distinguish them. */
const GAP_MS = 24 * 3_600_000;
/** Two processes whose clocks differ by more: one of them is wrong. */
const APART_MS = 5 * 60_000;
/** Interval at which the time is stored, for the next start and other processes. */
const NOTED_MS = 60_000;

const KIND = 'clock';
const LAST = 'last';
const CONFIRMED = 'confirmed';

/** Last time that a process used this store. */
interface LastSeen {
  readonly at: number;
  readonly owner: string;
  readonly settlingMs: number;
}

/** Confirmation by a user that the clocks are right. */
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
 * Compares the wall clock with the monotonic one, with other processes, and at a start with the stored time. Deletions
 * wait until it has been right for an hour, or a user confirms it.
 */
export class ClockWatch {
  readonly #options: ClockWatchOptions;
  /** Wall clock less the clock that only grows, ms. */
  #difference: number;
  /** Time of the monotonic clock, ms. */
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

  /** Compares with the stored time. Must be called once, before any job. */
  async begin(): Promise<void> {
    const { clock, records } = this.#options;
    const last = await records.get<LastSeen>(SYSTEM_TENANT, KIND, LAST);
    if (last !== null) {
      const gapMs = clock.now() - last.body.at;
      if (gapMs > GAP_MS || gapMs < -JUMP_MS)
        this.#distrust(`clock differs from the last stored time by ${spanOf(gapMs)}`, SETTLING_MS);
      else if (last.body.settlingMs > 0) this.#distrust('clock changed before the restart', last.body.settlingMs);
    }
    await this.#note();
  }

  /** Checks the clock, and occasionally the store. */
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

  /** Check for `/readyz?verbose`. */
  check(): HealthCheck {
    const ms = this.settlesIn;
    if (ms === 0 || this.#trouble === null) return { name: 'clock', ok: true, detail: 'consistent with elapsed time' };
    const detail = `${this.#trouble.what}; ${PAUSED} for ${Math.ceil(ms / 60_000)}m more`;
    return { name: 'clock', ok: true, warn: true, detail };
  }

  #look(): void {
    const { clock } = this.#options;
    const difference = clock.now() - clock.steady();
    const jumpMs = difference - this.#difference;
    this.#difference = difference;
    if (Math.abs(jumpMs) < JUMP_MS) return;
    this.#distrust(`clock jumped ${spanOf(jumpMs)} (time change or suspend)`, SETTLING_MS, Math.round(jumpMs / 1_000));
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
      `system clock uncertain: ${what}; event timestamps may be affected, and ${PAUSED} until it is steady for ${minutes}m or an administrator confirms it`,
    );
  }

  /** Another process that has stored its time since this one did has another clock. */
  async #compare(): Promise<void> {
    const { clock, records, owner } = this.#options;
    const last: StoredRecord<LastSeen> | null = await records.get(SYSTEM_TENANT, KIND, LAST);
    if (last === null || last.body.owner === owner || last.revision === this.#revision) return;
    const apartMs = clock.now() - last.body.at;
    if (Math.abs(apartMs) > APART_MS)
      this.#distrust(`clock differs from that of another process by ${spanOf(apartMs)}`, SETTLING_MS);
  }

  /** Applies a user's confirmation of the clocks since this one was set. */
  async #heed(): Promise<void> {
    const { clock, records, log } = this.#options;
    const said = await records.get<ClockConfirmation>(SYSTEM_TENANT, KIND, CONFIRMED);
    const since = this.#trouble?.since ?? 0;
    if (said === null || said.body.at < since - JUMP_MS || said.body.at > clock.now() + JUMP_MS) return;
    this.#settledAt = clock.steady();
    log.info({}, 'system clock confirmed; cleanup jobs resumed');
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
  if (size < 2 * 3_600_000) return `${sign}${Math.round(size / 60_000)}m`;
  if (size < 2 * 86_400_000) return `${sign}${Math.round(size / 3_600_000)}h`;
  return `${sign}${Math.round(size / 86_400_000)}d`;
};

/**
 * Confirms to all processes that their clocks are right, where they agree with the clock here. Throws Fault
 * `forbidden`.
 */
export const confirmClock = async (context: UseCaseContext): Promise<ClockConfirmation> => {
  if (!isPlatformAdmin(context))
    throw new Fault('forbidden', 'The clock affects all tenants; only platform administrators can confirm it');
  const { records, clock } = context.ports;
  const at = clock.now();
  const target = { kind: 'clock', id: 'system' };
  const entry = audited(context, { action: 'clock.confirmed', target, before: null, after: null });
  await records.put<ClockConfirmation>(SYSTEM_TENANT, KIND, CONFIRMED, { at }, { sideRecords: [entry] });
  return { at };
};
