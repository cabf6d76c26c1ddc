import { Findings } from '#features/ai/rules/findings.ts';
import type { CiPicture } from './ci-picture.ts';
import { sayFlapping, sayOpen, saySimilar, sayTrend } from './say-events.ts';
import { sayShared, sayUnrelated, sayUnseen } from './say-hygiene.ts';
import { sayDependants, sayIdentity, sayNeeds, sayServices, saySinglePoint } from './say-place.ts';

/** In reading order. */
const SENTENCES: readonly ((picture: CiPicture, findings: Findings) => void)[] = [
  sayIdentity,
  sayNeeds,
  sayDependants,
  sayServices,
  saySinglePoint,
  sayOpen,
  sayTrend,
  sayFlapping,
  saySimilar,
  sayUnseen,
  sayUnrelated,
  sayShared,
];

/** Sentences of rules about a CI, after earlier findings. */
export function insightOf(picture: CiPicture, findings = new Findings()): Findings {
  for (const say of SENTENCES) say(picture, findings);
  return findings;
}
