import { count } from '#console/text/counts.ts';
import type { HomeData } from './api.ts';

/** `silence.created` → `created 2 silences`. */
const actionWords = ({ action, count: times }: { readonly action: string; readonly count: number }): string => {
  const [noun = '', verb = action] = action.split('.');
  return `${verb === 'noted' ? 'commented on' : verb} ${count(times, noun)}`;
};

const MAX_ACTIONS = 4;

/** `acknowledged 5 groups, created 2 silences`. */
export const actionsWords = (actions: HomeData['period']['users'][number]['actions']): string =>
  actions.slice(0, MAX_ACTIONS).map(actionWords).join(', ');
