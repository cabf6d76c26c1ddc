import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { Fault } from '#domain/fault.ts';
import { SEARCH_KINDS, type SearchDocument, type SearchKind, type SearchRef } from '#domain/search/document.ts';
import type { Degraded } from '#features/ai/rules/degraded.ts';
import type { AiMode, Asking } from '#features/ai/use-cases/answer.ts';
import { modelFault } from '#features/ai/use-cases/ask.ts';
import { countRulesAnswer } from '#features/ai/use-cases/usage/rules-count.ts';
import { EMBEDDED_KINDS } from '#features/search/rules/embedded-text.ts';
import { fuse } from '#features/search/rules/fuse.ts';
import { tellsOfEvents } from '#features/search/rules/insight-document.ts';
import { matchedIn, snippetOf } from '#features/search/rules/matched.ts';
import { type ReadSearch, readSearch } from '#features/search/rules/read-search.ts';
import { findLexical } from './find-lexical.ts';
import { findByMeaning } from './meaning/find-by-meaning.ts';
import { type DocumentPlace, placesOf } from './there.ts';

/** Results that may be gone by now are left out; so many more are looked for. */
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
  /** Whose vectors took part. */
  readonly model: string | null;
  readonly degraded: Degraded | null;
}

const kindsFor = (context: UseCaseContext, asked: readonly SearchKind[] | null): readonly SearchKind[] => {
  if (asked !== null) {
    for (const kind of asked) requirePermission(context, NEEDED[kind]);
    return [...new Set(asked)];
  }
  const kinds = SEARCH_KINDS.filter((kind) => context.caller.permissions.has(NEEDED[kind]));
  if (kinds.length === 0) throw new Fault('forbidden', 'This needs the permission to read what is searched');
  return kinds;
};

interface Found {
  readonly document: SearchDocument;
  readonly score: number;
}

/** The best that are still there. */
async function standing(context: UseCaseContext, found: readonly Found[], limit: number) {
  const there: (Found & DocumentPlace)[] = [];
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
type SearchContext = UseCaseContext & Asking;

interface Ranked {
  readonly found: readonly Found[];
  /** Words that were taken as mistyped. */
  readonly strange: readonly string[];
  /** Why no vectors took part; null: they did, or were not meant to. */
  readonly degraded: Degraded | null;
  readonly mode: SearchAnswer['mode'];
}

/** Results of words and of vectors, as one ranking. */
async function fused(
  { ports, tenant }: SearchContext,
  lexical: readonly Found[],
  near: readonly SearchRef[],
): Promise<Found[]> {
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
 * Finds complaints, incidents, CIs, services and insights by what they are about. Throws Fault `forbidden` for kinds that the caller may
 * not read; `model`, `unavailable` or `rate-limited` when vectors are wanted and there are none.
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
