import { SEVERITIES } from '#domain/event/event.ts';
import { clockTime, counted, enumeration } from '#features/ai/rules/findings.ts';
import { rowRef } from '../evidence.ts';
import type { CiDetailsRow, NamedRow, NearRow, ToolFound } from '../tools.ts';
import type { Telling } from './telling.ts';

const NAMED = 5;
const FIELDS = 4;

const namesOf = (rows: readonly NamedRow[], most = NAMED): string => {
  const names = rows.slice(0, most).map(({ name }) => name);
  return enumeration(names, most);
};
/** `3 CIs: a, b and c`; of more than are named `among them`. */
export const listed = (total: number, rows: readonly NamedRow[]): string =>
  total > Math.min(rows.length, NAMED) ? `among them ${namesOf(rows)}` : namesOf(rows);

const statusOf = (row: CiDetailsRow): string[] => {
  const { name, type, status, openEvents, openBySeverity } = row;
  const counts = SEVERITIES.map((severity) => ({ severity, open: openBySeverity?.[severity] ?? 0 }));
  const by = counts.flatMap(({ severity, open }) => (open > 0 ? [`${open} ${severity}`] : [])).join(', ');
  const open =
    openEvents === null
      ? []
      : [openEvents === 0 ? `${name} has no open event.` : `${name} has ${counted(openEvents, 'open event')}: ${by}.`];
  return [`${name} is a CI of type ${type} with status ${status}.`, ...open];
};

const impactOf = ({ name, impact: { total, nearest, truncated }, services }: CiDetailsRow): string[] => {
  const more = truncated ? 'at least ' : '';
  const cis =
    total === 0
      ? `Nothing that is known fails with ${name}.`
      : `${more}${counted(total, 'CI fails', 'CIs fail')} with ${name}: ${listed(total, nearest)}.`;
  const hit = services
    .slice(0, NAMED)
    .map(
      (service) =>
        `${service.impact === 'full_outage' ? 'The service' : 'With less redundancy the service'} "${service.name}" (${service.criticality}) is hit.`,
    );
  return [cis.charAt(0).toUpperCase() + cis.slice(1), ...hit];
};

const isTroubled = ({ openEvents }: NearRow): boolean => (openEvents ?? 0) > 0;
/** Suspects: neighbours above with open events. */
const aboveOf = ({ name, dependsOn }: CiDetailsRow): string[] =>
  dependsOn.nearest
    .filter(isTroubled)
    .slice(0, NAMED)
    .map((one) => `${name} depends on ${one.name}, which has ${counted(one.openEvents ?? 0, 'open event')}.`);

const dependsOf = ({ name, dependsOn, dependents }: CiDetailsRow): string[] => [
  dependsOn.total === 0
    ? `${name} depends on nothing that is known.`
    : `${name} depends on ${counted(dependsOn.total, 'CI')}: ${listed(dependsOn.total, dependsOn.nearest)}.`,
  dependents.total === 0
    ? `Nothing that is known depends on ${name}.`
    : `${counted(dependents.total, 'CI depends', 'CIs depend')} on ${name}: ${listed(dependents.total, dependents.nearest)}.`,
];

const changesOf = ({ name, changes }: CiDetailsRow): string[] =>
  changes.length === 0
    ? [`No change of ${name} in the CMDB is kept.`]
    : changes
        .slice(0, 3)
        .map(
          ({ at, fields }) =>
            `${name} was changed at ${clockTime(Date.parse(at))}: ${fields.slice(0, FIELDS).join(', ')}.`,
        );

/** The question decides the sentences about a CI. */
export function tellDetails({ findings, reading }: Telling, run: ToolFound<'get-ci-details'>): void {
  for (const row of run.rows) {
    const ref = rowRef(findings, run, row);
    const { intent } = reading;
    const said =
      intent === 'impact'
        ? impactOf(row)
        : intent === 'changes'
          ? changesOf(row)
          : intent === 'depends'
            ? dependsOf(row)
            : intent === 'why'
              ? aboveOf(row)
              : [...statusOf(row), ...aboveOf(row)];
    for (const text of said) findings.say(text, [ref], intent === 'why' ? 'possible' : 'fact');
  }
}
