import { forTerminal } from '#domain/texts/unseen.ts';
import type { GroupReply } from '#infra/cli/client/replies.ts';
import type { WatchedLine } from '#infra/cli/commands/feature.ts';
import { causeOf } from '#infra/cli/commands/group/list.ts';

type Change = 'new' | 'changed' | 'gone';

/** Things of one kind, by id. */
export interface SeenLines {
  readonly lines: ReadonlyMap<string, WatchedLine>;
  /** All of the kind are there. */
  readonly isWhole: boolean;
}

export const groupLine = ({ correlationId, severity, counts, eventCount, ...group }: GroupReply): WatchedLine => {
  const { rootCause, assignedTo, assignedTeam, verdict } = group;
  return {
    text: `${correlationId}  ${severity ?? '–'}  ${counts.open} open of ${eventCount}  ${causeOf(group)}`,
    facts: {
      correlationId,
      severity,
      counts,
      eventCount,
      title: rootCause?.title ?? null,
      assignedTo: assignedTo?.username ?? null,
      assignedTeam: assignedTeam?.name ?? null,
      verdict: verdict?.cause ?? null,
    },
  };
};

const changesOf = (before: SeenLines | undefined, { lines: after, isWhole }: SeenLines, json: boolean): string[] => {
  const line = (change: Change, { text, facts }: WatchedLine): string =>
    json ? JSON.stringify({ change, ...facts }) : forTerminal(`${change.padEnd(7)} ${text}`);
  const changes: string[] = [];
  for (const [id, one] of after) {
    const known = before?.lines.get(id);
    if (known === undefined) changes.push(line('new', one));
    else if (JSON.stringify(known.facts) !== JSON.stringify(one.facts)) changes.push(line('changed', one));
  }
  if (isWhole) for (const [id, one] of before?.lines ?? []) if (!after.has(id)) changes.push(line('gone', one));
  return changes;
};

/** A line for each thing that is new, changed or gone, kind by kind. What left a list that is not whole may be active still. */
export const changedLines = (before: readonly SeenLines[], after: readonly SeenLines[], json: boolean): string[] =>
  after.flatMap((seen, kind) => changesOf(before[kind], seen, json));
