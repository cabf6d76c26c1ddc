import type { InboxItem } from './inbox.ts';

const MAX_SUBJECT = 150;

const reasonOf = ({ kind, by }: InboxItem): string => {
  if (kind === 'assigned') return `Assigned to you or your team by ${by?.name ?? 'a user'}`;
  if (kind === 'created') return 'New, by your notification rules';
  if (kind === 'mentioned') return `${by?.name ?? 'A user'} mentioned you`;
  if (kind === 'worse') return 'More severe since the acknowledgment';
  return kind === 'silence' ? 'Your silence ends soon' : 'Source stopped sending';
};

const titleOf = ({ title, severity }: InboxItem): string =>
  severity === null ? title : `${severity.toUpperCase()}: ${title}`;

const pathOf = ({ subject: { kind, id } }: InboxItem): string =>
  kind === 'silence' ? 'silences' : kind === 'group' ? `groups/${id}` : `events?event=${id}`;

/** A mail about new items, the newest first. `publicUrl`: empty without links. */
export const letterOf = (
  items: readonly InboxItem[],
  publicUrl: string,
): { readonly subject: string; readonly text: string } => {
  const [first] = items;
  const more = items.length > 1 ? ` (and ${items.length - 1} more)` : '';
  const subject = `[Faultline] ${first === undefined ? '' : titleOf(first)}`.slice(0, MAX_SUBJECT) + more;
  const lines = items.map((item) =>
    [titleOf(item), reasonOf(item), ...(publicUrl === '' ? [] : [`${publicUrl}/ui/${pathOf(item)}`])].join('\n'),
  );
  const foot = 'You receive this because of your notification rules. Change them in your inbox.';
  return { subject, text: [...lines, foot].join('\n\n') };
};
