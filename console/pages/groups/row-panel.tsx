import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { GroupActions } from '#console/actions/group/use-group-actions.ts';
import { GROUPS } from '#console/actions/groups-cache.ts';
import { type GroupDetailData, type GroupRow, readGroup } from '#console/api/groups.ts';
import { mayConcern } from '#console/api/live/changes.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { Age } from '#console/components/age.tsx';
import { Confidence } from '#console/components/confidence.tsx';
import { GroupAssignee } from '#console/components/group-assignee.tsx';
import { GroupTitle } from '#console/components/group-title.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { useLive } from '#console/hooks/use-live.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { count, inSentence } from '#console/text/counts.ts';
import {
  confirmed,
  confirmedBy,
  hitWords,
  isCertain,
  isLone,
  reasonWords,
  rowPath,
  sentence,
} from '#console/text/group-text.ts';
import { titledAt } from '#domain/event/event-words.ts';
import classes from './groups.module.css';
import * as text from './texts.ts';

interface RowButtonsProps {
  readonly row: GroupRow;
  readonly actions: GroupActions;
}

/** Actions on the status of one row. */
function RowButtons({ row, actions }: RowButtonsProps) {
  if (!actions.mayWrite) return null;
  const { status } = row;
  if (status === 'resolved')
    return (
      <Button variant="default" onClick={() => actions.reopen([row])}>
        {text.reopen}
      </Button>
    );
  return (
    <>
      {status === 'active' ? (
        <Button variant="default" onClick={() => actions.acknowledge([row])}>
          {text.acknowledge}
        </Button>
      ) : (
        <Button variant="default" onClick={() => actions.unacknowledge([row])}>
          {text.unacknowledge}
        </Button>
      )}
      <Button variant="default" onClick={() => actions.ask('resolve', [row])}>
        {text.resolve}
      </Button>
      {actions.more.map((action) => (
        <Button key={action.id} variant="default" onClick={() => actions.ask(action, [row])}>
          {action.words}…
        </Button>
      ))}
    </>
  );
}

const IMPACT_WORDS = { full_outage: 'down', degraded_functionality: 'degraded' } as const;

/** The two best, when none is good enough to be called the cause. */
function Guesses({ group }: { readonly group: GroupDetailData }) {
  const { cause } = group;
  if (cause === null) return <p className={classes.panelText}>{text.noCause}</p>;
  const second = cause.alternatives[0];
  return (
    <ul>
      <li>
        <span>{titledAt(cause.event.title, cause.ci?.name ?? cause.event.hostname)}</span>
        <Confidence value={cause.confidence} />
      </li>
      {second === undefined ? null : (
        <li>
          <span>{titledAt(second.title ?? second.eventId, second.ciName)}</span>
          <span>{text.alternative}</span>
        </li>
      )}
    </ul>
  );
}

function Cause({ group }: { readonly group: GroupDetailData }) {
  const { cause } = group;
  const certain = isCertain(group) && cause !== null;
  const by = confirmedBy(group);
  return (
    <section className={classes.panelSection}>
      <h3 className={classes.panelHead}>{certain ? text.probableRootCause : text.possibleRootCausesLow}</h3>
      {certain ? (
        <>
          {by === undefined ? <Confidence value={cause.confidence} /> : null}
          <div>
            {group.causeName ?? cause.event.title}:{' '}
            {by === undefined ? reasonWords(cause.reasoning) : inSentence(confirmed(by))}
          </div>
        </>
      ) : (
        <Guesses group={group} />
      )}
    </section>
  );
}

function Services({ group }: { readonly group: GroupDetailData }) {
  if (group.impactedServices.length === 0) return null;
  return (
    <section className={classes.panelSection}>
      <h3 className={classes.panelHead}>{text.affectedServices}</h3>
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

interface GroupPanelProps {
  readonly id: string;
  readonly actions: GroupActions;
  readonly onOpen: () => void;
}

const SETTLED_MS = 200;

/** One group, beside the list. */
function GroupPanel({ id, actions, onOpen }: GroupPanelProps) {
  const { mayWrite } = actions;
  // Moving down the list does not read each group in between.
  const [settled] = useDebouncedValue(id, SETTLED_MS, { leading: true });
  const query = useRead([...GROUPS, 'detail', settled], (call, signal) => readGroup(call, settled, signal));
  useLive(
    ['groups'],
    () => query.refetch(),
    (changed) => mayConcern(changed, settled),
  );
  return (
    <aside className={classes.panel} aria-label={text.groupPreview}>
      <Region query={query} what={text.group}>
        {(group) => (
          <>
            {group.severity === null ? null : <SeverityMark severity={group.severity} />}
            <h2 className={classes.panelTitle}>
              <GroupTitle group={group} />
            </h2>
            <p className={classes.panelText}>{group.summary || sentence(group)}</p>
            <div className={classes.panelActions}>
              <Button component={Link} to={`/groups/${group.correlationId}`} variant="default" onClick={onOpen}>
                {text.open}
              </Button>
              <RowButtons row={group} actions={actions} />
            </div>
            <Cause group={group} />
            <Services group={group} />
            <section className={classes.panelSection}>
              <h3 className={classes.panelHead}>{text.assignee}</h3>
              <GroupAssignee group={group} />
              {mayWrite ? (
                <div className={classes.panelActions}>
                  <Button variant="default" onClick={() => actions.take([group])}>
                    {text.assignToMe}
                  </Button>
                  <Button variant="default" onClick={() => actions.ask('assign', [group])}>
                    {text.assign}
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

interface Props {
  readonly row: GroupRow;
  readonly actions: GroupActions;
  readonly onOpen: () => void;
}

/** An event in no group, beside the list. */
function LonePanel({ row, actions, onOpen }: Props) {
  const { severity, rootCause: event, timeSpan } = row;
  const hit = hitWords(row);
  return (
    <aside className={classes.panel} aria-label={text.eventPreview}>
      {severity === null ? null : <SeverityMark severity={severity} />}
      <h2 className={classes.panelTitle}>
        <GroupTitle group={row} />
      </h2>
      <p className={classes.panelText}>
        {[text.notInAGroup, ...(hit === '' ? [] : [hit])].join(' · ')}
        <br />
        <Age since={timeSpan.start} before={text.started} />
        {event == null ? null : `, ${count(event.occurrenceCount, 'occurrence')}`}
      </p>
      {event?.description === undefined ? null : <p className={classes.panelText}>{event.description}</p>}
      <div className={classes.panelActions}>
        <Button component={PageLink} to={rowPath(row)} variant="default" onClick={onOpen}>
          {text.open}
        </Button>
        <RowButtons row={row} actions={actions} />
      </div>
      <GroupAssignee group={row} />
    </aside>
  );
}

/** The row in focus, beside the list. */
export function RowPanel(props: Props) {
  const { row, actions, onOpen } = props;
  return isLone(row) ? (
    <LonePanel {...props} />
  ) : (
    <GroupPanel id={row.correlationId} actions={actions} onOpen={onOpen} />
  );
}
