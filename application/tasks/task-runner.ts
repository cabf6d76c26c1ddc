import { isBeingDeleted } from '#application/access/is-being-deleted.ts';
import { inTurn } from '#application/records/in-turn.ts';
import { Fault } from '#domain/fault.ts';
import type { Lease } from '#domain/ports/jobs.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { countTries, leaseOf, leavePlace, queueOf, stateOf, waitingPlaces } from './places.ts';
import {
  LetGo,
  type Place,
  type StoredTasks,
  type Task,
  type TaskKind,
  type TaskOptions,
  type TaskTurn,
} from './task.ts';

const INTERNAL = 'Internal error; see the server log';

const isKind = (error: unknown, ...kinds: readonly Fault['kind'][]): boolean =>
  error instanceof Fault && kinds.includes(error.kind);

/** Ends the record of the task, unless it has ended meanwhile, and leaves the queue; again if a late write of the task was faster. */
async function giveUp<T>(kind: StoredTasks<T>, place: Place, turn: TaskTurn, reason: string): Promise<void> {
  const { ports, task } = turn;
  await inTurn(ports, { of: [kind.name, task.tenant, task.id], ifMatch: null }, async () => {
    const thing = await kind.find(ports.records, task.tenant, task.id);
    if (thing !== null && kind.isOpen(thing.body)) await kind.giveUp({ ...turn, thing }, reason);
  });
  await leavePlace(ports, kind, place);
}

/** Throws errors that a later turn may resolve. */
async function settleFailed<T>(kind: StoredTasks<T>, place: Place, turn: TaskTurn, error: unknown): Promise<void> {
  const { ports, signal } = turn;
  const countsBegun = kind.tries.counted === 'begun';
  const isFinal = isKind(error, 'unprocessable');
  if (error instanceof LetGo || (signal.aborted && !isFinal)) {
    if (countsBegun) await countTries(ports, kind, place, -1);
    return;
  }
  if (!countsBegun && isKind(error, 'unavailable', 'precondition')) throw error;
  const tries = (place.body.tries ?? 0) + (countsBegun ? 0 : 1);
  if (!isFinal && tries < kind.tries.most) {
    if (!countsBegun) await countTries(ports, kind, place, 1);
    throw error;
  }
  await giveUp(kind, place, turn, error instanceof Fault ? error.message : INTERNAL);
  if (!isFinal) turn.failed(error);
}

/** Runs a task whose lease this process has, counts the attempt and removes ended ones from the queue. */
async function doKept<T>(kind: StoredTasks<T>, place: Place, turn: TaskTurn): Promise<void> {
  const { ports, task } = turn;
  const { tries } = kind;
  const thing = await kind.find(ports.records, task.tenant, task.id);
  let held = place;
  if (thing !== null && kind.isOpen(thing.body)) {
    if (tries.counted === 'begun') {
      if ((task.tries ?? 0) >= tries.most) return giveUp(kind, place, turn, tries.unended);
      held = await countTries(ports, kind, place, 1);
    }
    try {
      await kind.run({ ...turn, task: held.body, thing });
    } catch (error) {
      return settleFailed(kind, held, turn, error);
    }
  }
  await leavePlace(ports, kind, held);
}

/** Maximum delay of a task after the death of its process; ms. */
const LEASE_MS = 15_000;
/** The wait before a task that failed is tried again doubles up to this, ms. */
const MAX_WAIT_MS = 30_000;

interface Later {
  /** Time of the monotonic clock, ms. */
  readonly at: number;
  readonly waitMs: number;
}

const isKept = (kind: TaskKind): kind is StoredTasks<unknown> => 'find' in kind;

