import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { GroupActions } from '#console/actions/group/use-group-actions.ts';
import { GROUPS } from '#console/actions/groups-cache.ts';
import { type GroupDetailShown, readGroup } from '#console/api/groups.ts';
import { mayConcern } from '#console/api/live/changes.ts';
import { Confidence } from '#console/facts/confidence.tsx';
import { Keeper } from '#console/facts/keeper.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { Region } from '#console/states/region.tsx';
import { isCertain, reasonWords, sentence } from '#console/words/group-words.ts';
import classes from './groups.module.css';
import { RowButtons } from './row-buttons.tsx';

const IMPACT_WORDS = { full_outage: 'down', degraded_functionality: 'degraded' } as const;

/** The two best, when none is good enough to be called the cause. */
function Guesses({ group }: { readonly group: GroupDetailShown }) {
  const { cause } = group;
  if (cause === null) return <p className={classes.panelText}>No event stands out as the cause.</p>;
  const second = cause.alternatives[0];
  return (
    <ul>
      <li>
        <span>{cause.event.title}</span>
        <Confidence value={cause.confidence} />
      </li>
      {second === undefined ? null : (
        <li>
          <span>{second.title ?? second.ciName ?? second.eventId}</span>
          <span>second best</span>
        </li>
      )}
    </ul>
  );
}

function Cause({ group }: { readonly group: GroupDetailShown }) {
  const { cause } = group;
  const certain = isCertain(group) && cause !== null;
  return (
    <section className={classes.panelSection}>
      <h3 className={classes.panelHead}>{certain ? 'Probable cause' : 'Cause not certain; the two best are'}</h3>
      {certain ? (
        <>
          <Confidence value={cause.confidence} />
          <div>
            {cause.ci?.name ?? cause.event.hostname ?? cause.event.title}: {reasonWords(cause.reasoning)}
          </div>
        </>
      ) : (
        <Guesses group={group} />
      )}
    </section>
  );
}

function Services({ group }: { readonly group: GroupDetailShown }) {
  if (group.impactedServices.length === 0) return null;
  return (
    <section className={classes.panelSection}>
      <h3 className={classes.panelHead}>Services hit</h3>
      <ul>
        {group.impactedServices.map(({ id, name, impact }) => (
          <li key={id}>
            <span>{name}</span>
            <span>{IMPACT_WORDS[impact]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Props {
  readonly id: string;
  readonly actions: GroupActions;
  readonly onOpen: () => void;
}

const SETTLED_MS = 200;

/** One group, beside the list. */
export function GroupPanel({ id, actions, onOpen }: Props) {
  const { mayWrite } = actions;
  const { call } = useParts();
  // Running down the list does not read each group on the way.
  const [settled] = useDebouncedValue(id, SETTLED_MS, { leading: true });
  const query = useQuery({
    queryKey: [...GROUPS, 'detail', settled],
    queryFn: ({ signal }) => readGroup(call, settled, signal),
  });
  useLive(
    ['groups'],
    () => query.refetch(),
    (changed) => mayConcern(changed, settled),
  );
  return (
    <aside className={classes.panel} aria-label="The group in focus">
      <Region query={query} what="The group">
        {(group) => (
          <>
            {group.severity === null ? null : <SeverityMark severity={group.severity} />}
            <h2 className={classes.panelTitle}>{group.title ?? 'No root cause identified'}</h2>
            <p className={classes.panelText}>{group.summary || sentence(group)}</p>
            <div className={classes.panelActions}>
              <Button component={Link} to={`/groups/${group.correlationId}`} variant="default" onClick={onOpen}>
                Open
              </Button>
              <RowButtons row={group} actions={actions} />
            </div>
            <Cause group={group} />
            <Services group={group} />
            <section className={classes.panelSection}>
              <h3 className={classes.panelHead}>Assignee</h3>
              <Keeper group={group} />
              {mayWrite ? (
                <div className={classes.panelActions}>
                  <Button variant="default" onClick={() => actions.take([group])}>
                    Assign to me
                  </Button>
                  <Button variant="default" onClick={() => actions.ask('assign', [group])}>
                    Assign…
                  </Button>
                </div>
              ) : null}
            </section>
          </>
        )}
      </Region>
    </aside>
  );
}
