import { expect, test } from '@jest/globals';
import { MAX_QUEUED } from '#domain/correlation/grouping/arrival-queue.ts';
import type { CorrelationInput, Enriched, Hit } from '#domain/correlation/records.ts';
import { STRATEGY_NAMES } from '#domain/correlation/strategies/strategies.ts';
import type { Entry, EventKey, Reads, Restorable } from '#domain/pipeline/processor.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Changes, JournalPage, LoadedRows } from '#domain/ports/pipeline-store.ts';
import { merge } from '#processors/merge.ts';
import { MemoryPipelineStore } from '#test/setup/memory-pipeline-store.ts';
import { allPassed, arrivalOf, enrichedOf, factsEntry, hitOf, hitsEntry, passedEntry } from '#test/setup/merge-kit.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openEventCache } from './event-cache.ts';
import { FoldOwner } from './fold-owner.ts';
import { fromJournal } from './journal.ts';
import { type Input, RECORDS_AT_ONCE } from './owner.ts';

type Record = Entry<CorrelationInput>;

const metrics: Metrics = { count: () => {}, gauge: () => {}, observe: () => {} };
const NO_BYTES = Buffer.alloc(0);
const [AWAY, ...PRESENT] = [...STRATEGY_NAMES].reverse();
const idOf = (n: number): string => `e${String(n).padStart(6, '0')}`;

/**
 * Three of every twelve events are one incident; the present strategies find one pair of them and the missing one the
 * other.
 */
const hitsOf = (n: number, away: boolean): Hit[] => (n % 12 === (away ? 2 : 1) ? [hitOf(idOf(n - 1), 0.9)] : []);

const arrivals = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    enrichedOf(
      arrivalOf({ eventId: idOf(n), position: n + 1, time: 1_000_000 + Math.floor(n / 12) * 700_000 + (n % 12) }),
    ),
  );

/** All strategies keep up. */
const steadily = (count: number): Record[] =>
  arrivals(count).flatMap((record) => [
    factsEntry(record),
    ...[false, true].flatMap((away) => {
      const hits = hitsOf(record.arrival.position - 1, away);
      return hits.length === 0 ? [] : [hitsEntry(record.arrival, away ? AWAY! : PRESENT[0]!, hits)];
    }),
    ...(record.arrival.position % 500 === 0 ? allPassed(record.arrival.position) : []),
  ]);

/** One of them returns when all others are through; it reports once per 1,000 arrivals. */
const withOneAway = (count: number): Record[] => {
  const records = arrivals(count);
  const before = records.flatMap((record): Record[] => {
    const { position } = record.arrival;
    const hits = hitsOf(position - 1, false);
    const passed = position % 500 === 0 ? PRESENT.map((name) => passedEntry(name, position)) : [];
    return [factsEntry(record), ...(hits.length > 0 ? [hitsEntry(record.arrival, PRESENT[0]!, hits)] : []), ...passed];
  });
  const after = records.flatMap((record): Record[] => {
    const { position } = record.arrival;
    const hits = hitsOf(position - 1, true);
    const found = hits.length > 0 ? [hitsEntry(record.arrival, AWAY!, hits)] : [];
    return [...found, ...(position % 1_000 === 0 ? [passedEntry(AWAY!, position)] : [])];
  });
  return [...before, ...after];
};

/** Finds rows by key, since there are many; notes how large the pages were. */
class LargeStore extends MemoryPipelineStore {
  readonly pages: number[] = [];
  readonly #records: ReadonlyMap<string, Enriched>;
  readonly #joined = new Map<string, string>();

  constructor(records: readonly Enriched[]) {
    super();
    this.#records = new Map(records.map((record) => [record.arrival.eventId, record]));
  }

