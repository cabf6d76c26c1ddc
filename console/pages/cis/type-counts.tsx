import { typeWords } from '#console/cis/ci-words.ts';
import choice from '#console/data/choice.module.css';
import { switched } from '#console/data/filters.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { number } from '#console/words/counts.ts';
import classes from './cis-page.module.css';
import type { useTypes } from './use-cis.ts';

const MOST = 40;

/** Types of CIs with their counts; a click shows one type alone. */
export function TypeCounts({
  types,
  address,
}: {
  readonly types: ReturnType<typeof useTypes>;
  readonly address: Address;
}) {
  const set = new Set((address.query.type ?? '').split(','));
  return (
    <nav className={classes.types} aria-label="Types of CIs">
      <h2 className={classes.typesHead}>Types</h2>
      <Region query={types} what="The types" skeleton={<Skeleton rows={8} height={28} />}>
        {({ ci_types }) => (
          <ul className={classes.typesList}>
            {ci_types
              .filter(({ count }) => count > 0)
              .slice(0, MOST)
              .map(({ type, count, warning }) => (
                <li key={type}>
                  <button
                    type="button"
                    className={`${choice.choice} ${classes.type}`}
                    aria-pressed={set.has(type)}
                    title={warning ?? undefined}
                    onClick={() => address.change({ type: switched(address.query.type, type) })}
                  >
                    {typeWords(type)}
                    <span className={classes.typeCount}>{number(count)}</span>
                  </button>
                </li>
              ))}
          </ul>
        )}
      </Region>
    </nav>
  );
}
