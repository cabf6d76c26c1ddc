import { z } from 'zod';
import { assertDefined } from '#domain/assert.ts';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { MAX_COMPONENTS, type ServiceAnalysis } from '#domain/services/service.ts';
import { always } from '#schemas/http/always.ts';
import { FILLED_TEXT, fieldsOf, oneShapeOf } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';
import { optionalText, shortText } from './servers.ts';

/** Makes a business service of the findings (docs/services.md). */

const Component = z
  .looseObject({
    ciId: optionalText,
    ci_id: optionalText.meta({ description: 'Alias of ciId' }),
    role: optionalText,
    tier: optionalText,
    redundancy_group: optionalText,
    redundancy_required: z.int().min(1).max(MAX_COMPONENTS).nullish(),
  })
  .check(
    always(({ value, issues }) => {
      if (!value.ciId && !value.ci_id)
        issues.push({ code: 'custom', input: value, path: ['ciId'], message: 'expected ciId or ci_id' });
    }),
  )
  .meta(oneShapeOf(...fieldsOf(FILLED_TEXT, 'ciId', 'ci_id')));
const NONE = 'expected at least one server';
const components = z.array(Component).min(1, NONE).max(MAX_COMPONENTS);
const bag = z.looseObject({});

export const SaveService = z
  .strictObject({
    name: shortText,
    description: z.string().max(32_768).nullish(),
    category: optionalText,
    discoveryConfig: bag.nullish().meta({ description: 'Search input; stored unchanged' }),
    components: z
      .union([components, z.looseObject({ servers: components })], {
        error: 'expected a list of at least one server, or an object with the list servers',
      })
      .meta({ description: 'Servers from classify' }),
    analysis: bag.nullish().meta({
      description:
        'Result of insights; businessImpact.criticality sets the criticality of the service. Stored unchanged',
    }),
  })
  .meta({ id: 'SaveService' });
type SaveService = z.output<typeof SaveService>;

const criticalityIn = (analysis: SaveService['analysis']) => {
  const said = (analysis?.businessImpact as { criticality?: unknown } | undefined)?.criticality;
  return CRITICALITIES.find((one) => one === said) ?? 'medium';
};

const componentOf = (given: z.output<typeof Component>) => {
  const { ciId, ci_id, role, redundancy_group: group, redundancy_required: required } = given;
  return {
    ci_id: ciId || assertDefined(ci_id, 'CI'),
    role: role || 'component',
    ...(group && { redundancy_group: group, ...(required && { redundancy_required: required }) }),
  };
};

/** A service with its components, and the rest as it was sent. */
export const savedService = (body: SaveService) => {
  const { name, description, category, discoveryConfig, components: given, analysis } = body;
  const list = Array.isArray(given) ? given : given.servers;
  return {
    name,
    description: description ?? '',
    criticality: criticalityIn(analysis),
    components: list.map(componentOf),
    kept: {
      category: category || null,
      discoveryConfig: discoveryConfig ?? null,
      components: given,
      analysis: analysis ?? null,
    },
  };
};

export const SavedBody = succeeded({ serviceId: z.string(), message: z.string() });

const free = z.unknown().meta({ description: 'Saved data' });
export const ServiceAnalysisBody = z
  .object({
    service_id: z.string(),
    category: z.string().nullable(),
    discoveryConfig: free,
    components: free,
    analysis: free,
    saved_at: IsoTime,
    saved_by: z.string(),
  })
  .meta({ id: 'ServiceAnalysis' });

export const serviceAnalysisBody = (id: string, kept: ServiceAnalysis): z.output<typeof ServiceAnalysisBody> => ({
  service_id: id,
  category: kept.category,
  discoveryConfig: kept.discoveryConfig,
  components: kept.components,
  analysis: kept.analysis,
  saved_at: iso(kept.savedAt),
  saved_by: kept.savedBy,
});
