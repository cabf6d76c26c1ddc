import type { CallerContext, UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import type { Permission } from '#domain/access/permissions.ts';
import type { Degraded } from '#domain/ai/degraded.ts';
import { firstItem } from '#domain/assert.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { Fault } from '#domain/fault.ts';
import { SEARCH_KINDS, type SearchDocument, type SearchKind, type SearchRef } from '#domain/search/document.ts';
import { SERVICE_KINDS } from '#domain/services/service.ts';
import { hrefOf } from '#features/ai/rules/pack.ts';
import type { AiCaller, AiMode } from '#features/ai/use-cases/answer.ts';
import { degradedBy, modelFault } from '#features/ai/use-cases/ask.ts';
import { countRulesAnswer } from '#features/ai/use-cases/usage/rules-count.ts';
import { newestInsight } from '#features/insights/use-cases/insight-records.ts';
import { findReport, maySee } from '#features/reports/use-cases/report-records.ts';
import { EMBEDDED_KINDS, leaving } from '#features/search/rules/embedded-text.ts';
import { fuse } from '#features/search/rules/fuse.ts';
import { tellsOfEvents } from '#features/search/rules/insight-document.ts';
import { matchedIn, snippetOf } from '#features/search/rules/matched.ts';
import { eventsOfProblem } from '#features/search/rules/problem-document.ts';
import { type ReadSearch, readSearch } from '#features/search/rules/read-search.ts';
import type { Near } from '#features/search/rules/vector-space.ts';
import { findLexical } from './find-lexical.ts';
import { openSpace } from './meaning/vector-log.ts';

/** Maximum number of newest events shown per complaint. */
const EVENTS = 5;

/** Link of a document. */
interface DocumentPlace {
  readonly href: string;
  /** Newest existing events of a complaint, as shown. */
  readonly events?: readonly string[];
}
/** Places by ID; deleted items are absent. */
type DocumentPlaces = ReadonlyMap<string, DocumentPlace>;
type FindPlaces = (asking: CallerContext, documents: readonly SearchDocument[]) => Promise<DocumentPlaces>;

const each =
  (isThere: (asking: CallerContext, id: string) => Promise<boolean>, href: (id: string) => string): FindPlaces =>
  async (asking, documents) => {
    const asked = documents.map(async ({ id }) =>
      (await isThere(asking, id)) ? [[id, { href: href(id) }] as const] : [],
    );
    return new Map((await Promise.all(asked)).flat());
  };

const complaints: FindPlaces = async ({ ports: { events }, tenant }, documents) => {
  const newest = (document: SearchDocument) => eventsOfProblem(document).slice(0, EVENTS);
  const there = new Set((await events.getMany(tenant, [...new Set(documents.flatMap(newest))])).map(({ id }) => id));
  return new Map(
    documents.flatMap((document) => {
      const ids = newest(document)
        .filter((id) => there.has(id))
        .map(eventIdOf);
      return ids[0] === undefined ? [] : [[document.id, { href: hrefOf('event', ids[0]), events: ids }] as const];
    }),
  );
};

const cis: FindPlaces = async ({ ports: { topology }, tenant }, documents) => {
  const found = await topology.getCis(
    tenant,
    documents.map(({ id }) => id),
  );
  return new Map(found.map(({ id }) => [id, { href: hrefOf('ci', id) }]));
};

const PLACES: Readonly<Record<SearchKind, FindPlaces>> = {
  complaint: complaints,
  ci: cis,
  incident: each(
    async ({ ports: { correlation }, tenant }, id) => (await correlation.group(tenant, id))?.id === id,
    (id) => hrefOf('group', id),
  ),
  service: each(
    async ({ ports: { records }, tenant }, id) => (await records.get(tenant, SERVICE_KINDS.service, id)) !== null,
    (id) => hrefOf('service', id),
  ),
  insight: each(
    async ({ ports: { records, topology }, tenant }, ciId) =>
      (await newestInsight(records, tenant, ciId)) !== null && (await topology.getCis(tenant, [ciId])).length > 0,
    (ciId) => `/api/cmdb-ai/insights/${ciId}`,
  ),
  report: each(
    async ({ ports: { records }, tenant, caller }, id) => {
      const stored = await findReport(records, tenant, id);
      return stored !== null && maySee(stored.body, caller);
    },
    (id) => `/api/reports/${id}/status`,
  ),
};

/** Returns the link of each document; null for deleted items, or a report that the caller may not see. */
async function placesOf(
  asking: CallerContext,
  documents: readonly SearchDocument[],
): Promise<(DocumentPlace | null)[]> {
  const byKind = Map.groupBy(documents, ({ kind }) => kind);
  const found = new Map<SearchKind, DocumentPlaces>();
  for (const [kind, own] of byKind) found.set(kind, await PLACES[kind](asking, own));
  return documents.map(({ kind, id }) => found.get(kind)?.get(id) ?? null);
}

const SERVICE = 'search';
/** A search waits no longer, ms; the words are found meanwhile. */
const TOTAL_MS = 5_000;
const TO_ANSWER_MS = 1_000;

/** Documents that mean something like it, most alike first; or why it is not known. */
async function findByMeaning(
  { ports, tenant, department, requestId, signal }: AiCaller,
  text: string,
  wanted: { readonly kinds: readonly SearchKind[]; readonly limit: number },
): Promise<readonly Near[] | Degraded> {
  const { embedder, clock, deadline, records } = ports;
  if (embedder === null) return 'no_model';
  const { space } = await openSpace(ports, tenant);
  if (space.size === 0) return 'busy';
  const { pseudonymise } = await aiSettings(records, tenant);
  const said = leaving(text, pseudonymise);
  if (said === '') return [];
  const purpose = { tenant, service: SERVICE, department, requestId, isAutomatic: false };
  const until = clock.now() + Math.min(TOTAL_MS, deadline.left() - TO_ANSWER_MS);
  const reply = await embedder.embed({ purpose, texts: [said], until }, signal);
  return 'failure' in reply ? degradedBy(reply.failure) : space.nearest(firstItem(reply.vectors), wanted);
}

/** Extra results, as deleted ones are dropped. */
const SPARE = 20;

/** Beside `ai.use`. */
const NEEDED: Readonly<Record<SearchKind, Permission>> = {
  complaint: 'events.read',
  incident: 'events.read',
  ci: 'cmdb.read',
  service: 'services.read',
  insight: 'cmdb.read',
  report: 'reports.read',
};

export interface SearchAsked {
  readonly text: string;
  /** Null: all that the caller may see. */
  readonly kinds: readonly SearchKind[] | null;
  /** 1–50. */
  readonly limit: number;
  readonly mode: AiMode;
}

export interface SearchResult extends DocumentPlace {
  readonly document: SearchDocument;
  /** 0 to 1, as a share of the best. */
  readonly score: number;
  readonly matched: readonly string[];
  readonly snippet: string;
}
export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  readonly read: ReadSearch;
  readonly mode: 'lexical' | 'hybrid';
  /** Model of the vectors in use. */
  readonly model: string | null;
  readonly degraded: Degraded | null;
}

