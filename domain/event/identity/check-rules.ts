/** Severities of a tenant's own for checks: one problem as one source reports it, regardless of its host. */
import type { EventDraft } from '../draft.ts';
import type { Severity } from '../event.ts';
import { titlePattern, withoutHost } from './signature.ts';
import { canonicalHost } from './system.ts';

export const MAX_CHECK_RULES = 200;
/** Tag of events that are not grouped; senders may set it themselves. */
export const UNGROUPED = 'ungrouped';

export interface CheckRule {
  readonly source: string;
  /** Title in lower case without its host, numbers as `<n>`. */
  readonly problem: string;
  /** Absent: as sent. */
  readonly severity?: Severity;
  readonly grouped?: boolean;
}

/** Returns the problem of a title: without host and readings. */
export const checkProblem = ({ title, hostname = '' }: Pick<EventDraft, 'title' | 'hostname'>): string =>
  titlePattern(withoutHost(title.toLowerCase(), canonicalHost(hostname)));

export const checkRuleOf = (
  rules: readonly CheckRule[],
  { source, ...titled }: Pick<EventDraft, 'source' | 'title' | 'hostname'>,
): CheckRule | undefined => {
  const named = source.trim().toLowerCase();
  const ofSource = rules.filter((rule) => rule.source === named);
  if (ofSource.length === 0) return undefined;
  const problem = checkProblem(titled);
  return ofSource.find((rule) => rule.problem === problem);
};

/** The draft as the tenant wants it; the same one without a rule. */
export const ruledDraft = (draft: EventDraft, rules: readonly CheckRule[]): EventDraft => {
  const rule = rules.length === 0 ? undefined : checkRuleOf(rules, draft);
  if (rule === undefined) return draft;
  const { severity = draft.severity, grouped = true } = rule;
  return { ...draft, severity, ...(!grouped && { tags: [...new Set([...(draft.tags ?? []), UNGROUPED])] }) };
};
