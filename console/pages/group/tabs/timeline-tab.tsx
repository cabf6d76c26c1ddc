import { Button } from '@mantine/core';
import { useState } from 'react';
import type { MomentData } from '#console/api/group-parts.ts';
import type { GroupDetailData } from '#console/api/groups.ts';
import { Timestamp } from '#console/components/timestamp.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { useAddress } from '#console/hooks/use-address.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import classes from '../group.module.css';
import { useTimeline } from '../read/use-group.ts';
import { NoteText } from './note-text.tsx';
import * as texts from './texts.ts';

const KIND_WORDS: Readonly<Record<MomentData['kind'], string>> = {
  founded: 'began',
  joined: 'joined',
  merged: 'merged',
  status: 'status',
  note: texts.note,
  assigned: 'assigned',
  verdict: 'verdict',
  split: 'split',
  cause: 'cause',
  closed: 'growth',
  topology: 'change',
};

const ORDERS = [
  { value: 'desc', words: texts.newestFirst },
  { value: 'asc', words: texts.oldestFirst },
] as const;

const ACTS = {
  note: texts.addedANote,
  assigned: texts.changedTheAssignee,
  verdict: texts.gaveAVerdict,
  split: texts.splitEvents,
  status: texts.changedTheStatus,
} as const;

interface Props {
  readonly group: GroupDetailData;
}

/** All user actions on the group. */
function Acts({ group, order }: Props & { readonly order: 'asc' | 'desc' }) {
  const entries = order === 'asc' ? group.history : group.history.toReversed();
  if (entries.length === 0) return <p className={classes.dim}>{texts.noActivityYet}</p>;
  return (
    <ol className={classes.notes} aria-label={texts.activity}>
      {entries.map(({ at, by, kind, text }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed.
        <li key={`${at} ${place}`}>
          <span className={classes.dim}>
            <Timestamp at={at} /> · {by.name} {ACTS[kind]}
          </span>
          <NoteText text={text} />
        </li>
      ))}
    </ol>
  );
}

function Moments({ group, order }: Props & { readonly order: 'asc' | 'desc' }) {
  const timeline = useTimeline(group.correlationId, order);
  return (
    <Region query={timeline} what={texts.timelineEntries} skeleton={<Skeleton rows={5} height={28} />}>
      {({ pages }) => (
        <ol className={classes.moments} aria-label={texts.groupTimeline}>
          {pages
            .flatMap((page) => page.timeline)
            .map(({ at, kind, eventId, by, text }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what happened stays where it is.
              <li key={`${at} ${eventId ?? ''} ${place}`} data-kind={kind} data-act={by !== undefined || undefined}>
                <Timestamp at={at} />
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
                {order === 'desc' ? texts.loadEarlier : texts.loadLater}
              </Button>
            </li>
          ) : null}
          {!timeline.hasNextPage && pages.at(-1)?.truncated ? (
            <li className={classes.dim}>{texts.timelineTruncatedEventsTab}</li>
          ) : null}
        </ol>
      )}
    </Region>
  );
}

/** Entries of the group: all of them, or those of users. */
export function TimelineTab({ group }: Props) {
  const { query, change } = useAddress();
  const [filter, setFilter] = useState<'all' | 'people'>('all');
  const order = query.timeline === 'oldest' ? 'asc' : 'desc';
  return (
    <div className={classes.tab}>
      <div className={classes.timelineBar}>
        <Tabs
          label={texts.timelineFilter}
          value={filter}
          tabs={[
            { value: 'all', words: texts.allEntries },
            { value: 'people', words: texts.userActions, count: group.history.length },
          ]}
          onChange={setFilter}
        />
        <Tabs
          label={texts.orderOfTheTimeline}
          value={order}
          tabs={ORDERS}
          onChange={(next) => change({ timeline: next === 'asc' ? 'oldest' : null }, { replace: true })}
        />
      </div>
      {filter === 'people' ? <Acts group={group} order={order} /> : <Moments group={group} order={order} />}
    </div>
  );
}
