import { setTimeout } from 'node:timers/promises';
import type { estypes } from '@elastic/elasticsearch';
import { firstItem, itemAt, lastItem } from '#domain/assert.ts';
import { Fault } from '#domain/fault.ts';
import type { EventKey } from '#domain/pipeline/processor.ts';
import { inParallel } from '#infra/wait.ts';
import { type Connection, unavailable } from './connection.ts';
import type { Indices } from './indices.ts';
import type { Family } from './names.ts';
import { isBadContent, type Refusal } from './refusals.ts';

/** One document in flight. */
export interface DocumentWrite {
  readonly family: Family;
  /** The alias written to. */
  readonly index: string;
  readonly id: string;
  readonly key: EventKey;
  /** Scope of the lists that show it; absent: the tenant. */
  readonly scope?: string;
  /** The stored version must not be higher (`gte`), or must be lower (`gt`); `none`: there must be no document. */
  readonly fence: 'gte' | 'gt' | 'none';
  readonly version: number;
  readonly body: unknown;
  /** True if the index may be created for it: an update of a dropped document must not. */
  readonly creates: boolean;
}

/** `kept`: the stored document is newer, or exists already; `gone`: the index was dropped. */
type Outcome = 'written' | 'kept' | 'gone';

const CHUNK_DOCUMENTS = 2_000;
const CHUNK_CHARACTERS = 8_000_000;
const IN_FLIGHT = 2;
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 100;
/** Status per document: too busy, or its shard is moving. */
const BUSY: readonly number[] = [429, 500, 502, 503, 504];

const actionOf = ({ index, id, fence, version }: DocumentWrite): string =>
  fence === 'none'
    ? JSON.stringify({ create: { _index: index, _id: id } })
    : JSON.stringify({
        index: { _index: index, _id: id, version, version_type: fence === 'gte' ? 'external_gte' : 'external' },
      });

interface BulkLine {
  readonly place: number;
  readonly write: DocumentWrite;
  readonly text: string;
}

function chunksOf(writes: readonly DocumentWrite[]): BulkLine[][] {
  const chunks: BulkLine[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const [place, write] of writes.entries()) {
    const text = `${actionOf(write)}\n${JSON.stringify(write.body)}`;
    if (characters + text.length > CHUNK_CHARACTERS || lastItem(chunks).length === CHUNK_DOCUMENTS) {
      chunks.push([]);
      characters = 0;
    }
    lastItem(chunks).push({ place, write, text });
    characters += text.length;
  }
  return chunks;
}

interface Item {
  readonly status: number;
  readonly error?: Refusal;
}

/** Saves documents in bulk; returns the outcome of each, in order. Not atomic. */
export class BulkWriter {
  readonly #connection: Connection;
  readonly #indices: Indices;

  constructor(connection: Connection, indices: Indices) {
    this.#connection = connection;
    this.#indices = indices;
  }

  /**
   * Throws Fault `unavailable` when the store is down or refuses for a reason of its own, `unprocessable` with `data.refused` when
   * it refuses contents for ever.
   */
  async write(writes: readonly DocumentWrite[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = new Array<Outcome>(writes.length).fill('written');
    const refused: { key: EventKey; reason: string }[] = [];
    for (const index of new Set(writes.filter(({ creates }) => creates).map((write) => write.index)))
      await this.#indices.ensure(index);
    try {
      await inParallel(IN_FLIGHT, chunksOf(writes).values(), (chunk) => this.#writeChunk(chunk, outcomes, refused));
    } finally {
      for (const [family, own] of Map.groupBy(writes, (write) => write.family))
        this.#indices.wrote(family, new Set(own.map(({ scope, key }) => scope ?? key.tenant)));
    }
    if (refused.length > 0) {
      const message = `The store rejected ${refused.length} documents; first reason: ${firstItem(refused).reason}`;
      throw new Fault('unprocessable', message, [], { data: { refused } });
    }
    return outcomes;
  }

  async #writeChunk(
    chunk: readonly BulkLine[],
    outcomes: Outcome[],
    refused: { key: EventKey; reason: string }[],
  ): Promise<void> {
    let left = chunk;
    for (let attempt = 0; left.length > 0; attempt += 1) {
      if (attempt === ATTEMPTS) throw unavailable('overloaded');
      if (attempt > 0) await setTimeout(FIRST_PAUSE_MS * 2 ** (attempt - 1));
      const items = await this.#send(left);
      const again: BulkLine[] = [];
      const dropped = new Set<string>();
      for (const [i, line] of left.entries()) {
        const { status, error } = itemAt(items, i);
        if (status < 300) continue;
        if (status === 409) outcomes[line.place] = 'kept';
        else if (status === 404 && !line.write.creates) outcomes[line.place] = 'gone';
        else if (status === 404 || BUSY.includes(status)) again.push(line);
        else if (error !== undefined && isBadContent(error))
          refused.push({ key: line.write.key, reason: `${error.type}: ${error.reason}` });
        else throw unavailable(`write rejected with ${error?.type ?? status}: ${error?.reason ?? 'no reason given'}`);
        if (status === 404) dropped.add(line.write.index);
      }
      for (const index of dropped) this.#indices.forget(index);
      for (const index of new Set(again.map(({ write }) => write.index))) await this.#indices.ensure(index);
      left = again;
    }
  }

  async #send(lines: readonly BulkLine[]): Promise<Item[]> {
    const { items } = await this.#connection.askPatiently((client) =>
      client.bulk({
        // The client sends texts unchanged, though its types exclude them.
        operations: lines.map(({ text }) => text) as unknown as (estypes.BulkOperationContainer | object)[],
        require_alias: true,
        filter_path: 'items.*.status,items.*.error.type,items.*.error.reason',
      }),
    );
    return items.map((item) => Object.values(item)[0] as Item);
  }
}