const kindsFor = (context: UseCaseContext, asked: readonly SearchKind[] | null): readonly SearchKind[] => {
  if (asked !== null) {
    for (const kind of asked) requirePermission(context, NEEDED[kind]);
    return [...new Set(asked)];
  }
  const kinds = SEARCH_KINDS.filter((kind) => context.caller.permissions.has(NEEDED[kind]));
  if (kinds.length === 0) throw new Fault('forbidden', 'Requires permission to read the searched kinds');
  return kinds;
};

interface ScoredDocument {
  readonly document: SearchDocument;
  readonly score: number;
}

/** The best that are still there. */
async function standing(context: UseCaseContext, found: readonly ScoredDocument[], limit: number) {
  const there: (ScoredDocument & DocumentPlace)[] = [];
  for (let from = 0; from < found.length && there.length < limit; from += limit) {
    const some = found.slice(from, from + limit);
    const places = await placesOf(
      context,
      some.map(({ document }) => document),
    );
    there.push(...some.flatMap((one, i) => (places[i] ? [{ ...one, ...places[i] }] : [])));
  }
  return there.slice(0, limit);
}

/** A handler's context is one. */
type SearchContext = UseCaseContext & AiCaller;

interface Ranked {
  readonly found: readonly ScoredDocument[];
  /** Words treated as mistyped. */
  readonly strange: readonly string[];
  /** Reason for a search without vectors; null: they were used, or not requested. */
  readonly degraded: Degraded | null;
  readonly mode: SearchAnswer['mode'];
}

