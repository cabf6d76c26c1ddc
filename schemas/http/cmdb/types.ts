import { z } from 'zod';
import type { TypeInUse } from '#domain/ports/topology/topology-counts.ts';

/** Types of CIs and relationships: those in use, and common ones. */
const TypeBody = z
  .object({
    type: z.string(),
    count: z.int().min(0),
    known: z.boolean().meta({ description: 'True for well-known types' }),
    warning: z.string().nullable().meta({ description: 'Present if the type is probably a mistake' }),
  })
  .meta({ id: 'TypeInUse' });
export const TypesBody = z
  .object({ ci_types: z.array(TypeBody), relationship_types: z.array(TypeBody) })
  .meta({ id: 'TypesInUse' });

/** Those in use first, then the other usual ones. */
export function typeBodies(
  used: readonly TypeInUse[],
  known: readonly string[],
  warningOf: (type: string) => string | null,
): z.output<typeof TypeBody>[] {
  const isKnown = (type: string): boolean => known.includes(type.toLowerCase());
  const inUse = new Set(used.map(({ type }) => type.toLowerCase()));
  const others = known.filter((type) => !inUse.has(type)).map((type) => ({ type, count: 0 }));
  return [...used, ...others].map((one) => ({ ...one, known: isKnown(one.type), warning: warningOf(one.type) }));
}
