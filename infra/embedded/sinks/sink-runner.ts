import { entryOf } from '#domain/assert.ts';
import type { Pauses } from '#domain/pipeline/sinks.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Ids } from '#domain/ports/ids.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { type CursorTable, openCursorTable } from '#infra/embedded/records/cursor-table.ts';
import { openDeadLetterTable } from '#infra/embedded/records/dead-letters.ts';
import type { RecordTable } from '#infra/embedded/records/table.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import type { RefusedSinkEvent } from '#infra/sink-taker.ts';
import { cursorOf, type Outbox } from './outbox.ts';
import { type LoopOptions, SinkLoop } from './sink-loop.ts';
import { tidyOutbox } from './tidy-outbox.ts';

/** Time without another batch with sink events after which the open transaction is applied for them. */
const CALM_MS = 100;
/** New positions of sinks are stored together. */
const SAVE_MS = 1_000;

export interface SinkRunnerOptions extends Pick<LoopOptions, 'timeoutMs' | 'betweenAttemptsMs' | 'rest'> {
  readonly sinks: readonly Sink[];
  readonly database: Database;
  readonly records: RecordTable;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly metrics: Metrics;
  readonly log: LoopOptions['log'] & { warn(fields: object, message: string): void };
  readonly calmMs?: number;
  readonly saveMs?: number;
  /** A dead letter of the tenant is in the file. */
  letterKept?(tenant: string): void;
}

/** Runs all sinks of embedded mode, each at its own pace. */
export class SinkRunner {
  readonly #options: SinkRunnerOptions;
  readonly #cursors: ReadonlyMap<string, CursorTable>;
  readonly #letters: ReturnType<typeof openDeadLetterTable>;
  readonly #unsaved = new Map<string, number>();
  #calm: NodeJS.Timeout | undefined;
  #saving: NodeJS.Timeout | undefined;
  #isStopped = false;
  readonly loops: readonly SinkLoop[];

  constructor(options: SinkRunnerOptions) {
    const { sinks, database, records, ...rest } = options;
    this.#options = options;
    this.#letters = openDeadLetterTable(records);
    this.#cursors = new Map(sinks.map(({ name }) => [name, openCursorTable(database, cursorOf(name))]));
    this.loops = sinks.map(
      (sink) =>
        new SinkLoop({
          ...rest,
          sink,
          from: entryOf(this.#cursors, sink.name).read(),
          moved: (through) => this.#moved(sink.name, through),
          refused: (refused, through) => this.#refuse(sink, refused, through),
        }),
    );
  }

  start(ports: Ports): void {
    const readable = (): void => {
      for (const loop of this.loops) loop.wake();
    };
    this.#options.outbox.listen({ submitted: () => this.#untilCalm(), readable });
    for (const loop of this.loops) loop.start(ports);
  }

  pause(pauses: Pauses): void {
    for (const loop of this.loops) loop.pause(pauses.get(loop.sink.name) ?? null);
  }

  /** Resolves when no sink has anything left that it could consume now. */
  async idle(): Promise<void> {
    await this.#options.database.applied();
    await Promise.all(this.loops.map((loop) => loop.idle()));
  }

  /** Stops the sinks and stores their positions. */
  async stop(): Promise<void> {
    await this.halt();
    await this.#save();
  }

  /** Stops the sinks; they receive events consumed since the last save again. */
  async halt(): Promise<void> {
    this.#isStopped = true;
    this.#options.outbox.listen({ submitted: () => {}, readable: () => {} });
    clearTimeout(this.#calm);
    clearTimeout(this.#saving);
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /** Deletes events that all sinks have consumed, and events that none would consume any more. */
  async tidy(byTime = true): Promise<void> {
    const { sinks, database, clock, metrics, log } = this.#options;
    if (sinks.length === 0) return;
    const reached = this.loops.map(({ sink: { name } }) => ({ name, through: entryOf(this.#cursors, name).read() }));
    const taken = Math.min(...reached.map(({ through }) => through));
    const { dropped } = await tidyOutbox(database, taken, { now: byTime ? clock.now() : null });
    if (dropped === null) return;
    const behind = reached.filter(({ through }) => through < dropped).map(({ name }) => name);
    metrics.count('faultline_outbox_dropped_total', {}, dropped - taken);
    log.warn(
      { sinks: behind, entries: dropped - taken },
      'outbox dropped entries before delivery to sinks (expired or over limit)',
    );
  }

  /** The transaction is applied within 2 s under load anyway, and an earlier one would slow down ingest. */
  #untilCalm(): void {
    clearTimeout(this.#calm);
    this.#calm = setTimeout(() => void this.#apply(), this.#options.calmMs ?? CALM_MS);
  }

  /** A batch that is not durable yet is not applied either: it is checked again. */
  async #apply(): Promise<void> {
    const { database, outbox } = this.#options;
    await database.applied().catch(() => undefined);
    if (outbox.isWaiting && !this.#isStopped) this.#untilCalm();
  }

  #moved(sink: string, through: number): void {
    this.#unsaved.set(sink, through);
    if (!this.#isStopped) this.#saving ??= setTimeout(() => void this.#save(), this.#options.saveMs ?? SAVE_MS);
  }

  /** A cursor that cannot be stored now is stored later: a restart before then delivers again. */
  async #save(): Promise<void> {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    const moved = [...this.#unsaved];
    this.#unsaved.clear();
    if (moved.length === 0) return;
    try {
      await this.#options.database.submit(() => this.#write(moved));
    } catch {
      for (const [sink, through] of moved) this.#moved(sink, Math.max(through, this.#unsaved.get(sink) ?? 0));
    }
  }

  #write(moved: readonly (readonly [string, number])[]): void {
    for (const [sink, through] of moved) entryOf(this.#cursors, sink).write(through);
  }

  async #refuse({ name, input }: Sink, refused: RefusedSinkEvent, through: number): Promise<void> {
    const { ids, clock, letterKept } = this.#options;
    const { happening, reason, attempts } = refused;
    const { tenant, position } = happening;
    const entry = { tenant, position, value: happening };
    await this.#options.database.submit(() => {
      this.#letters.add({ entry, topic: input, processor: name, reason, attempts }, ids.ulid(), clock.now());
      this.#write([[name, through]]);
    });
    letterKept?.(tenant);
  }
}
