import type { MessagePort, Worker } from 'node:worker_threads';
import type { Ports } from '#domain/ports/ports.ts';
import type { InfrastructureList } from '#features/analyzer/rules/communities/infrastructure-intake.ts';
import type { StepAnswer, StepInput, StepName } from '#features/analyzer/rules/communities/infrastructure-steps.ts';
import type { RowsRead } from '#features/analyzer/rules/infrastructure-messages.ts';
import type {
  InfrastructureRead,
  Searched,
  ServiceSearch,
  ServiceSearches,
} from '#features/analyzer/rules/service-searches.ts';
import type { Network } from '#features/discovery/rules/network.ts';
import { startThread } from '#infra/start-thread.ts';
import type { Answered, SearchBegun, ThreadRequest } from './messages.ts';

/** Some are large, most are small. */
const NETWORKS_AT_ONCE = 10;

/** Reads the lists of an estate through the ports. */
const readHere =
  ({ estate, records }: Pick<Ports, 'estate' | 'records'>, { tenant, networks }: Searched) =>
  async (list: InfrastructureList, cursor?: string): Promise<RowsRead> => {
    if (list === 'cis') {
      const { items, nextCursor } = await estate.cis(tenant, cursor);
      return { list, rows: items, nextCursor };
    }
    if (list === 'links') {
      const { items, nextCursor } = await estate.links(tenant, cursor);
      return { list, rows: items, nextCursor };
    }
    const options = { limit: NETWORKS_AT_ONCE, ...(cursor !== undefined && { after: cursor }) };
    const page = await records.list<Network>(tenant, networks, options);
    const nextCursor = page.length < NETWORKS_AT_ONCE ? null : (page.at(-1)?.id ?? null);
    return { list, rows: page.map(({ id, body }) => [id, body]), nextCursor };
  };

/** Time limit of one step; the longest needs some ten seconds. */
const STEP_MS = 300_000;
/** Heap limit of a thread: 100,000 CIs with 400,000 links need half of it. Beyond it the thread ends and the process continues. */
const HEAP_MB = 1_024;

/** Reads rows in the thread that asks; absent: another thread reads them. */
type RowsReader = (list: InfrastructureList, cursor?: string) => Promise<RowsRead>;
/** Starts what reads the estate of a tenant in a thread of its own; it ends when the port is closed. */
type ConnectInfrastructure = (searched: Searched) => MessagePort;

interface SearchOptions {
  readonly read: RowsReader | null;
  readonly rows: MessagePort | null;
  readonly stepMs: number;
}

/** Runs a search in its own thread, so that neither its work nor its garbage delays requests. */
class ThreadSearch implements ServiceSearch {
  readonly #worker: Worker;
  readonly #read: RowsReader | null;
  readonly #stepMs: number;
  #running: PromiseWithResolvers<unknown> | null = null;
  #ended: Error | null = null;

  constructor({ read, rows, stepMs }: SearchOptions) {
    this.#read = read;
    this.#stepMs = stepMs;
    this.#worker = startThread(new URL('./search-thread.ts', import.meta.url), {
      workerData: { rows } satisfies SearchBegun,
      transferList: rows === null ? [] : [rows],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#worker.unref();
    this.#worker.on('message', (answered: Answered) => this.#answered(answered));
    this.#worker.on('error', (cause) => this.#end(new Error('The search for services has failed', { cause })));
    this.#worker.on('exit', () => this.#end(new Error('The thread that searches for services has ended')));
  }

  async read(list: InfrastructureList, cursor?: string): Promise<InfrastructureRead> {
    const rows = this.#read === null ? null : await this.#read(list, cursor);
    return (await this.#ask(`reading ${list}`, { read: { list, cursor: cursor ?? null }, rows })) as InfrastructureRead;
  }

  again(list: InfrastructureList, text: string): void {
    this.#post({ again: list, text });
  }

  async run<N extends StepName>(step: N, input: StepInput<N>): Promise<StepAnswer<N>> {
    return (await this.#ask(`the step ${step}`, { step, input })) as StepAnswer<N>;
  }

  async close(): Promise<void> {
    this.#end(new Error('The search was closed'));
    await this.#worker.terminate();
  }

  #post(asked: ThreadRequest): void {
    this.#worker.postMessage(asked);
  }

  async #ask(what: string, asked: ThreadRequest): Promise<unknown> {
    if (this.#ended !== null) throw this.#ended;
    if (this.#running !== null) throw new Error('The search is still running another step');
    const running = Promise.withResolvers<unknown>();
    this.#running = running;
    const late = setTimeout(() => {
      this.#end(new Error(`Search timed out after ${this.#stepMs} ms: ${what}`));
      void this.#worker.terminate();
    }, this.#stepMs);
    this.#post(asked);
    try {
      return await running.promise;
    } finally {
      clearTimeout(late);
      this.#running = null;
    }
  }

  #answered(answered: Answered): void {
    if ('answer' in answered) this.#running?.resolve(answered.answer);
    else this.#running?.reject(new Error(`The search for services has failed: ${answered.error}`));
  }

  #end(why: Error): void {
    this.#ended ??= why;
    this.#running?.reject(why);
  }
}

export interface ServiceSearchesOptions extends Pick<Ports, 'estate' | 'records'> {
  /** Null: estates are read in the thread that asks, through the ports. */
  readonly connect: ConnectInfrastructure | null;
  /** Time limit of a step or a read. */
  readonly stepMs?: number;
}

export const openServiceSearches = ({
  connect,
  stepMs = STEP_MS,
  ...ports
}: ServiceSearchesOptions): ServiceSearches => ({
  open: (searched) =>
    new ThreadSearch(
      connect === null
        ? { read: readHere(ports, searched), rows: null, stepMs }
        : { read: null, rows: connect(searched), stepMs },
    ),
});
