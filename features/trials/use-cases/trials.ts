import { isBeingDeleted } from '#application/access/is-being-deleted.ts';
import type { BackgroundOptions } from '#application/job.ts';
import { OneAtATime } from '#application/records/one-at-a-time.ts';
import { pause } from '#application/records/pause.ts';
import { Fault, isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { TRIAL_KINDS, type Trial } from '#features/trials/rules/trial.ts';
import { findTrial, TRIAL_KEPT_MS } from './records.ts';
import { runTrial } from './run-trial.ts';
import type { QueuedTrial } from './start-trial.ts';

/** A process that is gone holds up a trial for so long at most; ms. */
const LEASE_MS = 15_000;
/** Longer than any trial takes. */
const MOST_MS = 600_000;
const PAUSE_MS = 1;
/** How often it is said how far a trial is. */
const TOLD_MS = 1_000;
/** Tenants whose trials are looked at. */
const MOST_TENANTS = 1_000;

const STOPPED = 'The server stopped while it was at work: ask again';

type TrialsOptions = Pick<BackgroundOptions, 'failed'>;

type Place = StoredRecord<QueuedTrial>;

/** Trials of settings that were asked for, one after the other. One that a process has left is not taken up again: it has failed. */
export class Trials {
  readonly #ports: Ports;
  readonly #options: TrialsOptions;
  readonly #owner: string;
  readonly #turns = new OneAtATime(() => this.#goRound());

  constructor(ports: Ports, options: TrialsOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#owner = ports.ids.ulid();
  }

  /** A request has left work. */
  wake(): void {
    this.#ports.deadline.without(() => this.tick().catch(this.#options.failed));
  }

  /** Does what waits, and ends what a process has left that died. */
  tick(): Promise<void> {
    return this.#turns.ask();
  }

  /** Resolves when nothing is left to do that this process knows of. */
  idle(): Promise<void> {
    return this.#turns.idle();
  }

  stop(): Promise<void> {
    return this.#turns.stop();
  }

  async #goRound(): Promise<void> {
    const { records } = this.#ports;
    while (this.#turns.goesRound()) {
      const places = await records.list<QueuedTrial>(SYSTEM_TENANT, TRIAL_KINDS.queue, { limit: MOST_TENANTS });
      for (const place of places.sort((a, b) => a.body.at - b.body.at)) {
        if (this.#turns.isStopping) break;
        await this.#take(place);
      }
    }
  }

  async #take(place: Place): Promise<void> {
    const { tenant, trial: id } = place.body;
    const stored = await findTrial(this.#ports.records, tenant, id);
    // Its request is about to write it, or has died.
    if (stored === null || (await isBeingDeleted(this.#ports.records, tenant))) return;
    if (stored.body.endedAt !== null) return this.#leave(place);
    const leased = { kind: TRIAL_KINDS.lease, id: tenant };
    const lease = await this.#ports.leases.take(leased, this.#owner, LEASE_MS);
    if (lease === null) return;
    try {
      const work = new Work(this.#ports, tenant, stored, async () => !this.#turns.isStopping && lease.renew());
      await work.do(this.#options.failed);
      await this.#leave(place);
    } finally {
      await lease.release();
    }
  }

  /** Not a place that was taken over meanwhile. */
  async #leave({ body, revision }: Place): Promise<void> {
    const { records, clock } = this.#ports;
    const options = { expected: revision, expiresAt: clock.now() };
    await records.put(SYSTEM_TENANT, TRIAL_KINDS.queue, body.tenant, body, options).catch((error: unknown) => {
      if (!isOvertaken(error)) throw error;
    });
  }
}

/** One trial at work. */
class Work {
  readonly #ports: Ports;
  readonly #tenant: string;
  readonly #mayGoOn: () => Promise<boolean>;
  #trial: Trial;
  #revision: number;
  readonly #beganAt: number;
  #toldAt: number;

  constructor(ports: Ports, tenant: string, { body, revision }: StoredRecord<Trial>, mayGoOn: () => Promise<boolean>) {
    this.#ports = ports;
    this.#tenant = tenant;
    this.#mayGoOn = mayGoOn;
    this.#trial = body;
    this.#revision = revision;
    this.#beganAt = ports.clock.now();
    this.#toldAt = this.#beganAt;
  }

  /** Ends the trial in any case, unless the store is down. */
  async do(failed: (error: unknown) => void): Promise<void> {
    if (this.#trial.state === 'running') return this.#end({ state: 'failed', error: STOPPED });
    await this.#save({ state: 'running' });
    try {
      const run = { ports: this.#ports, tenant: this.#tenant, giveWay: (done: number) => this.#giveWay(done) };
      await this.#end({ state: 'completed', done: 1, result: await runTrial(run, this.#trial) });
    } catch (error) {
      if (!(error instanceof Fault)) failed(error);
      await this.#end({
        state: 'failed',
        error: error instanceof Fault ? error.message : 'An internal error, which the log has',
      });
    }
  }

  async #giveWay(done: number): Promise<void> {
    await pause(PAUSE_MS);
    const now = this.#ports.clock.now();
    if (now - this.#beganAt > MOST_MS) throw new Fault('unprocessable', 'The trial took longer than 10 minutes');
    if (now - this.#toldAt < TOLD_MS) return;
    this.#toldAt = now;
    if (!(await this.#mayGoOn())) throw new Fault('unprocessable', STOPPED);
    await this.#save({ done: Math.floor(done * 100) / 100 });
  }

  #end(change: Partial<Trial>): Promise<void> {
    return this.#save({ endedAt: this.#ports.clock.now(), ...change });
  }

  async #save(change: Partial<Trial>): Promise<void> {
    const trial = { ...this.#trial, ...change };
    const options = { expected: this.#revision, expiresAt: trial.startedAt + TRIAL_KEPT_MS };
    this.#revision = await this.#ports.records.put(this.#tenant, TRIAL_KINDS.trial, trial.id, trial, options);
    this.#trial = trial;
  }
}
