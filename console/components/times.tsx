import { number } from '#console/text/counts.ts';
import * as text from './texts.ts';

/** Shows the number of occurrences; nothing for one. */
export function Times({ count }: { readonly count: number }) {
  return count > 1 ? <span title={text.occurrences(number(count))}>×{number(count)}</span> : null;
}
