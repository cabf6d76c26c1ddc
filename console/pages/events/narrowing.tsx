import { useState } from 'react';
import type { FacetsData as Found } from '#console/api/event-finds.ts';
import { SEVERITY_WORDS } from '#console/components/severity-shapes.ts';
import { STATUS_WORDS } from '#console/components/status-text.ts';
import { type FacetList, Facets } from '#console/data/facets.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { inFacetOrder } from './facet-order.ts';
import * as text from './texts.ts';

const FACETS: readonly { readonly of: string; readonly name: string; readonly words: string }[] = [
  { of: 'severity', name: 'severity', words: text.severity },
  { of: 'status', name: 'status', words: text.status },
  { of: 'source', name: 'source', words: text.source },
  { of: 'service', name: 'service', words: text.service },
  { of: 'environment', name: 'environment', words: text.environment },
  { of: 'host', name: 'host', words: text.hostname },
  { of: 'assignee', name: 'assignee', words: text.assignee },
];
const FIRST_OPEN: ReadonlySet<string> = new Set(['severity', 'status', 'source']);

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  severity: SEVERITY_WORDS,
  status: STATUS_WORDS,
};
const wordsOf = (name: string, value: string): string => WORDS[name]?.[value] ?? value;

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
