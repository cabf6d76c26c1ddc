import { Button } from '@mantine/core';
import type { GroupActions } from '#console/actions/group/use-group-actions.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { Age } from '#console/facts/age.tsx';
import { Keeper } from '#console/facts/keeper.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { count } from '#console/words/counts.ts';
import { hitWords, isLone, rowPath } from '#console/words/group-words.ts';
import { GroupPanel } from './group-panel.tsx';
import classes from './groups.module.css';
import { RowButtons } from './row-buttons.tsx';

interface Props {
  readonly row: GroupRow;
  readonly actions: GroupActions;
  readonly onOpen: () => void;
}

/** An event in no group, beside the list. */
function LonePanel({ row, actions, onOpen }: Props) {
  const { title, severity, rootCause: event, timeSpan } = row;
  const place = row.cis.names[0] ?? row.hosts.names[0];
  const hit = hitWords(row);
  return (
    <aside className={classes.panel} aria-label="The event in focus">
      {severity === null ? null : <SeverityMark severity={severity} />}
      <h2 className={classes.panelTitle}>
        <bdi>{title}</bdi>
      </h2>
      <p className={classes.panelText}>
        {[...(place === undefined ? [] : [place]), 'in no group', ...(hit === '' ? [] : [hit])].join(' · ')}
        <br />
        <Age since={timeSpan.start} before="since " />
        {event == null ? null : `, ${count(event.occurrenceCount, 'occurrence')}`}
      </p>
      {event?.description === undefined ? null : <p className={classes.panelText}>{event.description}</p>}
      <div className={classes.panelActions}>
        <Button component={PageLink} to={rowPath(row)} variant="default" onClick={onOpen}>
          Open
        </Button>
        <RowButtons row={row} actions={actions} />
      </div>
      <Keeper group={row} />
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
