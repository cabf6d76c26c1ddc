import type { EventDraft, MonitorAction } from '#domain/event/draft.ts';
import { isPlaceholder } from '#domain/event/placeholder.ts';
import { composed } from '#domain/text.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Fields that name something: where a sender writes a placeholder there, it names nothing. */
const NAMES = ['hostname', 'ipAddress', 'service', 'application', 'environment', 'ciId', 'category'] as const;
const TEXTS = ['title', 'description', 'source', 'sourceId', ...NAMES] as const;

const isSaid = (name: string): boolean => !isPlaceholder(name);

/** The same array when all texts stay as they are. */
const composedAll = (texts: readonly string[]): readonly string[] =>
  texts.every((text) => composed(text) === text) ? texts : texts.map(composed);

/** The draft in one form of Unicode and without names that are none; the same one when nothing changes. */
export const enteredDraft = (draft: EventDraft): EventDraft => {
  const gone = NAMES.filter((name) => draft[name] !== undefined && !isSaid(draft[name]));
  const changed: Partial<Mutable<EventDraft>> = {};
  for (const field of TEXTS) {
    const text = draft[field];
    if (text !== undefined && composed(text) !== text) changed[field] = composed(text);
  }
  const { tags, ciHints } = draft;
  if (tags !== undefined && composedAll(tags) !== tags) changed.tags = composedAll(tags);
  if (ciHints?.every((hint) => isSaid(hint) && composed(hint) === hint) === false)
    changed.ciHints = ciHints.filter(isSaid).map(composed);
  if (gone.length === 0 && Object.keys(changed).length === 0) return draft;
  const entered: Mutable<EventDraft> = { ...draft, ...changed };
  for (const name of gone) delete entered[name];
  return entered;
};

type EventAction = Exclude<MonitorAction, { action: 'confirm' | 'ignore' }>;

/** An action as everything behind it sees it: texts that look the same are the same. */
export const entered = (action: EventAction): EventAction => {
  const conditionId = action.conditionId === null ? null : composed(action.conditionId);
  const isSame = conditionId === action.conditionId;
  if (action.action === 'open' || action.action === 'update') {
    const draft = enteredDraft(action.draft);
    return isSame && draft === action.draft ? action : { ...action, draft, conditionId };
  }
  const [source, sourceId] = [composed(action.source), composed(action.sourceId)];
  const draft = action.draft && enteredDraft(action.draft);
  if (isSame && source === action.source && sourceId === action.sourceId && draft === action.draft) return action;
  return { ...action, source, sourceId, conditionId, ...(draft && { draft }) };
};
