import { useState } from 'react';
import type { FacetsShown as Found } from '#console/api/event-finds.ts';
import { type FacetList, Facets } from '#console/data/facets.tsx';
import { SEVERITY_WORDS } from '#console/facts/severity-shapes.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { inFacetOrder } from './facet-order.ts';

const FACETS: readonly { readonly of: string; readonly name: string; readonly words: string }[] = [
  { of: 'severity', name: 'severity', words: 'Severity' },
  { of: 'status', name: 'status', words: 'Status' },
  { of: 'source', name: 'source', words: 'Source' },
  { of: 'service', name: 'service', words: 'Service' },
  { of: 'environment', name: 'environment', words: 'Environment' },
  { of: 'host', name: 'host', words: 'Host' },
  { of: 'assignee', name: 'assignee', words: 'Who has it' },
];
const FIRST_OPEN: ReadonlySet<string> = new Set(['severity', 'status', 'source']);

const wordsOf = (name: string, value: string): string =>
  name === 'severity' ? (SEVERITY_WORDS[value as keyof typeof SEVERITY_WORDS] ?? value) : value;

/** The facets of events. */
export function Narrowing({ found, address }: { readonly found: Found | undefined; readonly address: Address }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(FIRST_OPEN);
  const toggle = (name: string): void => {
    const next = new Set(open);
    if (!next.delete(name)) next.add(name);
    setOpen(next);
  };
  const facets: FacetList[] = FACETS.map(({ of, name, words }) => ({
    name,
    words,
    isOpen: open.has(name),
    values: inFacetOrder(of, found?.facets[of] ?? []).map(({ value, name: called, count }) => ({
      value,
      words: called ?? wordsOf(name, value),
      count,
    })),
  }));
  return <Facets facets={facets} address={address} onToggle={toggle} />;
}
