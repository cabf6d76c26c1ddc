import { SEVERITIES, type Severity } from '#domain/event/event.ts';
import type { Drawing, DrawnNode } from './drawn.ts';
import { folded } from './fold.ts';
import * as text from './texts.ts';

/** The meaning of a mark of a map; `severities` are those of the map, the worst first. */
export type Meaning =
  | { readonly kind: 'events'; readonly severities: readonly Severity[]; readonly words: string }
  | {
      readonly kind: 'quiet' | 'cause' | 'fold' | 'ring' | 'hatched' | 'accepted' | 'proposed' | 'arrow';
      readonly words: string;
    };

const leftWords = (saved: readonly DrawnNode[]): string => {
  const left = new Set(saved.flatMap((node) => node.saved?.split(', ')[0] ?? []));
  const [only] = left;
  return left.size === 1 && only !== undefined ? ` (${only})` : '';
};

/** The marks that this map has, in the order of the legend. */
export const meaningsOf = (drawing: Drawing): readonly Meaning[] => {
  const { nodes, edges } = drawing;
  const has = (role: DrawnNode['role']): boolean => nodes.some((node) => node.role === role);
  const severities = SEVERITIES.filter((severity) => nodes.some(({ worst }) => worst === severity));
  // A group's map counts ended events, too.
  const isOver = nodes.some(({ worst, open, state }) => worst !== null && open === 0 && state === undefined);
  const hasServices = nodes.some(({ state }) => state !== undefined);
  const saved = nodes.filter(({ role }) => role === 'protected');
  const all: readonly (Meaning | false)[] = [
    severities.length > 0 && {
      kind: 'events',
      severities,
      words: isOver ? text.worstEventIncludingResolved : hasServices ? text.worstOrHealth : text.worstOpenEvent,
    },
    nodes.some(({ worst, role }) => worst === null && role !== 'protected' && role !== 'impacted') && {
      kind: 'quiet',
      words: isOver ? 'none' : hasServices ? text.quietOrHealthy : text.noOpenEvents,
    },
    has('cause') && { kind: 'cause', words: text.probableRootCause },
    folded(drawing, new Set()).foldOf.size > 0 && { kind: 'fold', words: text.foldLegend },
    has('impacted') && { kind: 'ring', words: text.impactedNoEvents },
    saved.length > 0 && { kind: 'hatched', words: text.protectedLegend(leftWords(saved)) },
    edges.some(({ isFromAi, proposal }) => isFromAi === true && proposal === undefined) && {
      kind: 'accepted',
      words: text.proposedByAiAccepted,
    },
    edges.some(({ proposal }) => proposal !== undefined) && { kind: 'proposed', words: text.proposedAiPendingReview },
    edges.length > 0 && { kind: 'arrow', words: text.failurePropagation },
  ];
  return all.filter((meaning) => meaning !== false);
};
