export const investigation = 'Investigation';
export const investigate = 'Investigate';
export const investigateAgain = 'Investigate again';
export const cancel = 'Cancel';
export const evidence = (n: number) => `event ${n}`;
export const checking = 'Checking…';
export const explainer =
  'Checks the root-cause candidates and near changes: history, changes, dependency path, siblings and earlier incidents.';
export const against = 'Counterevidence';
export const nextSteps = 'Next steps';
export const settles = 'Deciding observation';
export const alternative = 'Alternative';
export const knowable = 'Earliest detection';
export const confidence = (share: string) => `${share} confidence`;
export const mustFail = (total: string, failed: string) => `${total} must fail, ${failed} of them in the group`;
export const rejected = 'Rejected';
export const couldntInvestigate = (reason: string) => `Couldn't investigate the group. ${reason}`;
export const incomplete = 'Incomplete: the time limit was reached.';
export const checks = 'Checks';
export const connectionEnded = 'The connection ended early. Try again.';
export const CHECK_WORDS = {
  history: 'History',
  changes: 'Changes',
  path: 'Path',
  siblings: 'Siblings',
  past: 'Past',
} as const;
