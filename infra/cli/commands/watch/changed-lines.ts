import type { GroupReply } from '#infra/cli/client/replies.ts';
import { titleOf } from '#infra/cli/commands/event-texts.ts';

type Groups = ReadonlyMap<string, GroupReply>;
type Change = 'new' | 'changed' | 'gone';

const textOf = (change: Change, { correlationId, severity, counts, eventCount, rootCause }: GroupReply): string => {
  const cause = rootCause === null ? 'no root cause' : titleOf(rootCause, 80);
  return `${change.padEnd(7)} ${correlationId}  ${severity ?? '–'}  ${counts.open} open of ${eventCount}  ${cause}`;
};

const jsonOf = (change: Change, { correlationId, severity, counts, eventCount, rootCause }: GroupReply): string =>
  JSON.stringify({ change, correlationId, severity, counts, eventCount, title: rootCause?.title ?? null });

const isSame = (a: GroupReply, b: GroupReply): boolean => jsonOf('changed', a) === jsonOf('changed', b);

/** A line for each group that is new, changed or gone. A group that left a list that is not whole may be active still. */
export const changedLines = (
  before: Groups,
  after: Groups,
  { json, isWhole }: { readonly json: boolean; readonly isWhole: boolean },
): string[] => {
  const line = json ? jsonOf : textOf;
  const lines: string[] = [];
  for (const [id, group] of after) {
    const known = before.get(id);
    if (known === undefined) lines.push(line('new', group));
    else if (!isSame(known, group)) lines.push(line('changed', group));
  }
  if (isWhole) for (const [id, group] of before) if (!after.has(id)) lines.push(line('gone', group));
  return lines;
};
