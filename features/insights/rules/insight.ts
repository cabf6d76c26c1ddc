import { firstItem } from '#domain/assert.ts';
import { clockTime, enumeration, Findings } from '#features/ai/rules/findings.ts';
import { type CiPicture, DAY_MS, SPAN_DAYS, SPAN_MS } from './ci-picture.ts';
import { describeFlapping, describeJudged, describeOpen, describeSimilar, describeTrend } from './describe-events.ts';
import {
  describeDependants,
  describeIdentity,
  describeNeeds,
  describeServices,
  describeSinglePoint,
} from './describe-place.ts';

const NAMED = 3;

/** A CI that discovery no longer meets may be gone. */
function describeUnseen({ ci, at, lastSeen }: CiPicture, findings: Findings): void {
  if (lastSeen === null || at - lastSeen < SPAN_MS) return;
  const days = Math.floor((at - lastSeen) / DAY_MS);
  const id = `sightings-of-${ci.id}`;
  const facts = [
    { name: 'last seen', value: clockTime(lastSeen) },
    { name: 'days ago', value: days },
    { name: 'limit', value: SPAN_DAYS },
  ];
  const ref = findings.add({ kind: 'query', id, label: 'Sightings', facts, href: `/v1/cmdb/ci/${ci.id}` });
  findings.say(`Not seen by discovery or import for ${days} days; it may be decommissioned.`, [ref]);
}

/** A CI without relationships has no part in correlation by topology. */
function describeUnrelated({ ci, relationships }: CiPicture, findings: Findings): void {
  if (relationships > 0) return;
  findings.say("No relationships, so its events can't be correlated by topology.", [findings.ci(ci)]);
}

/** Events that name the address only cannot be bound. */
function describeShared({ ci, sharedAddresses }: CiPicture, findings: Findings): void {
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
  findings.say(`Address ${listed} is shared with other CIs; events with only this address stay unbound.`, [ref]);
}

/** Sentences in reading order. */
const SENTENCES: readonly ((picture: CiPicture, findings: Findings) => void)[] = [
  describeIdentity,
  describeNeeds,
  describeDependants,
  describeServices,
  describeSinglePoint,
  describeOpen,
  describeTrend,
  describeFlapping,
  describeJudged,
  describeSimilar,
  describeUnseen,
  describeUnrelated,
  describeShared,
];

/** Sentences of rules about a CI, after earlier findings. */
export function insightOf(picture: CiPicture, findings = new Findings()): Findings {
  for (const say of SENTENCES) say(picture, findings);
  return findings;
}
