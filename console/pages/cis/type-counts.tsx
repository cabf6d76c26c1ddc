import { typeWords } from '#console/cis/ci-words.ts';
import classes from '#console/data/narrow-by.module.css';
import { NarrowBy, NarrowValues } from '#console/data/narrow-by.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import * as nouns from '#console/text/nouns/texts.ts';
import * as text from './texts.ts';
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
  return (
    <NarrowBy label={text.ciTypes}>
      <h2 className={classes.head}>{text.types}</h2>
      <Region query={types} what={nouns.ciTypes} skeleton={<Skeleton rows={8} height={28} />}>
        {({ ci_types }) => (
          <NarrowValues
            name="type"
            address={address}
            values={ci_types
              .filter(({ count }) => count > 0)
              .slice(0, MOST)
              .map(({ type, count, warning }) => ({
                value: type,
                words: typeWords(type),
                count,
                ...(warning != null && { hint: warning }),
              }))}
          />
        )}
      </Region>
    </NarrowBy>
  );
}
