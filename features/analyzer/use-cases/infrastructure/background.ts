import { isBeingDeleted } from '#application/access/is-being-deleted.ts';
import type { BackgroundOptions } from '#application/job.ts';
import { OneAtATime } from '#application/records/one-at-a-time.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { analyseEstate } from './analyse-estate.ts';
import { leavePlace, type QueuedAnalysisRecord, stateOf, waiting } from './queue.ts';
import { ANALYSIS_KINDS, findSession } from './records.ts';
import { AnalysisInterrupted, SessionRun } from './session-run.ts';

/** A process that is gone holds up a session for so long at most; ms. */
const LEASE_MS = 15_000;
/** Turns in which a session may fail for other reasons than a store that is down. */
const MAX_FAILURES = 3;

type AnalysesOptions = Pick<BackgroundOptions, 'failed'>;

/** Infrastructure analyses that were asked for, one after the other. */
export class Analyses {
  readonly #ports: Ports;
  readonly #options: AnalysesOptions;
  readonly #owner: string;
  /** By session. */
  readonly #failures = new Map<string, number>();
  readonly #turns = new OneAtATime(() => this.#goRound());

  constructor(ports: Ports, options: AnalysesOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#owner = ports.ids.ulid();
  }

  /** A request has left work. */
  wake(): void {
    this.#ports.deadline.without(() => this.tick().catch(this.#options.failed));
  }

  /** Does what waits, and what a process has left that died. Throws when some of it failed. */
  tick(): Promise<void> {
    return this.#turns.ask();
  }

  /** Resolves when nothing is left to do that this process knows of. */
  idle(): Promise<void> {
    return this.#turns.idle();
  }

  /** Lets go of the work where another process can take it up. */
  stop(): Promise<void> {
    return this.#turns.stop();
  }

  async #goRound(): Promise<void> {
    const errors: unknown[] = [];
    while (this.#turns.goesRound()) {
      for (const place of await waiting(this.#ports)) {
        if (this.#turns.isStopping) break;
        await this.#take(place).catch((error) => errors.push(error));
      }
    }
    for (const error of errors.slice(1)) this.#options.failed(error);
    if (errors.length > 0)
      throw new Error('Infrastructure analyses are stuck and are tried again', { cause: errors[0] });
  }

  async #take(place: QueuedAnalysisRecord): Promise<void> {
    const state = await stateOf(this.#ports, place);
    if (state === 'lost') await leavePlace(this.#ports, place);
    if (state === 'running' && !(await isBeingDeleted(this.#ports.records, place.body.tenant))) await this.#lead(place);
  }

  /** Works on a session unless another process does. */
  async #lead(place: QueuedAnalysisRecord): Promise<void> {
    const { clock, leases, records } = this.#ports;
    const leased = { kind: ANALYSIS_KINDS.lease, id: place.body.tenant };
    const lease = await leases.take(leased, this.#owner, LEASE_MS);
    if (lease === null) return;
    let checkedAt = clock.steady();
    const mayGoOn = async (): Promise<boolean> => {
      if (this.#turns.isStopping) return false;
      if (clock.steady() - checkedAt < LEASE_MS / 3) return true;
      checkedAt = clock.steady();
      if (await isBeingDeleted(records, place.body.tenant)) return false;
      return lease.renew();
    };
    try {
      await this.#work(place, mayGoOn);
    } finally {
      await lease.release();
    }
  }

  async #work(place: QueuedAnalysisRecord, mayGoOn: () => Promise<boolean>): Promise<void> {
    const { tenant, session: id } = place.body;
    const stored = await findSession(this.#ports.records, tenant, id);
    if (stored === null || stored.body.status !== 'running') return;
    const run = await SessionRun.open({ ports: this.#ports, tenant, stored, mayGoOn });
    try {
      await run.complete(await analyseEstate(run));
    } catch (error) {
      if (error instanceof AnalysisInterrupted) return;
      await this.#failed(run, id, error);
    }
    this.#failures.delete(id);
    await leavePlace(this.#ports, place);
  }

  /** A store that is down is waited for; what fails again and again ends the session. Throws what a later turn may mend. */
  async #failed(run: SessionRun, id: string, error: unknown): Promise<void> {
    if (error instanceof Fault && (error.kind === 'unavailable' || error.kind === 'precondition')) throw error;
    const times = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, times);
    const isFinal = error instanceof Fault && error.kind === 'unprocessable';
    if (times < MAX_FAILURES && !isFinal) throw error;
    await run.fail(error instanceof Fault ? error.message : 'An internal error, which the log has');
    if (!isFinal) this.#options.failed(error);
  }
}