/** Results of words and of vectors, as one ranking. */
async function fused(
  { ports, tenant }: SearchContext,
  lexical: readonly ScoredDocument[],
  near: readonly SearchRef[],
): Promise<ScoredDocument[]> {
  const keyOf = ({ kind, id }: SearchRef): string => `${kind} ${id}`;
  const known = new Map(lexical.map(({ document }) => [keyOf(document), document]));
  const missing = near.filter((ref) => !known.has(keyOf(ref)));
  for (const document of await ports.searchIndex.get(tenant, missing)) known.set(keyOf(document), document);
  const ranking = fuse(
    lexical.map(({ document }) => document),
    near,
  );
  return ranking.flatMap(({ score, ...ref }) => {
    const document = known.get(keyOf(ref));
    return document === undefined ? [] : [{ document, score }];
  });
}

/** Throws Fault `model`, `unavailable` or `rate-limited` when the caller wants vectors and there are none. */
async function ranked(
  context: SearchContext,
  read: ReadSearch,
  { text, mode }: SearchAsked,
  wanted: { readonly kinds: readonly SearchKind[]; readonly limit: number },
): Promise<Ranked> {
  const { ports, tenant } = context;
  const kinds = wanted.kinds.filter((kind) => EMBEDDED_KINDS.includes(kind));
  const isMeant = mode !== 'rules' && kinds.length > 0 && read.phrases.length === 0;
  const [{ hits: lexical, strange }, near] = await Promise.all([
    findLexical(ports, tenant, read, wanted),
    isMeant ? findByMeaning(context, text, { ...wanted, kinds }) : null,
  ]);
  if (mode === 'model' && typeof near === 'string') throw modelFault(near);
  if (near === null || typeof near === 'string') return { found: lexical, strange, degraded: near, mode: 'lexical' };
  return { found: await fused(context, lexical, near), strange, degraded: null, mode: 'hybrid' };
}

/**
 * Finds complaints, incidents, CIs, services and insights by content. Throws Fault `forbidden` for kinds that the caller may not read;
 * `model`, `unavailable` or `rate-limited` when vectors are requested and absent.
 */
export async function searchAll(context: SearchContext, asked: SearchAsked): Promise<SearchAnswer> {
  const { limit } = asked;
  const kinds = kindsFor(context, asked.kinds);
  const { ports, tenant, caller } = context;
  const read = readSearch(asked.text);
  const { found, strange, degraded, mode } = await ranked(context, read, asked, { kinds, limit: 2 * limit + SPARE });
  const mayReadEvents = caller.permissions.has('events.read');
  const shown = found.filter(({ document }) => mayReadEvents || !tellsOfEvents(document));
  const best = await standing(context, shown, limit);
  if (mode === 'lexical') countRulesAnswer(ports, tenant);
  const most = best[0]?.score ?? 0;
  const results = best.map(({ document, score, ...place }): SearchResult => {
    const share = most > 0 ? score / most : 0;
    return {
      document,
      score: share,
      matched: matchedIn(document, read, strange),
      snippet: snippetOf(document, read),
      ...place,
    };
  });
  return { results, read, mode, model: mode === 'hybrid' ? (ports.embedder?.model ?? null) : null, degraded };
}
