import { firstItem } from '#domain/known.ts';
import { clockTime, enumeration, type Findings } from '#features/ai/rules/findings.ts';
import { type CiPicture, DAY_MS, SPAN_DAYS, SPAN_MS } from './ci-picture.ts';

const NAMED = 3;

/** A CI that discovery no longer meets may be gone. */
export function sayUnseen({ ci, at, lastSeen }: CiPicture, findings: Findings): void {
  if (lastSeen === null || at - lastSeen < SPAN_MS) return;
  const days = Math.floor((at - lastSeen) / DAY_MS);
  const id = `sightings-of-${ci.id}`;
  const facts = [
    { name: 'last seen', value: clockTime(lastSeen) },
    { name: 'days ago', value: days },
    { name: 'limit', value: SPAN_DAYS },
  ];
  const ref = findings.add({ kind: 'query', id, label: 'Sightings', facts, href: `/v1/cmdb/ci/${ci.id}` });
  findings.say(`No scan or import has seen it for ${days} days: it may be gone.`, [ref]);
}

/** A CI that nothing is related to takes part in no correlation by topology. */
export function sayUnrelated({ ci, relationships }: CiPicture, findings: Findings): void {
  if (relationships > 0) return;
  findings.say('It has no relationship: events on it are not correlated by topology.', [findings.ci(ci)]);
}

/** Events that name the address only cannot be bound. */
export function sayShared({ ci, sharedAddresses }: CiPicture, findings: Findings): void {
  if (sharedAddresses.length === 0) return;
  const listed = enumeration(sharedAddresses, NAMED);
  const id = `addresses-of-${ci.id}`;
  const facts = sharedAddresses.map((value) => ({ name: 'address', value }));
  const ref = findings.add({
    kind: 'query',
    id,
    label: 'Addresses of several CIs',
    facts,
    href: `/api/ci/find-by-ip/${encodeURIComponent(firstItem(sharedAddresses))}`,
  });
  findings.say(`Other CIs have its address ${listed} too: events that name it alone find no CI.`, [ref]);
}
