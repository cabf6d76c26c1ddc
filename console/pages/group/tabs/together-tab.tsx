import { Select } from '@mantine/core';
import type { MemberShown } from '#console/api/group-parts.ts';
import { ExplainedPair } from '#console/facts/explained-pair.tsx';
import { useExplained } from '#console/hooks/use-explained.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import classes from '../group.module.css';

const nameOf = ({ title, ciId, hostname }: MemberShown): string => `${ciId?.name ?? hostname ?? 'no host'}: ${title}`;

interface Props {
  readonly members: readonly MemberShown[];
  readonly pair: readonly [string | null, string | null];
  readonly onPair: (pair: readonly [string | null, string | null]) => void;
}

/** Two members: what joins them. */
export function TogetherTab({ members, pair, onPair }: Props) {
  const explained = useExplained(pair[0], pair[1]);
  const options = members.map((member) => ({ value: member.eventId, label: nameOf(member) }));
  const named = (id: string | null): string => {
    const member = members.find(({ eventId }) => eventId === id);
    return member === undefined ? (id ?? '') : nameOf(member);
  };
  const choices = (['One', 'The other'] as const).map((label, at) => (
    <Select
      key={label}
      label={label}
      searchable
      limit={50}
      data={options}
      value={pair[at] ?? null}
      onChange={(value) => onPair(at === 0 ? [value, pair[1]] : [pair[0], value])}
      className={classes.choice}
    />
  ));
  return (
    <div className={classes.tab}>
      <div className={classes.choices}>{choices}</div>
      {pair[0] === null || pair[1] === null || pair[0] === pair[1] ? (
        <Notice title="Choose two members">
          Or select two in the list of members with <kbd>x</kbd> and press <kbd>e</kbd>.
        </Notice>
      ) : (
        <Region query={explained} what="The explanation">
          {(found) => <ExplainedPair explained={found} names={[named(pair[0]), named(pair[1])]} />}
        </Region>
      )}
    </div>
  );
}