/** Does the tasks of one kind in this process. */
export class TaskRunner {
  readonly #kind: TaskKind;
  readonly #ports: Ports;
  readonly #options: TaskOptions;
  readonly #owner: string;
  readonly #stopping = new AbortController();
  readonly #isStopping = (): boolean => this.#stopping.signal.aborted;
  /** Runs by key. */
  readonly #busy = new Map<string, Promise<void>>();
  /** Later tasks by place. */
  readonly #later = new Map<string, Later>();
  /** Keys of this round whose first task has had its turn, and whether it was begun. */
  readonly #passed = new Map<string, boolean>();
  #errors: unknown[] = [];
  #again = false;
  /** True if a task waits for a running one. */
  #isLeft = false;
  #rung = Promise.withResolvers<void>();
  #running: Promise<void> | null = null;

  constructor(kind: TaskKind, ports: Ports, options: TaskOptions) {
    this.#kind = kind;
    this.#ports = ports;
    this.#options = options;
    this.#owner = ports.ids.ulid();
  }

  /** A request has left a task, and does not wait for it. */
  ring(): void {
    this.#ports.deadline.without(() => this.#ask().catch(this.#options.failed));
  }

  /** Runs waiting tasks, and those left by a dead process. Throws when some of them failed. */
  async tick(): Promise<void> {
    for (const look of this.#kind.looks ?? []) await this.#noting(look(this.#ports, this.#isStopping));
    await this.#ask();
  }

  /** Resolves when nothing is left to do that this process knows of. */
  async idle(): Promise<void> {
    const { unfinished } = this.#kind;
    for (;;) {
      await this.#running?.catch(() => undefined);
      await Promise.all(this.#busy.values());
      if (this.#running !== null || this.#busy.size > 0) continue;
      if (this.#isStopping() || !unfinished?.isLeft(this.#ports)) return;
      await unfinished.some(this.#ports, this.#isStopping);
    }
  }

  /** Stops the work where another process can resume it. */
  async stop(): Promise<void> {
    this.#stopping.abort(new LetGo('The process is stopping'));
    this.#rung.resolve();
    await this.idle();
  }

  async #ask(): Promise<void> {
    if (this.#isStopping()) return;
    this.#again = true;
    this.#rung.resolve();
    this.#running ??= this.#rounds();
    await this.#running;
  }

  async #rounds(): Promise<void> {
    while (this.#again && !this.#isStopping()) {
      this.#again = false;
      await this.#round();
      if (isKept(this.#kind)) await this.#untilRoom();
    }
    // A signal from now on begins again.
    this.#running = null;
    const [first, ...others] = this.#errors.splice(0);
    for (const error of others) this.#options.failed(error);
    const { failure, stuck = failure } = this.#kind;
    if (first !== undefined) throw new Error(stuck, { cause: first });
  }

  /** Resolves when nothing runs, or another round is requested and has room. */
  async #untilRoom(): Promise<void> {
    const hasRoom = (): boolean => this.#again && this.#busy.size < this.#kind.atOnce && !this.#isStopping();
    while (this.#busy.size > 0 && !hasRoom()) {
      this.#rung = Promise.withResolvers();
      await this.#rung.promise;
    }
  }

  async #round(): Promise<void> {
    const now = this.#ports.clock.steady();
    for (const [id, { at }] of this.#later) if (at + MAX_WAIT_MS < now) this.#later.delete(id);
    this.#isLeft = false;
    this.#passed.clear();
    for (const source of this.#kind.sources ?? []) await this.#noting(source(this.#ports, this.#isStopping));
    await this.#noting(this.#beginAll());
  }

  async #noting(work: Promise<void>): Promise<void> {
    await work.catch((error) => this.#errors.push(error));
  }

  async #beginAll(): Promise<void> {
    for await (const place of this.#waiting()) {
      if (this.#isStopping()) return;
      await this.#begin(place).catch((error) => this.#putOff(place, error));
    }
  }

  async *#waiting(): AsyncGenerator<Place> {
    const kind = this.#kind;
    if (isKept(kind)) yield* await waitingPlaces(this.#ports.records, kind);
    else
      for await (const task of kind.waiting(this.#ports, this.#isStopping))
        yield { id: task.id, revision: 0, body: task };
  }

  #keyOf({ id, body }: Place): string {
    return isKept(this.#kind) && this.#kind.places !== 'many' ? body.tenant : id;
  }

  #putOff({ id }: Place, error: unknown): void {
    const before = this.#later.get(id)?.waitMs ?? 0;
    const waitMs = Math.min(MAX_WAIT_MS, before === 0 ? this.#kind.everyMs / 2 : 2 * before);
    this.#later.set(id, { at: this.#ports.clock.steady() + waitMs, waitMs });
    this.#errors.push(error);
  }

  /** Resolves when the task runs, or must not begin. */
  async #begin(place: Place): Promise<void> {
    const key = this.#keyOf(place);
    if (this.#passed.has(key)) {
      this.#isLeft ||= this.#busy.has(key);
      // It has ended since.
      this.#again ||= this.#passed.get(key) === true && !this.#busy.has(key);
      return;
    }
    this.#passed.set(key, false);
    const later = this.#later.get(place.id);
    if (later !== undefined && later.at > this.#ports.clock.steady()) return;
    if (this.#busy.has(key) || this.#busy.size >= this.#kind.atOnce) {
      this.#isLeft ||= isKept(this.#kind) || !this.#busy.has(key) || !this.#kind.takesAlong(this.#ports, place.body);
      return;
    }
    if (!(await this.#isReady(place, key))) return;
    const leased = { kind: leaseOf(this.#kind), id: key };
    const lease = await this.#ports.leases.take(leased, this.#owner, LEASE_MS);
    if (lease === null) return;
    const work = this.#lead(place, lease).finally(() => {
      this.#busy.delete(key);
      this.#ended();
    });
    this.#busy.set(key, work);
    this.#passed.set(key, true);
  }

  /** The next one of the key, or of all, may begin. */
  #ended(): void {
    if (this.#isLeft && !this.#isStopping()) this.#ask().catch(this.#options.failed);
    this.#rung.resolve();
  }

  async #isReady(place: Place, key: string): Promise<boolean> {
    const kind = this.#kind;
    if (!isKept(kind)) return true;
    if (await isBeingDeleted(this.#ports.records, place.body.tenant)) return false;
    const state = await stateOf(this.#ports, kind, place.body);
    if (state === 'gone') {
      await leavePlace(this.#ports, kind, place);
      this.#passed.delete(key);
    }
    return state === 'open';
  }

  /** False when it was canceled. */
  async #isWanted({ id, body: task }: Place): Promise<boolean> {
    if (!isKept(this.#kind)) return true;
    const { records } = this.#ports;
    const now = await records.get<Task>(SYSTEM_TENANT, queueOf(this.#kind), id);
    return now?.body.id === task.id && !(await isBeingDeleted(records, task.tenant));
  }

  /** Runs a task and renews its lease meanwhile. */
  async #lead(place: Place, lease: Lease): Promise<void> {
    const { every, ...options } = this.#options;
    const lost = new AbortController();
    // While the store does not answer, no other process can acquire the task.
    const beat = async (): Promise<void> => {
      const goesOn = (await lease.renew().catch(() => true)) && (await this.#isWanted(place).catch(() => true));
      if (!goesOn) lost.abort(new LetGo('Owned by another process, or canceled'));
    };
    const stopBeating = every(LEASE_MS / 3, () => void beat());
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal]);
    const turn = { ...options, ports: this.#ports, task: place.body, signal };
    try {
      await (isKept(this.#kind) ? doKept(this.#kind, place, turn) : this.#kind.run(turn));
      this.#later.delete(place.id);
    } catch (error) {
      this.#putOff(place, error);
    } finally {
      stopBeating();
      // The lease runs out by itself.
      await lease.release().catch(() => undefined);
    }
  }
}
