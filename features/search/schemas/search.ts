import { z } from 'zod';
import { SEARCH_KINDS } from '#domain/search/document.ts';
import { groundsFields } from '#features/ai/schemas/grounds.ts';
import { commaList, searchText, wholeNumber } from '#schemas/http/common.ts';

/** Search by meaning (docs/ai.md). */

const MOST = 50;

export const SearchQuery = z.strictObject({
  q: searchText()
    .refine((text) => text.trim() !== '', 'expected a word')
    .meta({ pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' })
    .meta({ description: 'Words, in any form; “in quotation marks” as they stand', example: 'disk full' }),
  kinds: commaList(SEARCH_KINDS).optional(),
  limit: wholeNumber(1, MOST).optional().meta({ default: 10 }),
});

const Result = z
  .object({
    kind: z.enum(SEARCH_KINDS).meta({ description: 'complaint: all events with one pattern of the title' }),
    id: z.string().meta({ description: 'Of an insight that of its CI' }),
    title: z.string(),
    snippet: z.string(),
    score: z.number().min(0).max(1).meta({ description: 'As a share of the best result' }),
    matched: z.array(z.string()).meta({ description: 'Words of the search, and names of concepts' }),
    href: z.string().meta({ description: 'Relative link; of a complaint to its newest event' }),
    at: z.string().meta({ format: 'date-time', description: 'Newest time of the thing' }),
    events: z.array(z.string()).optional().meta({ description: 'Of a complaint: its newest events, at most 5' }),
  })
  .meta({ id: 'SearchResult' });

export const SearchBody = z.object({
  results: z.array(Result).meta({ description: 'Best first' }),
  interpretation: z.object({
    terms: z.array(z.string()).meta({ description: 'What was looked for, phrases first' }),
    concepts: z.array(z.string()).meta({ description: 'Names of what the search speaks of, in other words, too' }),
    mode: z.enum(['lexical', 'hybrid']).meta({ description: 'hybrid: vectors of a model took part' }),
  }),
  ...groundsFields,
});
