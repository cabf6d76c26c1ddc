import { z } from 'zod';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import type { Described, EnrichedServer } from '#features/analyzer/rules/servers/enrich.ts';
import { always } from '#schemas/http/always.ts';
import { FILLED_LIST, FILLED_TEXT, fieldsOf, oneShapeOf } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { NamedItem, nameOfItem, optionalText, shortText } from './servers.ts';

/** Schemas from a description to software, processes and ports (docs/services.md). */

const MAX_ITEMS = 1_000;
const EXPECTED = 'expected at least one of description, selectedSoftware, manualProcesses, manualSoftware';

const Chosen = z
  .looseObject({ catalogId: optionalText, name: optionalText, vendor: optionalText })
  .check(
    always(({ value, issues }) => {
      if (!value.catalogId && !value.name)
        issues.push({ code: 'custom', input: value, path: ['catalogId'], message: 'expected catalogId or name' });
    }),
  )
  .meta(oneShapeOf(...fieldsOf(FILLED_TEXT, 'catalogId', 'name')));
const Manual = z.looseObject({ name: shortText, version: optionalText, source: optionalText });

export const EnrichDescription = z
  .strictObject({
    description: z.string().max(32_768).nullish(),
    selectedSoftware: z
      .array(Chosen)
      .max(MAX_ITEMS)
      .nullish()
      .meta({ description: 'Catalog software by ID, or any software by name' }),
    manualProcesses: z.array(NamedItem).max(MAX_ITEMS).nullish(),
    manualSoftware: z.array(Manual).max(MAX_ITEMS).nullish(),
  })
  .check(
    always(({ value, issues }) => {
      const { description, selectedSoftware, manualProcesses, manualSoftware } = value;
      const isGiven = (given: unknown): boolean =>
        typeof given === 'string' ? given.trim() !== '' : Array.isArray(given) && given.length > 0;
      if (![description, selectedSoftware, manualProcesses, manualSoftware].some(isGiven))
        issues.push({ code: 'custom', input: value, path: ['description'], message: EXPECTED });
    }),
  )
  .meta({
    id: 'EnrichDescription',
    ...oneShapeOf(
      ...fieldsOf(FILLED_TEXT, 'description'),
      ...fieldsOf(FILLED_LIST, 'selectedSoftware', 'manualProcesses', 'manualSoftware'),
    ),
  });

export const describedBy = (given: z.output<typeof EnrichDescription>): Described => ({
  description: given.description?.trim() || null,
  chosen: (given.selectedSoftware ?? []).map(({ catalogId, name, vendor }) => ({
    catalogId: catalogId || null,
    name: name || null,
    vendor: vendor || null,
    version: null,
  })),
  processes: (given.manualProcesses ?? []).map(nameOfItem),
  software: (given.manualSoftware ?? []).map(({ name, version }) => ({ name, vendor: null, version: version || null })),
});

const confidence = z.number().min(0).max(1);
const source = z.enum(['manual', 'catalogue', 'model']);
const EnrichedData = z
  .object({
    processes: z.array(z.object({ name: z.string(), source, software: z.string().nullable(), confidence })),
    software: z.array(
      z.object({
        catalogId: z.string().nullable().meta({ description: 'null if not in the catalog' }),
        name: z.string(),
        vendor: z.string().nullable(),
        version: z.string().nullable(),
        source,
        confidence,
      }),
    ),
    ports: z.array(
      z.object({
        port: z.int(),
        protocol: z.enum(['tcp', 'udp']),
        description: z.string(),
        software: z.string(),
        confidence,
      }),
    ),
    searchPatterns: z.object({
      hostnames: z.array(z.string()).meta({ description: 'Pattern; * matches any characters' }),
      processes: z.array(z.string()),
      software: z.array(z.string()),
    }),
    aiExplanation: z.string(),
  })
  .meta({ id: 'EnrichedData' });
export const EnrichedBody = succeeded({ enrichedData: EnrichedData, ...evidenceFields });

/** Searched by name alone: processes of names that little else has. */
const PATTERN_FROM = 0.6;

/** Returns the findings in the form of discover. */
export const enrichedData = (enriched: EnrichedServer, aiExplanation: string): z.output<typeof EnrichedData> => {
  const { software, processes, ports, hostnames } = enriched;
  const sure = <T extends { readonly name: string; readonly confidence: number }>(all: readonly T[]): string[] =>
    all.filter((one) => one.confidence >= PATTERN_FROM).map(({ name }) => name);
  return {
    processes: processes.map((one) => ({ ...one })),
    software: software.map(({ software: row, name, vendor, version, source: from, confidence: sureness }) => ({
      catalogId: row?.id ?? null,
      name,
      vendor,
      version,
      source: from,
      confidence: sureness,
    })),
    ports: ports.map(({ port, protocol, purpose, software: name, confidence: sureness }) => ({
      port,
      protocol,
      description: purpose === '' ? name : `${name}: ${purpose}`,
      software: name,
      confidence: sureness,
    })),
    searchPatterns: { hostnames: [...hostnames], processes: sure(processes), software: sure(software) },
    aiExplanation,
  };
};
