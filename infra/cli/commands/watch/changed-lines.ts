import { forTerminal } from '#domain/texts/unseen.ts';
import { matcherText, type SilenceView } from '#features/silences/cli/silence-texts.ts';
import type { GroupReply } from '#infra/cli/client/replies.ts';
import { causeOf } from '#infra/cli/commands/group/list.ts';
import { moment } from '#infra/cli/terminal/screen.ts';

type Groups = ReadonlyMap<string, GroupReply>;
type Silences = ReadonlyMap<string, SilenceView>;
type Change = 'new' | 'changed' | 'gone';

/** The number of rows shown at a time. */
export interface SeenLines {
  readonly groups: Groups;
  /** Those that hold. */
  readonly silences: Silences;
  /** All groups of the kind are there. */
  readonly isWhole: boolean;
}

/** How one of them is told. */
interface Telling<T> {
  readonly text: (change: Change, one: T) => string;
  readonly facts: (one: T) => object;
}

const groups: Telling<GroupReply> = {
  text: (change, { correlationId, severity, counts, eventCount, ...group }) =>
    `${change.padEnd(7)} ${correlationId}  ${severity ?? '–'}  ${counts.open} open of ${eventCount}  ${causeOf(group)}`,
  facts: ({ correlationId, severity, counts, eventCount, rootCause, assignedTo, assignedTeam, verdict }) => ({
    correlationId,
    severity,
    counts,
    eventCount,
    title: rootCause?.title ?? null,
    assignedTo: assignedTo?.username ?? null,
    assignedTeam: assignedTeam?.name ?? null,
    verdict: verdict?.cause ?? null,
  }),
};

const silences: Telling<SilenceView> = {
  text: (change, one) =>
    `${change.padEnd(7)} ${one.id}  silences ${matcherText(one)} until ${moment(one.endsAt)} UTC: ${one.reason} (${one.createdBy.username})`,
  facts: ({ id, matcher, endsAt, reason, createdBy }) => ({
    silence: id,
    matcher,
    endsAt,
    reason,
    createdBy: createdBy.username,
  }),
};

const linesOf = <T>(
  { text, facts }: Telling<T>,
  [before, after]: readonly [ReadonlyMap<string, T>, ReadonlyMap<string, T>],
  { json, isWhole }: { readonly json: boolean; readonly isWhole: boolean },
): string[] => {
  const line = (change: Change, one: T): string =>
    json ? JSON.stringify({ change, ...facts(one) }) : forTerminal(text(change, one));
  const lines: string[] = [];
  for (const [id, one] of after) {
    const known = before.get(id);
    if (known === undefined) lines.push(line('new', one));
    else if (JSON.stringify(facts(known)) !== JSON.stringify(facts(one))) lines.push(line('changed', one));
  }
  if (isWhole) for (const [id, one] of before) if (!after.has(id)) lines.push(line('gone', one));
  return lines;
};

/** A line for each group and silence that is new, changed or gone. A group that left a list that is not whole may be active still. */
export const changedLines = (before: SeenLines, after: SeenLines, json: boolean): string[] => [
  ...linesOf(groups, [before.groups, after.groups], { json, isWhole: after.isWhole }),
  ...linesOf(silences, [before.silences, after.silences], { json, isWhole: true }),
];
