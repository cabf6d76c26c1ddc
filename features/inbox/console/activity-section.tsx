import { useAttempt } from '#console/actions/use-attempt.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import { RowButton } from '#console/data/row-button.tsx';
import rows from '#console/data/rows.module.css';
import { Section } from '#console/frame/section.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { inSentence } from '#console/text/counts.ts';
import * as shared from '#console/text/texts.ts';
import { ACTIVITY, type OwnAction, readActivity, undoAction } from './api.ts';
import classes from './inbox.module.css';
import { ACTIVITY_COLUMNS, actionWords, entryPath } from './inbox-text.ts';
import * as text from './texts.ts';

/** Minimum interval; in a storm six times as long. */
const READ_MS = 2_000;

function Action({ action, undo }: { readonly action: OwnAction; readonly undo: (() => void) | undefined }) {
  const words = actionWords(action);
  return (
    <li className={rows.row}>
      <span className={rows.rowMain}>
        <PageLink to={entryPath(action)} className={classes.title}>
          <bdi>{words}</bdi>
        </PageLink>
        {action.text === null ? null : <span className={rows.rowNote}>{action.text}</span>}
      </span>
      <Timestamp at={action.at} isDated />
      {undo === undefined ? null : <RowButton words={text.undo} of={words} onClick={undo} />}
    </li>
  );
}

/** Own actions, each with its undo while there is one. */
export function ActivitySection() {
  const { call } = useAppServices();
  const activity = useRead(ACTIVITY, readActivity);
  const attempt = useAttempt(ACTIVITY);
  useLive(['groups', 'events', 'silences'], () => activity.refetch({ cancelRefetch: false }), undefined, READ_MS);
  const undoOf = ({ undo }: OwnAction): (() => void) | undefined =>
    undo === null
      ? undefined
      : () => void attempt(() => undoAction(call, undo), { done: shared.undone, failed: shared.couldntUndo });
  return (
    <Section
      title={text.myActivity}
      lead={text.activityLead}
      flush
      end={<ExportRows name="activity" columns={ACTIVITY_COLUMNS} rows={activity.data} />}
    >
      <Region query={activity} what={inSentence(text.myActivity)} skeleton={<Skeleton rows={4} height={40} />}>
        {(actions) => (
          <ul className={rows.rows} aria-label={text.myActivity}>
            {actions.length === 0 ? <li className={rows.note}>{text.noActivity}</li> : null}
            {actions.map((action) => (
              <Action key={action.id} action={action} undo={undoOf(action)} />
            ))}
          </ul>
        )}
      </Region>
    </Section>
  );
}
