import { z } from 'zod';
import { SEARCH_KINDS } from '#domain/search/document.ts';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import { commaList, searchText, wholeNumber } from '#schemas/http/common.ts';

/** Search by meaning (docs/ai.md). */

const MOST = 50;

export const SearchQuery = z.strictObject({
  q: searchText()
    .refine((text) => text.trim() !== '', 'expected a search term')
    .meta({ pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' })
    .meta({ description: 'Search terms; use “quotation marks” for exact phrases', example: 'disk full' }),
  kinds: commaList(SEARCH_KINDS).optional(),
  limit: wholeNumber(1, MOST).optional().meta({ default: 10 }),
});

const Result = z
  .object({
    kind: z.enum(SEARCH_KINDS).meta({ description: '`complaint`: all events with the same problem signature' }),
    id: z.string().meta({ description: 'For insights, the ID of the CI' }),
    title: z.string(),
    snippet: z.string(),
    score: z.number().min(0).max(1).meta({ description: 'Score relative to the best result' }),
    matched: z.array(z.string()).meta({ description: 'Matched search terms and concepts' }),
    href: z.string().meta({ description: 'Relative link; for problems, to the latest event' }),
    at: z.string().meta({ format: 'date-time', description: 'Latest time of the result' }),
    events: z.array(z.string()).optional().meta({ description: 'For problems: latest events, up to 5' }),
  })
  .meta({ id: 'SearchResult' });

export const SearchBody = z.object({
  results: z.array(Result).meta({ description: 'Best first' }),
  interpretation: z.object({
    terms: z.array(z.string()).meta({ description: 'Search terms, phrases first' }),
    concepts: z.array(z.string()).meta({ description: 'Recognized concepts, including synonyms' }),
    mode: z.enum(['lexical', 'hybrid']).meta({ description: 'hybrid: includes embedding search' }),
  }),
  ...evidenceFields,
});
