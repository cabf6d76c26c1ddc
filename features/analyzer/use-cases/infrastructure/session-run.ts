import { pause } from '#application/records/pause.ts';
import { LetGo, type StoredTaskTurn } from '#application/tasks/task.ts';
import { itemAt } from '#domain/assert.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { AnalysisProgress } from './progress-event.ts';
import {
  ANALYSIS_KINDS,
  type AnalysisCounts,
  type AnalysisSession,
  appendEvent,
  dropParts,
  lastEvent,
  newestEvent,
  readPart,
  SESSION_KEPT_MS,
  storePart,
} from './records.ts';

/** Time of a write with its pause, and the minimum pause: requests have priority. */
const TURN_MS = 20;
const MIN_PAUSE_MS = 1;
/** Interval of the check for a stop while a step runs elsewhere, ms. */
const LOOK_MS = 250;
/** Events of each step, apart from its first and last. */
const TOLD_PER_STEP = 50;
/** Time limit above the need of any environment. */
const MAX_MS = 3_600_000;

type SessionTurn = Pick<StoredTaskTurn<AnalysisSession>, 'ports' | 'task' | 'thing' | 'signal'>;

/** Runs one session: stores the result of each step, reports progress, and yields to others. */
export class SessionRun {
  readonly ports: Ports;
  readonly tenant: string;
  /** Interrupted work resumes after the last completed step. */
  readonly #signal: AbortSignal;
  #session: AnalysisSession;
  #revision: number;
  #counts: Partial<AnalysisCounts>;
  /** Number of the newest event. */
  #told: number;
  #last = { step: '', share: -1 };
  /** Time of the last pause, of the steady clock. */
  #turnedAt = 0;

  private constructor({ ports, task, thing, signal }: SessionTurn, told: number) {
    this.ports = ports;
    this.tenant = task.tenant;
    this.#signal = signal;
    this.#session = thing.body;
    this.#revision = thing.revision;
    this.#counts = thing.body.counts;
    this.#told = told;
  }

  static async open(turn: SessionTurn): Promise<SessionRun> {
    const { ports, task } = turn;
    return new SessionRun(turn, await newestEvent(ports.records, task.tenant, task.id));
  }

  /** Yields to others. Throws `LetGo`, or Fault `unprocessable` when the session exceeds its time. */
  async giveWay(turnMs = TURN_MS): Promise<void> {
    const { clock } = this.ports;
    await pause(Math.max(MIN_PAUSE_MS, turnMs - (clock.steady() - this.#turnedAt)));
    this.#turnedAt = clock.steady();
    this.#look();
  }

  #look(): void {
    this.#signal.throwIfAborted();
    if (this.ports.clock.now() - this.#session.startedAt > MAX_MS)
      throw new Fault('unprocessable', 'The analysis exceeded 1 hour');
  }

  /** Waits for work in another thread. Throws as `giveWay` does. */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    const done = work.then((value) => ({ value }));
    // It may fail after the wait has ended.
    done.catch(() => undefined);
    for (;;) {
      const { promise: due, resolve } = Promise.withResolvers<null>();
      const timer = setTimeout(resolve, LOOK_MS, null);
      const first = await Promise.race([done, due]).finally(() => clearTimeout(timer));
      if (first !== null) return first.value;
      this.#look();
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

  /** Sends progress to listeners, with few of many steps. Throws `LetGo` when another process has already sent it. */
  async tell(progress: Omit<AnalysisProgress, 'type'>): Promise<void> {
    const { step, current, total } = progress;
    const share = total === 0 ? 1 : Math.floor((TOLD_PER_STEP * current) / total);
    if (step === this.#last.step && share === this.#last.share) return;
    this.#last = { step, share };
    const isNew = await appendEvent(this.ports.records, this.tenant, this.#session, this.#told + 1, {
      type: 'progress',
      ...progress,
    });
    if (!isNew) throw new LetGo('Another process already sent this progress');
    this.#told += 1;
    this.#ring();
  }

  /** Stores results record by record; results found together are one write. Returns earlier results unchanged. */
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
        storePart(this.ports.records, this.tenant, this.#session, { name, n: count + n, body });
      await Promise.all(parts.map(keep));
      count += parts.length;
      await this.giveWay();
    }
    await this.#save({ parts: { ...this.#session.parts, [name]: count } });
  }

  /** Stores and returns a result that is needed as a whole. */
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
    if (part === null) throw new Fault('internal', `Part ${n} of ${name} is missing`);
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
    for (const hear of this.ports.memory.streams.get(this.tenant) ?? []) hear();
  }
}
