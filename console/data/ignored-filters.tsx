import { CloseButton } from '@mantine/core';
import type { Address } from '#console/hooks/use-address.ts';
import classes from './data.module.css';
import { type Filter, ignoredOf } from './filters.ts';
import * as texts from './texts.ts';

interface Props {
  readonly filters: readonly Filter[];
  readonly address: Address;
  /** Names that the page has in the address beside its filters. */
  readonly known: readonly string[];
}

/** Filters of the address that have no effect, crossed out, so that the list is not mistaken for a narrower one. */
export function IgnoredFilters({ filters, address, known }: Props) {
  return ignoredOf(filters, address.query, known).map(({ name, text }) => (
    <span key={name} className={classes.chip} data-ignored>
      <span className={classes.chipText} title={texts.hasNoEffectPage(text)}>
        {text}
      </span>
      <CloseButton size={24} aria-label={texts.remove(text)} onClick={() => address.change({ [name]: null })} />
    </span>
  ));
}
