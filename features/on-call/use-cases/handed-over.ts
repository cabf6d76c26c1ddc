import { shiftAt } from '#features/on-call/rules/on-call.ts';
import type { ReportParts } from '#features/reports/use-cases/report-parts.ts';
import { listOnCall } from './policies.ts';

/** Teams with a calendar, for the report of a shift. */
const onCall: ReportParts['onCall'] = async ({ asking }) => {
  const now = asking.receivedAt;
  const teams = await listOnCall(asking);
  return teams.flatMap(({ team, rota }) => {
    if (rota === null) return [];
    const current = shiftAt(rota.shifts, now);
    const next = rota.shifts.find(({ from }) => from > now);
    return {
      team: team.name,
      now: current && { name: current.name, until: current.to },
      next: next === undefined ? null : { name: next.name, from: next.from },
    };
  });
};

export const reported: ReportParts = { onCall };