  override async load({ enriched = [], joined = [] }: Reads): Promise<LoadedRows> {
    const none = { events: new Map(), deliveries: new Map(), groupsOf: new Map(), homes: new Map() };
    const found = <T>(keys: readonly EventKey[], rows: ReadonlyMap<string, T>): Map<string, T> =>
      new Map(keys.flatMap(({ id }) => (rows.has(id) ? [[id, rows.get(id) as T]] : [])));
    const records = new Map([...found(enriched, this.#records)].map(([id, record]) => [id, [record]]));
    return { ...none, enriched: records, joined: found(joined, this.#joined), turns: new Map() };
  }

  override async save(changes: Changes) {
    for (const { joined, groupId } of changes.decisions)
      for (const id of joined) if (groupId !== null && !this.#joined.has(id)) this.#joined.set(id, groupId);
    for (const decision of changes.decisions) this.decisions.set(String(decision.position), decision);
    for (const group of changes.groups) this.groups.set(group.id, group);
    return { furtherOn: [] };
  }

  override async writeJournal(owner: string, page: JournalPage): Promise<boolean> {
    this.pages.push(fromJournal(page).changes.decisions.length);
    return super.writeJournal(owner, page);
  }

  override restorable(): Restorable {
    const rows = super.restorable(() => true);
    const facts = this.#records;
    const { decisions, groups } = this;
    return {
      ...rows,
      async *decisions() {
        for (const decision of decisions.values())
          if (groups.get(decision.groupId ?? '')?.status === 'open')
            yield {
              decision,
              facts: facts.get(decision.eventId)!,
              partners: decision.joined.map((id) => facts.get(id)!),
            };
      },
    };
  }
}

/** Merge reads the log like a partition, and dies once in between. */
const run = async (log: readonly Record[], count: number) => {
  const store = new LargeStore(arrivals(count));
  const open = () =>
    new FoldOwner({
      fold: merge,
      partition: 0,
      epoch: 1,
      store,
      clock: setClock(0),
      metrics,
      saved: openEventCache(),
      sources: { graph: { around: async () => null }, records: { get: async () => null } },
      emitter: { refuses: () => null, send: async () => {}, answer: async () => {}, reject: async () => {} },
      mine: () => true,
    });
  let owner = open();
  let next = await owner.open();
  let [undecided, turns, wentBack] = [0, 0, 0];
  for (let more = false; more || next < log.length; ) {
    const inputs = more ? [] : log.slice(next, next + RECORDS_AT_ONCE).map((entry, i) => inputOf(entry, next + i));
    const taken = await owner.take(inputs);
    next = taken.back ?? next + inputs.length;
    more = taken.more ?? false;
    if (taken.back != null) wentBack += 1;
    undecided = Math.max(undecided, owner.sizes().undecided!);
    turns += 1;
    if (turns === 60) {
      owner = open();
      next = await owner.open();
      more = false;
    }
  }
  return { store, undecided, wentBack, left: owner.sizes().undecided };
};

const inputOf = (entry: Record, offset: number): Input => ({
  offset,
  at: offset,
  writer: '@enrich',
  raw: NO_BYTES,
  fault: null,
  reply: null,
  entry,
  serial: entry.value.kind === 'facts' ? offset + 1 : 0,
});

/** Returns the part that depends on the order of arrivals alone. */
const shown = ({ store }: Awaited<ReturnType<typeof run>>): string[] => [
  ...[...store.decisions.values()].map(({ position, groupId, joined }) => `${position} ${groupId} ${joined}`),
  ...[...store.groups.values()].map(({ id, size, status }) => `${id} ${size} ${status}`).sort(),
];

test('a strategy that is away for 50,000 arrivals costs bounded memory and steps, and changes nothing', async () => {
  const count = 50_000;
  const paused = await run(withOneAway(count), count);
  expect(paused.undecided).toBe(MAX_QUEUED);
  expect(paused.left).toBe(0);
  expect(paused.wentBack).toBeGreaterThanOrEqual(2);
  expect(Math.max(...paused.store.pages)).toBeLessThanOrEqual(RECORDS_AT_ONCE);
  expect(paused.store.decisions.size).toBeGreaterThan(count / 12);
  expect(shown(paused).join('\n')).toBe(shown(await run(steadily(count), count)).join('\n'));
}, 60_000);
