import type { GroupDetailData } from '#console/api/groups.ts';
import { Timestamp } from '#console/components/timestamp.tsx';
import rows from '#console/data/rows.module.css';
import { Panel } from '#console/frame/panel.tsx';
import { Section } from '#console/frame/section.tsx';
import { useRead } from '#console/hooks/use-read.ts';
import { listOnCall, ON_CALL, READ_MS } from './api.ts';
import { shiftsOf } from './shifts.ts';
import * as text from './texts.ts';

const useShifts = (assigned?: string) =>
  shiftsOf(useRead(ON_CALL, listOnCall, { refetchInterval: READ_MS }).data ?? [], assigned);

function Shifts({ shifts }: { readonly shifts: ReturnType<typeof useShifts> }) {
  return (
    <ul className={rows.rows} aria-label={text.onCall}>
      {shifts.map(({ team, now }) => (
        <li key={team.id} className={rows.row}>
          <span className={rows.rowMain}>{text.onCallFor(team.name, now.name)}</span>
          <span>
            {text.until} <Timestamp at={now.until} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Persons on call now; none: no section. */
export function OnCallSection() {
  const shifts = useShifts();
  return shifts.length === 0 ? null : (
    <Section title={text.onCall} flush>
      <Shifts shifts={shifts} />
    </Section>
  );
}

/** Persons on call for the team of a group, or for all teams. */
export function OnCallPanel({ group }: { readonly group: GroupDetailData }) {
  const shifts = useShifts(group.assignedTeam?._id);
  return shifts.length === 0 ? null : (
    <Panel title={text.onCall}>
      <Shifts shifts={shifts} />
    </Panel>
  );
}
