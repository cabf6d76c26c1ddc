import type { FileColumn } from '#console/data/csv/csv.ts';
import { number, plain } from '#console/text/counts.ts';
import { rowPath } from '#console/text/group-text.ts';
import type { InboxData, InboxEntry, OwnAction } from './api.ts';
import * as text from './texts.ts';

/** Reason of an entry. */
export const reasonWords = ({ kind, by }: Pick<InboxEntry, 'kind' | 'by'>): string => {
  if (kind === 'assigned') return text.assignedBy(by?.name ?? '');
  if (kind === 'mentioned') return text.mentionedBy(by?.name ?? '');
  return { created: text.created, worse: text.worse, silence: text.silenceEnds, source: text.sourceSilent }[kind];
};

/** `Acknowledged db-1: Disk full`, `Resolved db-1: Disk full and 2 more`. */
export const actionWords = ({ action, title, more }: Pick<OwnAction, 'action' | 'title' | 'more'>): string => {
  const [, verb = action] = action.split('.');
  return `${plain(verb === 'noted' ? text.commentedOn : verb)} ${title}${more === 0 ? '' : text.andMore(number(more))}`;
};

export const titleWords = ({ kind, title }: Pick<InboxEntry, 'kind' | 'title'>): string =>
  kind === 'source' ? text.noDataFrom(title) : title;

const RESULT_WORDS = { sent: text.sent, failed: text.failed, skipped: text.notSent } as const;
/** `Email: not sent, outside your hours`. */
export const deliveryWords = ({ channel, result, reason }: Omit<InboxEntry['deliveries'][number], 'at'>): string =>
  `${text.CHANNEL_WORDS[channel]}: ${[RESULT_WORDS[result], reason].filter((word) => word !== null).join(', ')}`;

export const INBOX_COLUMNS: readonly FileColumn<InboxEntry>[] = [
  { title: 'Time', cell: ({ at }) => at },
  { title: 'Severity', cell: ({ severity }) => severity },
  { title: 'Title', cell: titleWords },
  { title: 'Reason', cell: reasonWords },
  { title: 'Deliveries', cell: ({ deliveries }) => deliveries.map(deliveryWords).join('; ') },
  { title: 'Read', cell: ({ read }) => (read ? 'yes' : 'no') },
];

export const ACTIVITY_COLUMNS: readonly FileColumn<OwnAction>[] = [
  { title: 'Time', cell: ({ at }) => at },
  { title: 'Action', cell: actionWords },
  { title: 'Text', cell: ({ text: words }) => words },
];

/** Address below `ui/`. */
export const entryPath = ({ subject: { kind, id } }: Pick<InboxEntry, 'subject'>): string =>
  kind === 'silence' ? '/silences' : rowPath({ kind, correlationId: id });

/** The inbox after these entries were read; all without ids. */
export const withRead = ({ items }: InboxData, ids?: readonly string[]): InboxData => {
  const after = items.map((item) => (ids === undefined || ids.includes(item.id) ? { ...item, read: true } : item));
  return { items: after, unread: after.filter(({ read }) => !read).length };
};

const PREFIX = /^\(\d{1,4}\) /;
/** `(3) Groups`; the number of unread entries before the title of the page. */
export const titleWith = (unread: number, title: string): string => {
  const plain = title.replace(PREFIX, '');
  return unread === 0 ? plain : `(${unread}) ${plain}`;
};
