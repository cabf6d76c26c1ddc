import type { Arrival } from './records.ts';

/**
 * Returns the problem by which reports of CIs are compared: the kind of a symptom that spreads, else the title pattern
 * without names. Null: news other than a change does not describe a fault.
 */
export const saidBy = ({ severity, complaint, spreads, problem, template, signature }: Arrival): string | null => {
  if (severity === 'info' && complaint.known !== 'change') return null;
  return spreads ? complaint.kind : (problem ?? template ?? signature);
};
