import { pause } from '#application/records/pause.ts';
import { Fault } from '#domain/fault.ts';
import { itemAt } from '#domain/known.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { AnalysisProgress } from './progress-event.ts';
import {
  ANALYSIS_KINDS,
  type AnalysisCounts,
  type AnalysisSession,
  appendEvent,
  dropParts,
  keepPart,
  lastEvent,
  newestEvent,
  readPart,
  SESSION_KEPT_MS,
} from './records.ts';

/** The process stops, or another one works on it: the work goes on from the last step that is done. */
export class AnalysisInterrupted extends Error {}

/** A write takes so long with the pause behind it, and the pause is no shorter than the second: requests come first. */
const TURN_MS = 20;
const LEAST_PAUSE_MS = 1;
/** So often it is looked whether to go on while a step is done elsewhere. */
const LOOK_MS = 250;
/** Events of each step, apart from its first and last. */
const TOLD_PER_STEP = 50;
/** Longer than any estate takes. */
const MOST_MS = 3_600_000;

interface RunOptions {
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
  #counts: Partial<AnalysisCounts>;
  /** Number of the newest event. */
  #told: number;
  #last = { step: '', share: -1 };
  /** When others had their turn last, of the steady clock. */
  #turnedAt = 0;

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
  async giveWay(turnMs = TURN_MS): Promise<void> {
    const { clock } = this.ports;
    await pause(Math.max(LEAST_PAUSE_MS, turnMs - (clock.steady() - this.#turnedAt)));
    this.#turnedAt = clock.steady();
    await this.#look();
  }

  async #look(): Promise<void> {
    if (!(await this.#mayGoOn())) throw new AnalysisInterrupted();
    if (this.ports.clock.now() - this.#session.startedAt > MOST_MS)
      throw new Fault('unprocessable', 'The analysis took longer than an hour');
  }

  /** Waits for what is done elsewhere. Throws as `giveWay` does. */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    const done = work.then((value) => ({ value }));
    // It may fail after nobody waits any more.
    done.catch(() => undefined);
    for (;;) {
      const { promise: due, resolve } = Promise.withResolvers<null>();
      const timer = setTimeout(resolve, LOOK_MS, null);
      const first = await Promise.race([done, due]).finally(() => clearTimeout(timer));
      if (first !== null) return first.value;
      await this.#look();
    }
  }

  get counts(): Pick<AnalysisCounts, 'cis' | 'relationships' | 'services'> {
    const { cis = 0, relationships = 0, services = 0 } = this.#counts;
    return { cis, relationships, services };
  }

  /** Counts on the way; stored with the next finished step. */
  note(counts: Partial<AnalysisCounts>): void {
    this.#counts = { ...this.#counts, ...counts };
  }

  /** Tells listeners, but of many steps in one only some. Throws `Interrupted` when another process has told them. */
  async tell(progress: Omit<AnalysisProgress, 'type'>): Promise<void> {
    const { step, current, total } = progress;
    const share = total === 0 ? 1 : Math.floor((TOLD_PER_STEP * current) / total);
    if (step === this.#last.step && share === this.#last.share) return;
    this.#last = { step, share };
    const isNew = await appendEvent(this.ports.records, this.tenant, this.#session, this.#told + 1, {
      type: 'progress',
      ...progress,
    });
    if (!isNew) throw new AnalysisInterrupted();
    this.#told += 1;
    this.#ring();
  }

  /** Keeps what is found, record by record; what is found together is one write. What was found before is handed on. */
  async parts<T>(name: string, find: () => AsyncIterable<readonly T[]>, again: (part: T) => void): Promise<void> {
    const known = this.#session.parts[name];
    if (known !== undefined) {
      for (let n = 0; n < known; n++) {
        again(await this.#part<T>(name, n));
        await this.giveWay();
      }
      return;
    }
    let count = 0;
    for await (const parts of find()) {
      const keep = (body: T, n: number) =>
        keepPart(this.ports.records, this.tenant, this.#session, { name, n: count + n, body });
      await Promise.all(parts.map(keep));
      count += parts.length;
      await this.giveWay();
    }
    await this.#save({ parts: { ...this.#session.parts, [name]: count } });
  }

  /** The same for what is needed as a whole. */
  async kept<T>(name: string, perPart: number, find: () => Promise<ArrayLike<T>>): Promise<readonly T[]> {
    const all: T[] = [];
    const take = (part: readonly T[]): void => {
      for (const item of part) all.push(item);
    };
    const found = async function* () {
      const items = await find();
      for (let from = 0; from < items.length; from += perPart) {
        const part = Array.from({ length: Math.min(perPart, items.length - from) }, (_, n) => itemAt(items, from + n));
        take(part);
        yield [part];
      }
    };
    await this.parts<readonly T[]>(name, found, take);
    return all;
  }

  async #part<T>(name: string, n: number): Promise<T> {
    const part = await readPart<T>(this.ports.records, this.tenant, this.#session.id, name, n);
    if (part === null) throw new Fault('internal', `Part ${n} of ${name} is not there`);
    return part;
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
