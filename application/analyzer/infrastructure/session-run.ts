import { pause } from '#application/records/pause.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { Progress } from './progress-event.ts';
import {
  ANALYSIS_KINDS,
  type AnalysisSession,
  appendEvent,
  type Counts,
  dropParts,
  keepParts,
  lastEvent,
  newestEvent,
  readPart,
  SESSION_KEPT_MS,
} from './records.ts';

/** The process stops, or another one works on it: the work goes on from the last step that is done. */
export class Interrupted extends Error {}

/** Pieces of work, of a tenth of a millisecond each, between two pauses: requests wait for no more. */
const PIECES = 12;
const PAUSE_MS = 2;
/** Events of each step, apart from its first and last. */
const TOLD_PER_STEP = 50;
/** Longer than any estate takes. */
const MOST_MS = 3_600_000;

export interface RunOptions {
  readonly ports: Ports;
  readonly tenant: string;
  readonly stored: StoredRecord<AnalysisSession>;
  /** Resolves with false when this process is to let go. */
  readonly mayGoOn: () => Promise<boolean>;
}

/** One session at work: keeps what each step finds, tells how far it is, and lets others have their turn. */
export class SessionRun {
  readonly ports: Ports;
  readonly tenant: string;
  readonly #mayGoOn: () => Promise<boolean>;
  #session: AnalysisSession;
  #revision: number;
  #counts: Partial<Counts>;
  /** Number of the newest event. */
  #told: number;
  #last = { step: '', share: -1 };

  private constructor({ ports, tenant, stored, mayGoOn }: RunOptions, told: number) {
    this.ports = ports;
    this.tenant = tenant;
    this.#mayGoOn = mayGoOn;
    this.#session = stored.body;
    this.#revision = stored.revision;
    this.#counts = stored.body.counts;
    this.#told = told;
  }

  static async open(options: RunOptions): Promise<SessionRun> {
    const { ports, tenant, stored } = options;
    return new SessionRun(options, await newestEvent(ports.records, tenant, stored.body.id));
  }

  /** Lets others have their turn. Throws `Interrupted`, or Fault `unprocessable` when it has taken too long. */
  async giveWay(): Promise<void> {
    await pause(PAUSE_MS);
    if (!(await this.#mayGoOn())) throw new Interrupted();
    if (this.ports.clock.now() - this.#session.startedAt > MOST_MS)
      throw new Fault('unprocessable', 'The analysis took longer than an hour');
  }

  /** Does long work in slices. */
  async slices<T>(work: Generator<unknown, T>): Promise<T> {
    for (let pieces = 1; ; pieces++) {
      const piece = work.next();
      if (piece.done === true) return piece.value;
      if (pieces % PIECES === 0) await this.giveWay();
    }
  }

  /** What is counted on the way; kept with the next step that is done. */
  note(counts: Partial<Counts>): void {
    this.#counts = { ...this.#counts, ...counts };
  }

  /** Tells listeners, but of many steps in one only some. Throws `Interrupted` when another process has told them. */
  async tell(progress: Omit<Progress, 'type'>): Promise<void> {
    const { step, current, total } = progress;
    const share = total === 0 ? 1 : Math.floor((TOLD_PER_STEP * current) / total);
    if (step === this.#last.step && share === this.#last.share) return;
    this.#last = { step, share };
    const isNew = await appendEvent(this.ports.records, this.tenant, this.#session, this.#told + 1, {
      type: 'progress',
      ...progress,
    });
    if (!isNew) throw new Interrupted();
    this.#told += 1;
    this.#ring();
  }

  /** What was found before, else what is found now, which is kept. */
  async kept<T>(name: string, perPart: number, find: () => Promise<readonly T[]>): Promise<readonly T[]> {
    const { records } = this.ports;
    const known = this.#session.parts[name];
    if (known !== undefined) return this.#read<T>(name, known);
    const items = await find();
    const count = await keepParts(records, this.tenant, this.#session, { name, items, perPart });
    await this.#save({ parts: { ...this.#session.parts, [name]: count } });
    return items;
  }

  async #read<T>(name: string, count: number): Promise<T[]> {
    const items: T[] = [];
    for (let n = 0; n < count; n++) {
      const part = await readPart<T>(this.ports.records, this.tenant, this.#session.id, name, n);
      if (part === null) throw new Fault('internal', `Part ${n} of ${name} is not there`);
      for (const item of part) items.push(item);
    }
    return items;
  }

  async #save(change: Partial<AnalysisSession>, sideRecords: ReturnType<typeof lastEvent>[] = []): Promise<void> {
    const session = { ...this.#session, counts: this.#counts, ...change };
    const options = { expected: this.#revision, expiresAt: session.startedAt + SESSION_KEPT_MS, sideRecords };
    this.#revision = await this.ports.records.put(this.tenant, ANALYSIS_KINDS.session, session.id, session, options);
    this.#session = session;
  }

  /** The session is done; only what it has found stays. */
  async complete(totalServices: number): Promise<void> {
    const { services = 0, ...rest } = this.#session.parts;
    const completedAt = this.ports.clock.now();
    const discoveredAt = new Date(completedAt).toISOString();
    const told = lastEvent(this.tenant, this.#session, this.#told + 1, {
      type: 'complete',
      totalServices,
      discoveredAt,
    });
    await this.#save({ status: 'completed', completedAt, parts: { services } }, [told]);
    this.#ring();
    await dropParts(this.ports.records, this.tenant, this.#session.id, rest);
  }

  async fail(error: string): Promise<void> {
    const { parts } = this.#session;
    const told = lastEvent(this.tenant, this.#session, this.#told + 1, { type: 'error', error });
    await this.#save({ status: 'failed', completedAt: this.ports.clock.now(), error, parts: {} }, [told]);
    this.#ring();
    await dropParts(this.ports.records, this.tenant, this.#session.id, parts);
  }

  #ring(): void {
    for (const wake of this.ports.memory.streams.get(this.tenant) ?? []) wake();
  }
}
