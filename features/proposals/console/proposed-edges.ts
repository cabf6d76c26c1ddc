import type { Proposal } from './api.ts';

/** Returns proposals as edges of a map. */
export const proposedEdges = (proposals: readonly Proposal[]) =>
  proposals.map(({ id, source, target, type }) => ({
    source,
    target,
    type: type.replaceAll('-', '_'),
    isFromAi: true as const,
    proposal: id,
  }));
