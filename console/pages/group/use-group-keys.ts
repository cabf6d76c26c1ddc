import { useNavigate } from '@tanstack/react-router';
import type { GroupActions } from '#console/actions/group/use-group-actions.ts';
import { NOTHING } from '#console/grid/selection.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import type { Beside } from '#console/memory/neighbours.ts';
import type { Looking } from './use-looking.ts';

interface Ways {
  readonly beside: Beside;
  /** Query of the list from which it was opened. */
  readonly list: Readonly<Record<string, string>>;
}

/** Keys on the page of one group, beside those of all groups. */
export const useGroupKeys = (
  looking: Looking,
  { mayWrite, mayCorrelate }: GroupActions,
  { beside, list }: Ways,
): void => {
  const navigate = useNavigate();
  const { selected } = looking;
  const isSome = selected.ids.size > 0;
  const goTo = (other: string | null): void => {
    if (other !== null) void navigate({ to: `/groups/${other}` });
  };
  useShortcuts([
    {
      keys: 'p',
      words: 'Split what is selected off',
      section: 'Actions',
      isActive: mayCorrelate && isSome,
      run: () => looking.setSplitting(true),
    },
    {
      keys: 'e',
      words: 'Explain: two selected members, or the one in focus and the cause',
      section: 'Actions',
      run: looking.explainPair,
    },
    { keys: 'n', words: 'Write a note', section: 'Actions', isActive: mayWrite, run: looking.writeNote },
    {
      keys: '[',
      words: 'Previous group of the list',
      section: 'Go to',
      isActive: beside.before !== null,
      run: () => goTo(beside.before),
    },
    {
      keys: ']',
      words: 'Next group of the list',
      section: 'Go to',
      isActive: beside.after !== null,
      run: () => goTo(beside.after),
    },
    {
      keys: 'Escape',
      words: 'Back to the groups',
      section: 'Go to',
      run: () => (isSome ? looking.setSelection(NOTHING) : void navigate({ to: '/groups', search: list as never })),
    },
  ]);
};
