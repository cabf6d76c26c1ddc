import type { OnCallData } from './api.ts';

type TeamShift = Pick<OnCallData, 'team'> & { readonly now: NonNullable<OnCallData['now']> };

/** Teams with a person on call: of `assigned` alone if it has one, else all. */
export const shiftsOf = (teams: readonly OnCallData[], assigned?: string): readonly TeamShift[] => {
  const shifts = teams.flatMap(({ team, now }) => (now === null ? [] : [{ team, now }]));
  const own = shifts.filter(({ team }) => team.id === assigned);
  return own.length === 0 ? shifts : own;
};
