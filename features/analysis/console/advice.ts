import type { GroupDetailData } from '#console/api/groups.ts';
import { runbook } from './texts.ts';

/** Something to do, and whose advice it is. */
export interface ShownAdvice {
  readonly text: string;
  /** Null: no runbook. */
  readonly runbook: { readonly address: string; readonly text: string } | null;
  /** Built-in advice, not that of users. */
  readonly isGeneral: boolean;
  /** Cited events other than the representative one of the group. */
  readonly eventIds: readonly string[];
}

/** The first word may be an address. */
export const addressIn = (said: string): NonNullable<ShownAdvice['runbook']> => {
  const [address = ''] = said.split(' ', 1);
  return { address, text: said.slice(address.length) };
};

/** Actions in their order: advice of users, then general advice. */
export const adviceOf = ({ aiAnalysis }: Pick<GroupDetailData, 'aiAnalysis'>): readonly ShownAdvice[] => {
  const { recommendedActions = [], claims = [], refs, citations = [], eventId } = aiAnalysis ?? {};
  // Actions are the last of the claims.
  const before = claims.length - recommendedActions.length;
  return recommendedActions.map((text, at) => ({
    text,
    runbook: text.startsWith(runbook) ? addressIn(text.slice(runbook.length)) : null,
    isGeneral: claims[before + at]?.certainty === 'possible',
    eventIds: citations
      .filter(({ ref, kind, id }) => kind === 'event' && id !== eventId && refs?.actions[at]?.includes(ref))
      .map(({ id }) => id),
  }));
};
