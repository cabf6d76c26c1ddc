/**
 * Memory and steps of merge while one strategy is away, and how long it takes to decide everything when the strategy is back.
 * Run: `node --expose-gc bench/backlog.ts [arrivals] [score of the hits]`.
 */
import type { CorrelationInput, Enriched } from '#domain/correlation/records.ts';
import { STRATEGY_NAMES } from '#domain/correlation/strategies/strategies.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import type { JournalPage, PipelineStore } from '#domain/ports/pipeline-store.ts';
import { openEventCache } from '#infra/kafka/owner/event-cache.ts';
import { FoldOwner } from '#infra/kafka/owner/fold-owner.ts';
import { type Input, RECORDS_AT_ONCE } from '#infra/kafka/owner/owner.ts';
import { systemClock } from '#infra/system/time.ts';
import { merge } from '#processors/merge.ts';
import { arrivalOf, enrichedOf, factsEntry, hitOf, hitsEntry, passedEntry } from '#test/setup/merge-kit.ts';

const [count = 200_000, score = 0.65] = process.argv.slice(2).map(Number);
const HITS = 10;
const CHUNK = 500;
const MIB = 2 ** 20;
const [AWAY, ...PRESENT] = [...STRATEGY_NAMES].reverse() as [(typeof STRATEGY_NAMES)[number]];
const idOf = (n: number): string => `01J${String(n).padStart(23, '0')}`;
const UPSTREAM = Array.from({ length: 20 }, (_, i) => ({ ci: idOf(9_000_000 + i), hops: 1 + (i >> 2), via: null }));

/** Three hundred a second. */
const recordOf = (n: number): Enriched =>
  enrichedOf(
    arrivalOf({
      eventId: idOf(n),
      position: n + 1,
      time: 1_800_000_000_000 + Math.floor(n / 0.3),
      ciId: idOf(n % 50_000),
    }),
    structuredClone(UPSTREAM),
  );
const hits = (n: number) => Array.from({ length: Math.min(n, HITS) }, (_, i) => hitOf(idOf(n - 1 - i), score));

/** Of 500 arrivals: facts and hits of those that are there, then their word. */
const BEFORE = CHUNK * (1 + PRESENT.length) + PRESENT.length;
/** Of the one that is back: hits and its word, arrival by arrival. */
const AFTER = CHUNK * 2;
const chunks = Math.ceil(count / CHUNK);
const total = chunks * (BEFORE + AFTER);

/** The record at an offset; the log is too large to be kept. */
const entryAt = (offset: number): Entry<CorrelationInput> => {
  if (offset < chunks * BEFORE) {
    const [chunk, at] = [Math.floor(offset / BEFORE), offset % BEFORE];
    if (at >= CHUNK * (1 + PRESENT.length))
      return passedEntry(PRESENT[at - CHUNK * (1 + PRESENT.length)]!, (chunk + 1) * CHUNK);
    const n = chunk * CHUNK + Math.floor(at / (1 + PRESENT.length));
    const which = at % (1 + PRESENT.length);
    return which === 0 ? factsEntry(recordOf(n)) : hitsEntry(recordOf(n).arrival, PRESENT[which - 1]!, hits(n));
  }
  const n = Math.floor((offset - chunks * BEFORE) / 2);
  const isHit = (offset - chunks * BEFORE) % 2 === 0;
  return isHit ? hitsEntry(recordOf(n).arrival, AWAY, hits(n)) : passedEntry(AWAY, n + 1);
};

const RAW = Buffer.alloc(1_500);
const inputAt = (offset: number): Input => {
  const entry = entryAt(offset);
  const serial = entry.value.kind === 'facts' ? offset + 1 : 0;
  return { offset, at: offset, entry, writer: '@enrich', serial, reply: null, raw: RAW, fault: null };
};

let [decided, largestPage] = [0, 0];
const none = async function* () {};
const store = {
  load: async () => ({
    events: new Map(),
    deliveries: new Map(),
    enriched: new Map(),
    joined: new Map(),
    homes: new Map(),
    turns: new Map(),
    groupsOf: new Map(),
  }),
  async save({ decisions }) {
    decided += decisions.length;
    return { furtherOn: [] };
  },
  restorable: () => ({ openGroups: none, decisions: none }) as never,
  readJournal: async () => null,
  async writeJournal(_owner: string, { body }: JournalPage) {
    largestPage = Math.max(largestPage, body.length);
    return true;
  },
} satisfies PipelineStore;

const owner = new FoldOwner({
  fold: merge,
  partition: 0,
  epoch: 1,
  store,
  saved: openEventCache(),
  mine: () => true,
  clock: { ...systemClock, now: () => 0 },
  metrics: { count: () => {}, gauge: () => {}, observe: () => {} },
  sources: { graph: { around: async () => null }, records: { get: async () => null } },
  emitter: { refuses: () => null, send: async () => {}, answer: async () => {}, reject: async () => {} },
});

const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
let [next, slowest, heap, turns, back, undecided] = [await owner.open(), 0, 0, 0, 0, 0];
const began = performance.now();
for (let more = false; more || next < total; turns++) {
  const inputs = more
    ? []
    : Array.from({ length: Math.min(RECORDS_AT_ONCE, total - next) }, (_, i) => inputAt(next + i));
  const start = performance.now();
  const taken = await owner.take(inputs);
  slowest = Math.max(slowest, performance.now() - start);
  more = taken.more ?? false;
  next = taken.back ?? next + inputs.length;
  back += taken.back == null ? 0 : 1;
  undecided = Math.max(undecided, owner.sizes().undecided ?? 0);
  if (turns % 50 === 0) {
    collect();
    heap = Math.max(heap, process.memoryUsage().heapUsed);
  }
}
console.log({
  arrivals: count,
  decided,
  undecidedAtMost: undecided,
  undecidedAtTheEnd: owner.sizes().undecided,
  wentBack: back,
  heapMiB: Math.round(heap / MIB),
  slowestStepMs: Math.round(slowest),
  largestPageMiB: +(largestPage / MIB).toFixed(1),
  seconds: Math.round((performance.now() - began) / 1000),
});
