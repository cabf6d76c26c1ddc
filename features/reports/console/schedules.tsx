import { useAttempt } from '#console/actions/use-attempt.ts';
import { Timestamp } from '#console/components/timestamp.tsx';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import { RowButton } from '#console/data/row-button.tsx';
import { Section } from '#console/frame/section.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { deleteSchedule, type ScheduleData } from './api.ts';
import classes from './reports.module.css';
import { SCHEDULE_COLUMNS, whenWords } from './schedule-text.ts';
import * as text from './texts.ts';

export const SCHEDULES = ['reports', 'schedules'] as const;

interface Props {
  readonly schedules: readonly ScheduleData[];
  readonly mayWrite: boolean;
  readonly edit: (schedule: ScheduleData) => void;
}

/** Reports that are generated periodically; none: no section. */
export function Schedules({ schedules, mayWrite, edit }: Props) {
  const { call } = useAppServices();
  const attempt = useAttempt(SCHEDULES);
  if (schedules.length === 0) return null;
  const remove = ({ schedule_id, name }: ScheduleData): Promise<void> =>
    attempt(() => deleteSchedule(call, schedule_id), {
      done: text.deleted(name),
      failed: text.couldntDeleteSchedule,
    });
  return (
    <Section
      flush
      title={text.schedules}
      end={<ExportRows name="schedules" columns={SCHEDULE_COLUMNS} rows={schedules} />}
    >
      <ul className={classes.list}>
        {schedules.map((schedule) => (
          <li key={schedule.schedule_id} className={classes.report}>
            <div className={classes.reportText}>
              <strong>{schedule.name}</strong> <span className={classes.dim}>{schedule.format.toUpperCase()}</span>
              <br />
              <span className={classes.small}>
                {whenWords(schedule)}, {schedule.created_by.name} · {text.next}
                <Timestamp at={schedule.next_at} />
              </span>
              {schedule.last_error === null ? null : (
                <p className={`${classes.small} ${classes.bad}`}>{text.failed(schedule.last_error)}</p>
              )}
            </div>
            {mayWrite ? (
              <>
                <RowButton words={text.edit} of={schedule.name} onClick={() => edit(schedule)} />
                <RowButton words={text.remove} of={schedule.name} onClick={() => remove(schedule)} />
              </>
            ) : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}
