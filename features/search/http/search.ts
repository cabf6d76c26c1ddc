import type { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import type { CitationKind } from '#domain/ai/evidence.ts';
import { rounded } from '#domain/numbers.ts';
import type { SearchKind } from '#domain/search/document.ts';
import { PackBuilder } from '#features/ai/rules/pack.ts';
import { AiModeHeader, aiMode, evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import { SearchBody, SearchQuery } from '#features/search/schemas/search.ts';
import {
  type SearchAnswer,
  type SearchAsked,
  type SearchResult,
  searchAll,
} from '#features/search/use-cases/search-all.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { iso } from '#schemas/http/time.ts';

const DEFAULT_LIMIT = 10;

const CITED_AS: Readonly<Record<SearchKind, CitationKind>> = {
  complaint: 'event',
  incident: 'group',
  ci: 'ci',
  service: 'service',
  insight: 'record',
  report: 'record',
};

const resultBody = ({ document, score, matched, snippet, href, events }: SearchResult) => ({
  kind: document.kind,
  id: document.id,
  title: document.title,
  snippet,
  score: rounded(score),
  matched: [...matched],
  href,
  at: iso(document.at),
  ...(events !== undefined && { events: [...events] }),
});

/** The findings are the evidence. */
const citationsOf = (results: readonly SearchResult[]) => {
  const builder = new PackBuilder();
  for (const { document, href, events } of results) {
    const kind = CITED_AS[document.kind];
    builder.add({ kind, id: events?.[0] ?? document.id, label: document.title, facts: [], href });
  }
  return builder.pack.map(({ alias, kind, id, label, href }) => ({ ref: alias, kind, id, label, href }));
};

const answerBody = ({ results, read, mode, model, degraded }: SearchAnswer): z.output<typeof SearchBody> => ({
  results: results.map(resultBody),
  interpretation: { terms: [...read.phrases, ...read.words], concepts: [...read.concepts], mode },
  ...evidenceBody({
    generatedBy: 'rules',
    model,
    abstained: results.length === 0,
    degraded,
    citations: citationsOf(results),
  }),
});

/** Search by meaning. */
export const searchSemantic = endpoint<SearchAsked, SearchAnswer>({
  id: 'ai.search-semantic',
  headers: AiModeHeader,
  summary: 'Search by meaning',
  description:
    'Matches word forms, synonyms and typos. Also requires events.read, cmdb.read, services.read or reports.read, depending on the kind; without kinds, searches everything the caller can read.',
  tag: 'AI',
  permission: 'ai.use',
  limit: 'ai-platform',
  takesLong: true,
  alsoFaults: ['model', 'unavailable', 'rate-limited'],
  mounts: on.platform.get('/ai/search-semantic', {
    query: SearchQuery,
    reply: wrapped(SearchBody),
    read: ({ query: { q, kinds, limit }, headers }) => ({
      text: q,
      kinds: kinds ?? null,
      limit: limit ?? DEFAULT_LIMIT,
      mode: aiMode(headers),
    }),
    present: (answered) => ({ body: answerBody(answered) }),
  }),
  handle: (asked, context) => searchAll(context, asked),
});
