import { isBeingDeleted } from '#application/access/is-being-deleted.ts';
import type { BackgroundOptions } from '#application/job.ts';
import { recordChunks } from '#application/records/list-records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { type QueuedReport, REPORT_KINDS } from '#features/reports/rules/report.ts';
import { findReport, leavePlace, type QueuedReportRecord } from '#features/reports/use-cases/report-records.ts';
import { AT_ONCE } from './estimate.ts';
import { ReportInterrupted, ReportTurn } from './report-turn.ts';

/** A process that is gone holds up a report for so long at most; ms. */
const LEASE_MS = 15_000;
/** The wait before a failed report is tried again, ms. */
const LATER_MS = 5_000;
/** A place whose report is not to be seen for so long belongs to nothing; ms. */
const LOST_AFTER_MS = 60_000;

export interface ReportMakerOptions extends Pick<BackgroundOptions, 'failed' | 'publicUrl'> {
  /** Longest time of one report, ms. */
  readonly mostMs: number;
}

/** Tenants take turns; those of one tenant in the order in which they came. */
export function inTurns(places: readonly QueuedReportRecord[]): QueuedReportRecord[] {
  const seen = new Map<string, number>();
  const ranked = [...places]
    .sort((a, b) => a.body.at - b.body.at || (a.id < b.id ? -1 : 1))
    .map((place) => {
      const rank = seen.get(place.body.tenant) ?? 0;
      seen.set(place.body.tenant, rank + 1);
      return { place, rank };
    });
  return ranked.sort((a, b) => a.rank - b.rank || a.place.body.at - b.place.body.at).map(({ place }) => place);
}

/** Makes reports that were asked for, two at a time. */
export class ReportMaker {
  readonly #ports: Ports;
  readonly #options: ReportMakerOptions;
  readonly #owner: string;
  readonly #busy = new Set<string>();
  /** By place: when it is looked at again, ms. */
  readonly #later = new Map<string, number>();
  readonly #slots = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #again = false;

  constructor(ports: Ports, options: ReportMakerOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#owner = ports.ids.ulid();
  }

  /** A request has left work. */
  wake(): void {
    this.#ports.deadline.without(() => this.tick().catch(this.#options.failed));
  }

  /** Makes what waits, and what a process has left that died. Throws when some of it failed. */
  async tick(): Promise<void> {
    this.#again = true;
    while (this.#slots.size < AT_ONCE && !this.#stopping.signal.aborted) this.#open();
    await Promise.all(this.#slots);
  }

  /** Resolves when nothing is left to do that this process knows of. */
  async idle(): Promise<void> {
    while (this.#slots.size > 0) await Promise.allSettled(this.#slots);
  }

  /** Lets go of the work where another process can take it up. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.idle();
  }

  #open(): void {
    const slot = this.#work().finally(() => this.#slots.delete(slot));
    this.#slots.add(slot);
  }

  async #work(): Promise<void> {
    const errors: unknown[] = [];
    for (;;) {
      this.#again = false;
      const place = await this.#next();
      if (place === null && !this.#again) break;
      if (place !== null) await this.#take(place).catch((error) => errors.push(error));
    }
    for (const error of errors.slice(1)) this.#options.failed(error);
    if (errors.length > 0) throw new Error('Reports are stuck and are tried again', { cause: errors[0] });
  }

  /** The next one that nobody in this process works on. */
  async #next(): Promise<QueuedReportRecord | null> {
    const now = this.#ports.clock.now();
    for (const [id, until] of this.#later) if (until <= now) this.#later.delete(id);
    const waiting: QueuedReportRecord[] = [];
    for await (const chunk of recordChunks<QueuedReport>(this.#ports.records, SYSTEM_TENANT, REPORT_KINDS.queue))
      waiting.push(...chunk);
    if (this.#stopping.signal.aborted) return null;
    const next = inTurns(waiting).find(({ id }) => !this.#busy.has(id) && !this.#later.has(id)) ?? null;
    if (next !== null) this.#busy.add(next.id);
    return next;
  }

  async #take(place: QueuedReportRecord): Promise<void> {
    try {
      const isDone = await this.#lead(place);
      if (!isDone) this.#later.set(place.id, this.#ports.clock.now() + LATER_MS);
    } catch (error) {
      this.#later.set(place.id, this.#ports.clock.now() + LATER_MS);
      throw error;
    } finally {
      this.#busy.delete(place.id);
    }
  }

  /** Makes a report unless another process does. False: it is to be looked at again. */
  async #lead({ id, body }: QueuedReportRecord): Promise<boolean> {
    if (await isBeingDeleted(this.#ports.records, body.tenant)) return false;
    const leased = { kind: REPORT_KINDS.lease, id };
    const lease = await this.#ports.leases.take(leased, this.#owner, LEASE_MS);
    if (lease === null) return false;
    const lost = new AbortController();
    const renew = async (): Promise<void> => {
      if (!(await lease.renew().catch(() => false))) lost.abort();
    };
    const beat = setInterval(() => void renew(), LEASE_MS / 3);
    try {
      return await this.#make(body, AbortSignal.any([this.#stopping.signal, lost.signal]));
    } finally {
      clearInterval(beat);
      await lease.release();
    }
  }

  async #make(place: QueuedReport, letGo: AbortSignal): Promise<boolean> {
    const { tenant, report: id } = place;
    const stored = await findReport(this.#ports.records, tenant, id);
    if (stored === null && this.#ports.clock.now() - place.at < LOST_AFTER_MS) return false;
    if (stored?.body.status === 'generating') {
      const { mostMs, publicUrl, failed } = this.#options;
      const turn = new ReportTurn({ ports: this.#ports, tenant, stored, mostMs, publicUrl, letGo, failed });
      try {
        await turn.run();
      } catch (error) {
        if (error instanceof ReportInterrupted) return false;
        throw error;
      }
    }
    await leavePlace(this.#ports, place);
    return true;
  }
}
