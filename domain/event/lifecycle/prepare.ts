import type { BindingMethod } from '#domain/event/binding.ts';
import { besideSaid, impactOn, type WeighedService } from '#domain/event/business-impact.ts';
import type { EventDraft } from '#domain/event/draft.ts';
import { type CiRef, isSevere } from '#domain/event/event.ts';
import { OPTIONALLY_SAID } from '#domain/event/fields.ts';
import { CHANGE_TAG, isChangeCategory, isChangeTag } from '#domain/event/identity/problem-kind.ts';
import { type DedupScope, type Signatures, type SignEvent, sign } from '#domain/event/identity/signature.ts';
import { CI_HINTS, keptHints, NAMED_CI } from '#domain/event/identity/unbound.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { unitedTags } from './accumulated.ts';
import { AMBIGUOUS_CI, believable } from './change.ts';

/** Settings that travel with each occurrence, as dedup reads none; optional ones only where they differ from the default. */
export interface DedupSettings
  extends Pick<Occurrence, 'dedupWindowMs' | 'maxBehindMs' | 'returnAfterMs' | 'escalation'> {
  readonly dedupScope: DedupScope;
}

export interface Preparation {
  readonly binding: { readonly ci: CiRef | null; readonly method?: BindingMethod | null; readonly ambiguous: boolean };
  readonly settings: DedupSettings;
  /** ULID of the event that this becomes if it is a new one. */
  readonly newId: string;
  /** Null when no monitor declares one. */
  readonly conditionId: string | null;
  /** Plain ingest: the sourceId is the condition. */
  readonly plain?: true | undefined;
  /** Time in ms. */
  readonly receivedAt: number;
  /** Services that the CI is a component of. */
  readonly services?: readonly WeighedService[];
  /** A `makeSigner()` that caches; by default every title is signed again. */
  readonly sign?: SignEvent;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const OPTIONAL: readonly (keyof EventDraft & keyof Occurrence)[] = [
  'description',
  'assignedTo',
  'assignedTeam',
  'businessImpact',
  'status',
  ...OPTIONALLY_SAID,
];

const copyOptional = <K extends keyof EventDraft & keyof Occurrence>(
  to: Pick<Mutable<Occurrence>, K>,
  from: Pick<EventDraft, K>,
  keys: readonly K[],
): void => {
  for (const key of keys) {
    const value = from[key] as Occurrence[K] | undefined;
    if (value !== undefined) to[key] = value;
  }
};

const NO_DETAILS: Readonly<Record<string, unknown>> = {};

/** Adds the names of an unknown CI: it may be created later. */
const withNames = (details: Readonly<Record<string, unknown>>, { ciId, ciHints }: EventDraft, ci: CiRef | null) => {
  if (ci !== null || (ciId === undefined && ciHints === undefined)) return details;
  const hints = keptHints(ciHints ?? []);
  return {
    ...(ciId !== undefined && { [NAMED_CI]: ciId }),
    ...(hints.length > 0 && { [CI_HINTS]: hints }),
    ...details,
  };
};

/**
 * Returns the sender's details without our reserved names; with the time of the sender's clock when it is not
 * plausible.
 */
const detailsOf = (
  draft: EventDraft,
  { ci, timestamp, receivedAt }: { readonly ci: CiRef | null; readonly timestamp: number; readonly receivedAt: number },
): Readonly<Record<string, unknown>> => {
  const details = withNames(draft.details ?? NO_DETAILS, draft, ci);
  const skewed = draft.timestamp !== undefined && draft.timestamp !== timestamp;
  if (!skewed && !('sourceIds' in details)) return details;
  const { sourceIds: _ours, ...kept } = details;
  if (!skewed) return kept;
  const sent = draft.timestamp ?? receivedAt;
  const original = Math.abs(sent) <= MAX_DATE_MS ? new Date(sent).toISOString() : sent;
  return { ...kept, originalTimestamp: original, clockSkewSeconds: Math.round((sent - receivedAt) / 1000) };
};
/** The last moment that a date can hold (ECMAScript, "Time Values"). */
const MAX_DATE_MS = 8.64e15;

const signed = (draft: EventDraft, { binding, settings, newId, sign: signer = sign }: Preparation): Signatures =>
  signer(
    {
      title: draft.title,
      severity: draft.severity,
      hostname: draft.hostname,
      ipAddress: draft.ipAddress,
      // Alarms about a cloud resource name no host: the resource is the system.
      ciId: draft.ciId ?? draft.ciHints?.[0],
      source: draft.source,
      service: draft.service,
      application: draft.application,
      ciType: binding.ci?.type,
    },
    settings.dedupScope,
  ) ?? { identity: `unique-${newId}`, signature: `unique-${newId}` };

/** The CI, with how it was found. */
export const boundTo = ({ ci, method }: Pick<Preparation['binding'], 'ci' | 'method'>): CiRef | null =>
  ci && method ? { ...ci, method } : ci;

const copySettings = (to: Mutable<Occurrence>, { maxBehindMs, returnAfterMs, escalation }: DedupSettings): void => {
  if (maxBehindMs !== undefined) to.maxBehindMs = maxBehindMs;
  if (returnAfterMs !== undefined) to.returnAfterMs = returnAfterMs;
  if (escalation !== undefined) to.escalation = escalation;
};

const NO_TAGS: readonly string[] = [];
const CHANGED = [CHANGE_TAG];

/** Returns our own tags. A title alone makes no change of a severe event, or of one that a monitor will end. */
const ownTags = (change: boolean, { binding, conditionId }: Preparation, { severity }: EventDraft): readonly string[] =>
  unitedTags(
    binding.ambiguous ? [AMBIGUOUS_CI] : NO_TAGS,
    change && conditionId === null && !isSevere(severity) ? CHANGED : NO_TAGS,
  );

/** Prepares a draft for deduplication: bound to its CI, signed, with a plausible time. */
export const prepare = (draft: EventDraft, preparation: Preparation): Occurrence => {
  const { binding, settings, newId, conditionId, receivedAt, services = [] } = preparation;
  const timestamp = believable(draft.timestamp ?? receivedAt, receivedAt);
  const { identity, signature, change = false } = signed(draft, preparation);
  const tags = unitedTags(ownTags(change, preparation, draft), draft.tags ?? NO_TAGS);
  const occurrence: Mutable<Occurrence> = {
    newId,
    source: draft.source,
    sourceId: draft.sourceId,
    severity: draft.severity,
    title: draft.title,
    timestamp,
    ci: boundTo(binding),
    identity,
    signature,
    conditionId,
    dedupWindowMs: settings.dedupWindowMs,
    tags,
    details: detailsOf(draft, { ci: binding.ci, timestamp, receivedAt }),
  };
  if (draft.ongoing) occurrence.ongoing = true;
  if (timestamp !== draft.timestamp) occurrence.untimed = true;
  if (preparation.plain) occurrence.plain = true;
  if (isChangeCategory(draft.category) || tags.some(isChangeTag)) occurrence.moment = true;
  copySettings(occurrence, settings);
  copyOptional(occurrence, draft, OPTIONAL);
  const impact = services.length > 0 && besideSaid(draft.businessImpact, impactOn(draft.severity, services));
  if (impact) occurrence.businessImpact = impact;
  return occurrence;
};
