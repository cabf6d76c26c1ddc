import { Button } from '@mantine/core';
import type { MemberShown, MomentShown } from '#console/api/group-parts.ts';
import { Tabs } from '#console/data/tabs.tsx';
import { When } from '#console/facts/when.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import classes from './group.module.css';
import { lanesOf, lanesSpan } from './lanes.ts';
import { LanesView } from './lanes-view.tsx';
import { useTimeline } from './read/use-group.ts';

const KIND_WORDS: Readonly<Record<MomentShown['kind'], string>> = {
  founded: 'began',
  joined: 'joined',
  merged: 'merged',
  status: 'status',
  note: 'note',
  assigned: 'assigned',
  verdict: 'verdict',
  split: 'split',
  cause: 'cause',
  closed: 'ended',
  topology: 'change',
};

const ORDERS = [
  { value: 'desc', words: 'Newest first' },
  { value: 'asc', words: 'Oldest first' },
] as const;

interface Props {
  readonly id: string;
  readonly members: readonly MemberShown[];
  readonly cause: string | null;
  readonly onSelect: (ci: string) => void;
}

/** The timeline, and how long each CI complained. */
export function TimelinePanel({ id, members, cause, onSelect }: Props) {
  const { clock } = useParts();
  const { query, change } = useAddress();
  const order = query.timeline === 'oldest' ? 'asc' : 'desc';
  const timeline = useTimeline(id, order);
  const now = clock.now();
  const turn = (
    <Tabs
      label="Order of the timeline"
      value={order}
      tabs={ORDERS}
      onChange={(next) => change({ timeline: next === 'asc' ? 'oldest' : null }, { replace: true })}
    />
  );
  return (
    <Panel title="Timeline" wide end={turn}>
      <div className={classes.timeline}>
        <Region query={timeline} what="The timeline" skeleton={<Skeleton rows={5} height={28} />}>
          {({ pages }) => (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys.
            <ol className={classes.moments} data-keys tabIndex={0} aria-label="What happened">
              {pages
                .flatMap((page) => page.timeline)
                .map(({ at, kind, eventId, by, text }, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: what happened stays where it is.
                  <li key={`${at} ${eventId ?? ''} ${place}`} data-kind={kind}>
                    <When at={at} />
                    <span className={classes.momentKind}>{KIND_WORDS[kind]}</span>
                    <span className={classes.momentText}>
                      {text}
                      {by === undefined ? null : <span className={classes.dim}> · {by.name}</span>}
                    </span>
                  </li>
                ))}
              {timeline.hasNextPage ? (
                <li>
                  <Button
                    variant="subtle"
                    size="compact-xs"
                    loading={timeline.isFetchingNextPage}
                    onClick={() => void timeline.fetchNextPage()}
                  >
                    {order === 'desc' ? 'Load earlier' : 'Load later'}
                  </Button>
                </li>
              ) : null}
              {!timeline.hasNextPage && pages.at(-1)?.truncated ? (
                <li className={classes.dim}>More happened than is told here; the members below are complete.</li>
              ) : null}
            </ol>
          )}
        </Region>
        <LanesView lanes={lanesOf(members, cause, now)} span={lanesSpan(members, now)} onSelect={onSelect} />
      </div>
    </Panel>
  );
}
