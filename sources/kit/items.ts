/**
 * Conversion of an adapter's result to actions: limits, plain text, clock skew and ids are handled here for all
 * sources.
 */
import type { EventDraft, MonitorAction } from '#domain/event/draft.ts';
import { isAhead } from '#domain/event/lifecycle/change.ts';
import { isPlaceholder } from '#domain/event/placeholder.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { fnv64 } from '#domain/texts/fnv.ts';
import type { HostAddress } from './hosts.ts';
import { plainText } from './html.ts';
import type { Belonging } from './labels.ts';
import { type Cutter, clip, cutter, MAX_DESCRIPTION, MAX_HINTS, MAX_TEXT, MAX_TITLE } from './limits.ts';
import type { Rated } from './severity.ts';
import type { Item } from './source.ts';
import { MAX_NAME } from './text.ts';

const MAX_ID = 512;

/** Condition and its monitor. */
export interface About {
  /** Canonical name. */
  readonly source: string;
  readonly sourceId: string;
  /** Names the condition on fire and recovery alike; absent: the sourceId. Null: the sender has no such id. */
  readonly condition?: string | null;
  readonly deliveryId?: string;
}

/** One problem as an adapter reads it. */
export interface AlertReading extends About {
  readonly rated: Rated;
  readonly title: string | undefined;
  readonly description?: string | undefined;
  /** Epoch ms of the sender, even if wrong. */
  readonly time: number | undefined;
  /** Every message of it has the time at which it began. */
  readonly ongoing?: true;
  readonly place?: HostAddress;
  readonly belonging?: { readonly [K in keyof Belonging]?: string | undefined };
  readonly category?: string | undefined;
  readonly ciHints?: readonly (string | undefined)[];
  readonly tags?: readonly string[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly status?: EventDraft['status'];
  /** The item as received. */
  readonly raw: unknown;
}

/** Truncated ids stay distinct. */
const boundedId = (id: string): string =>
  id.length <= MAX_ID ? id.toWellFormed() : `${clip(id, MAX_ID - 17).toWellFormed()}~${fnv64([id])}`;

function idsOf(about: About) {
  const condition = about.condition === undefined ? about.sourceId : about.condition;
  return {
    sourceId: boundedId(about.sourceId),
    conditionId: condition === null ? null : `${about.source}:${boundedId(condition)}`,
    ...(about.deliveryId !== undefined && { deliveryId: `${about.source}:${boundedId(about.deliveryId)}` }),
  };
}

/** Returns the sender's time, or by how many seconds one of both clocks is wrong: then the time is ignored. */
function settledTime(time: number | undefined, receivedAt: number): { at?: number; skewSeconds?: number } {
  if (time === undefined) return {};
  return isAhead(time, receivedAt) ? { skewSeconds: Math.round((time - receivedAt) / 1000) } : { at: time };
}

const oneLine = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim();

function titleOf(complaint: AlertReading, cut: Cutter): string {
  const sent = oneLine(clip(complaint.title ?? '', MAX_NAME));
  return cut.text('title', sent || `Alert from ${complaint.source}`, MAX_TITLE);
}

function descriptionOf(complaint: AlertReading, cut: Cutter): string | undefined {
  const sent = complaint.description;
  if (sent === undefined) return undefined;
  const plain = plainText(clip(sent, 2 * MAX_DESCRIPTION)).trim();
  return plain === '' ? undefined : cut.text('description', plain, MAX_DESCRIPTION);
}

const SHORT = ['hostname', 'ipAddress', 'service', 'application', 'environment', 'category'] as const;

function shortTexts(complaint: AlertReading, cut: Cutter): Partial<Record<(typeof SHORT)[number], string>> {
  const said = { ...complaint.place, ...complaint.belonging, category: complaint.category };
  const kept: Partial<Record<(typeof SHORT)[number], string>> = {};
  for (const name of SHORT) {
    const text = said[name]?.trim();
    if (text && !isPlaceholder(text)) kept[name] = cut.text(name, text, MAX_TEXT);
  }
  return kept;
}

function hintsOf(complaint: AlertReading): string[] {
  const kept = new Set<string>();
  for (const hint of complaint.ciHints ?? [])
    if (
      hint &&
      !isPlaceholder(hint) &&
      hint !== complaint.place?.hostname &&
      hint.length <= MAX_TEXT &&
      kept.size < MAX_HINTS
    )
      kept.add(hint.toWellFormed());
  return [...kept];
}

function detailsOf(complaint: AlertReading, skewSeconds: number | undefined, cut: Cutter): Record<string, unknown> {
  const details = cut.details({
    ...complaint.details,
    sourceSeverity: complaint.rated.word,
    clockSkewSeconds: skewSeconds,
  });
  const raw = cut.raw(complaint.raw);
  if (raw !== undefined) details.raw = raw;
  return details;
}

function draftOf(complaint: AlertReading, sourceId: string, receivedAt: number): EventDraft {
  const cut = cutter();
  const { at, skewSeconds } = settledTime(complaint.time, receivedAt);
  const { rated } = complaint;
  const title = titleOf(complaint, cut);
  const description = descriptionOf(complaint, cut);
  const texts = shortTexts(complaint, cut);
  const tags = cut.tags([...(rated.unknown ? [`severity:${rated.word}`] : []), ...(complaint.tags ?? [])]);
  const details = detailsOf(complaint, skewSeconds, cut);
  if (cut.cut.length > 0) details.truncated = cut.cut;
  const ciHints = hintsOf(complaint);
  return {
    source: complaint.source,
    sourceId,
    severity: rated.severity,
    title,
    ...(description !== undefined && { description }),
    ...texts,
    ...(at !== undefined && { timestamp: at }),
    ...(complaint.time !== undefined && complaint.ongoing && { ongoing: true }),
    ...(ciHints.length > 0 && { ciHints }),
    ...(tags.length > 0 && { tags }),
    ...(complaint.status !== undefined && { status: complaint.status }),
    details,
  };
}

/** A problem exists, or exists again. */
export function open(complaint: AlertReading, receivedAt: number): MonitorAction {
  const { sourceId, ...ids } = idsOf(complaint);
  return { action: 'open', draft: draftOf(complaint, sourceId, receivedAt), ...ids };
}

/** An update of an existing problem, which is no further occurrence of it. */
export const update = (complaint: AlertReading, receivedAt: number): MonitorAction => {
  const { sourceId, ...ids } = idsOf(complaint);
  return { action: 'update', draft: draftOf(complaint, sourceId, receivedAt), ...ids };
};

/** An unknown state of the monitor: it is shown, and neither ends a problem nor makes a second one. */
export const unknownState = (complaint: AlertReading, word: string, receivedAt: number): MonitorAction =>
  update(
    {
      ...complaint,
      tags: [UNKNOWN_STATE, ...(complaint.tags ?? [])],
      details: { ...complaint.details, unknownState: clip(oneLine(clip(word, MAX_TEXT)), 256) },
    },
    receivedAt,
  );
const UNKNOWN_STATE = 'unknown-state';

export type StatusChange = 'resolve' | 'acknowledge' | 'unacknowledge' | 'suppress' | 'unsuppress';

export interface ChangeSaid {
  readonly at?: number | undefined;
  readonly notes?: string | undefined;
  readonly author?: string | undefined;
}

/** A change of a problem's state at its monitor. With the problem itself when the message reports it as present. */
export function change(
  action: StatusChange,
  about: About,
  said: ChangeSaid,
  receivedAt: number,
  complaint?: AlertReading,
): MonitorAction {
  const ids = idsOf(about);
  const { at } = settledTime(said.at, receivedAt);
  const notes = said.notes === undefined ? '' : clip(plainText(clip(said.notes, 2 * MAX_TEXT)).trim(), MAX_TEXT);
  const author = said.author === undefined ? '' : clip(oneLine(clip(said.author, MAX_TEXT)), 256);
  return {
    action,
    source: about.source,
    ...ids,
    ...(at !== undefined && { at }),
    ...(notes !== '' && { notes: notes.toWellFormed() }),
    ...(author !== '' && { author: author.toWellFormed() }),
    ...(complaint !== undefined && { draft: draftOf(complaint, ids.sourceId, receivedAt) }),
  };
}

/** No action is needed; the reply contains the reason. */
export const ignore = (sourceId: string | null, reason: string): MonitorAction => ({
  action: 'ignore',
  sourceId: sourceId === null ? null : boundedId(sourceId),
  reason: clip(reason, 256).toWellFormed(),
});

/** Reads each entry by itself: a Fault spoils only its own item. */
export function readEach(
  entries: readonly unknown[],
  read: (entry: Readonly<Record<string, unknown>>) => MonitorAction | readonly MonitorAction[],
): Item[] {
  const items: Item[] = [];
  for (const entry of entries) {
    try {
      if (!isRecord(entry)) throw invalid('body', 'expected a JSON object');
      const actions = read(entry);
      for (const [index, action] of (Array.isArray(actions) ? actions : [actions]).entries())
        items.push({ ok: true, action, ...(index > 0 && { also: true }) });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      items.push({ ok: false, error: clip(error.message, 1024).toWellFormed(), problems: error.problems });
    }
  }
  return items;
}

/** One item for each entry that was sent. */
export const entriesOf = (items: readonly Item[]): Item[] => items.filter((item) => !item.ok || !item.also);

/**
 * Returns one body or a list of bodies, for senders that post one event at a time. `expected` names the valid format.
 */
export function bodiesOf(body: unknown, expected: string): readonly unknown[] {
  if (isRecord(body)) return [body];
  if (Array.isArray(body) && body.length > 0) return body;
  throw invalid('body', `expected ${expected}`);
}
