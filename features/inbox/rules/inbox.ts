import type { AuditRecord } from '#domain/access/records.ts';
import type { Actor, Severity } from '#domain/event/event.ts';

export const INBOX_KINDS = ['created', 'assigned', 'mentioned', 'worse', 'silence', 'source'] as const;
type InboxKind = (typeof INBOX_KINDS)[number];

/** Something that a user is notified of. */
export interface InboxItem {
  /** The same at every read. */
  readonly id: string;
  readonly kind: InboxKind;
  /** ms. */
  readonly at: number;
  /** Null: no user caused it. */
  readonly by: Actor | null;
  readonly subject: { readonly kind: 'group' | 'event' | 'silence'; readonly id: string };
  readonly title: string;
  readonly severity: Severity | null;
  readonly services: readonly string[];
  /** Its problem is resolved. */
  readonly isOver: boolean;
}

export const CHANNELS = ['email', 'browser'] as const;
export const DELIVERY_RESULTS = ['sent', 'failed', 'skipped'] as const;

/** A notification of an item outside the inbox. */
export interface InboxDelivery {
  readonly channel: (typeof CHANNELS)[number];
  /** ms. */
  readonly at: number;
  readonly result: (typeof DELIVERY_RESULTS)[number];
  /** Null: it was sent. */
  readonly reason: string | null;
}
/** The latest deliveries of a user, by item. */
export interface InboxDeliveries {
  readonly deliveries: readonly (InboxDelivery & { readonly item: string })[];
}
const MAX_DELIVERIES = 200;

export const withDeliveries = (
  { deliveries }: InboxDeliveries,
  items: readonly string[],
  delivery: InboxDelivery,
): InboxDeliveries => ({
  deliveries: [...items.map((item) => ({ item, ...delivery })), ...deliveries].slice(0, MAX_DELIVERIES),
});

/** Choice of a user; empty lists include everything, unless noted. */
export interface InboxRules {
  /** Severities of new groups, and of new events in none; empty: no such items. */
  readonly created: readonly Severity[];
  readonly severities: readonly Severity[];
  /** Names of services. */
  readonly services: readonly string[];
  /** Browser notifications. */
  readonly notify: boolean;
  /** Address for new items; null: no mail. */
  readonly mail: string | null;
  /** `HH:MM` in the time zone of the user; null: at any time. */
  readonly hours: { readonly from: string; readonly to: string } | null;
}
export const NO_RULES: InboxRules = {
  created: [],
  severities: [],
  services: [],
  notify: false,
  mail: null,
  hours: null,
};

const RULED: readonly InboxKind[] = ['created', 'assigned', 'worse'];

/** True if the rules include an item; they choose among problems only. */
export const isIncluded = ({ severities, services }: InboxRules, item: InboxItem): boolean => {
  if (!RULED.includes(item.kind)) return true;
  const isLimited = item.kind !== 'created' && severities.length > 0 && item.severity !== null;
  if (isLimited && !severities.includes(item.severity)) return false;
  const wanted = new Set(services.map((name) => name.toLowerCase()));
  return wanted.size === 0 || item.services.some((name) => wanted.has(name.toLowerCase()));
};

/** Items that a user has read. */
export interface InboxRead {
  /** All until then, ms. */
  readonly until: number;
  /** Later ones. */
  readonly ids: readonly string[];
}
export const NOTHING_READ: InboxRead = { until: 0, ids: [] };
const MAX_IDS = 200;

export const isRead = ({ until, ids }: InboxRead, { id, at }: Pick<InboxItem, 'id' | 'at'>): boolean =>
  at <= until || ids.includes(id);

export const withRead = ({ until, ids }: InboxRead, more: readonly string[]): InboxRead => ({
  until,
  ids: [...new Set([...more, ...ids])].slice(0, MAX_IDS),
});

const MENTION = /@([\p{L}\p{N}][\p{L}\p{N}._-]{0,99})/gu;

/** Returns the names behind `@`, in lower case, without a period at their end. */
export const mentionsIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(MENTION)].map(([, name = '']) => name.toLowerCase().replace(/[.-]$/, '')));

interface Recipient {
  readonly user: Pick<Actor, 'id' | 'username'>;
  /** Ids of the user and of their teams. */
  readonly ids: readonly string[];
}

/** An action of another user about a recipient. */
export interface InboxAction {
  readonly kind: 'assigned' | 'mentioned';
  readonly at: number;
  readonly by: Actor;
  /** Id of a group, or of an event as it is shown. */
  readonly subject: string;
}

interface Audited {
  readonly assignedTo?: { readonly id: string };
  readonly assignedTeam?: { readonly id: string };
  readonly ids?: readonly string[];
  readonly text?: string;
  readonly notes?: string;
}
const assigneesOf = (state: unknown): string[] => {
  const { assignedTo, assignedTeam } = (state ?? {}) as Audited;
  return [assignedTo?.id, assignedTeam?.id].filter((id) => id !== undefined);
};

/** Actions of the audit log about the recipient, newest first, as they are given. The last assignment of a subject counts. */
export const actionsFor = ({ user, ids }: Recipient, records: readonly AuditRecord[]): readonly InboxAction[] => {
  const assigned = new Set<string>();
  return records.flatMap(({ at, actor, target, before, after, action }): InboxAction[] => {
    const { ids: subjects = [target.id], text, notes } = (after ?? {}) as Audited;
    const [was, is] = [assigneesOf(before), assigneesOf(after)];
    const isAssignment = action === 'group.assigned' || was.join() !== is.join();
    const fresh = isAssignment ? subjects.filter((id) => !assigned.has(id)) : [];
    for (const id of fresh) assigned.add(id);
    if (actor.id === user.id) return [];
    const isToRecipient = is.some((id) => ids.includes(id) && !was.includes(id));
    const isMentioned = mentionsIn(text ?? notes ?? '').has(user.username.toLowerCase());
    return [
      ...(isToRecipient ? fresh.map((subject) => ({ kind: 'assigned' as const, at, by: actor, subject })) : []),
      ...(isMentioned ? subjects.map((subject) => ({ kind: 'mentioned' as const, at, by: actor, subject })) : []),
    ];
  });
};
