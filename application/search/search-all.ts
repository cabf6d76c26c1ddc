import type { UseCaseContext } from '#application/access/context.ts';
import type { AiMode } from '#application/ai/answer.ts';
import { modelFault } from '#application/ai/ask.ts';
import { requirePermission } from '#application/ai/require-permission.ts';
import { countRulesAnswer } from '#application/ai/usage/rules-count.ts';
import type { Permission } from '#domain/access/permissions.ts';
import type { Degraded } from '#domain/ai/degraded.ts';
import { Fault } from '#domain/fault.ts';
import { SEARCH_KINDS, type SearchDocument, type SearchKind } from '#domain/search/document.ts';
import { tellsOfEvents } from '#domain/search/insight-document.ts';
import { matchedIn, snippetOf } from '#domain/search/matched.ts';
import { type ReadSearch, readSearch } from '#domain/search/read-search.ts';
import { findLexical } from './find-lexical.ts';
import { type Place, placesOf } from './there.ts';

/** What may be gone by now is left out; so many more are looked for. */
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

export interface SearchResult extends Place {
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
async function standing({ ports, tenant }: UseCaseContext, found: readonly Found[], limit: number) {
  const there: (Found & Place)[] = [];
  for (let from = 0; from < found.length && there.length < limit; from += limit) {
    const some = found.slice(from, from + limit);
    const places = await placesOf(
      ports,
      tenant,
      some.map(({ document }) => document),
    );
    there.push(...some.flatMap((one, i) => (places[i] ? [{ ...one, ...places[i] }] : [])));
  }
  return there.slice(0, limit);
}

/**
 * Finds complaints, incidents, CIs, services and insights by what they are about. Throws Fault `forbidden` for kinds that the caller may
 * not read, and for a model that is wanted and not there.
 */
export async function searchAll(
  context: UseCaseContext,
  { text, kinds: asked, limit, mode }: SearchAsked,
): Promise<SearchAnswer> {
  const kinds = kindsFor(context, asked);
  if (mode === 'model') throw modelFault('no_model');
  const { ports, tenant, caller } = context;
  const read = readSearch(text);
  const hits = await findLexical(ports, tenant, read, { kinds, limit: 2 * limit + SPARE });
  const mayReadEvents = caller.permissions.has('events.read');
  const shown = hits.filter(({ document }) => mayReadEvents || !tellsOfEvents(document));
  const best = await standing(context, shown, limit);
  countRulesAnswer(ports, tenant);
  const most = best[0]?.score ?? 0;
  const results = best.map(({ document, score, ...place }): SearchResult => {
    const share = most > 0 ? score / most : 0;
    return {
      ...{ document, score: share, matched: matchedIn(document, read), snippet: snippetOf(document, read) },
      ...place,
    };
  });
  return { results, read, mode: 'lexical', model: null, degraded: mode === 'rules' ? null : 'no_model' };
}
