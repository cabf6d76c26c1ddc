import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import type { Claim } from '#domain/ai/evidence.ts';
import { assertDefined } from '#domain/assert.ts';
import { type AiCaller, type AiMode, type AnswerEvidence, answer, citationsOf } from '#features/ai/use-cases/answer.ts';
import { claimsThatHold } from '#features/ai/use-cases/cited.ts';
import { describeSubject, type SubjectDescription } from '#features/analysis/rules/subject/describe-subject.ts';
import { type Focus, focusOf, narrowed, type SubjectTopic } from '#features/analysis/rules/subject/focus.ts';
import type { SubjectPicture } from '#features/analysis/rules/subject/picture.ts';
import { type AskedSubject, seeSubject } from './see-subject.ts';

export interface SubjectAsked {
  readonly subject: AskedSubject;
  /** Untrusted: only its words are looked at. */
  readonly question: string | null;
  readonly mode: AiMode;
}

export interface AnalyzedSubject {
  readonly picture: SubjectPicture;
  readonly telling: SubjectDescription;
  /** Link to the subject. */
  readonly href: string;
  readonly summary: string;
  /** Null: nothing was asked. */
  readonly focus: Focus | null;
  readonly grounds: AnswerEvidence;
}

const ABOUT: Readonly<Record<SubjectTopic, string>> = {
  state: 'how it is now',
  cause: 'what probably caused it',
  impact: 'what it means to others',
  history: 'whether it is unusual',
  timeline: 'what happened when',
  actions: 'what to do',
};
const USUAL = 'what probably caused it, what it means to others, and what to do first';

/** Our own words: those of the question are never shown to a model. */
const taskFor = (focus: Focus | null): string => {
  const asked = focus === null || focus.topics.length === 0 ? USUAL : focus.topics.map((one) => ABOUT[one]).join(', ');
  return `Tell an operator in plain sentences ${asked}. Most important first. Keep what the rules have found.`;
};

/** Drops sentences without existing evidence. */
const thatHold = (telling: SubjectDescription, held: ReadonlySet<Claim>): SubjectDescription => {
  const isHeld = ({ claim }: { readonly claim: Claim }): boolean => held.has(claim);
  return {
    ...telling,
    alternatives: telling.alternatives.filter(isHeld),
    timeline: telling.timeline.filter(isHeld),
    impact: telling.impact.filter((claim) => held.has(claim)),
    recommendations: telling.recommendations.filter((claim) => held.has(claim)),
  };
};

/** Analyzes an event, a group, a CI or a business service on request. Throws Fault `not-found`, `forbidden`. */
export async function analyzeSubject(
  context: UseCaseContext & AiCaller,
  { subject, question, mode }: SubjectAsked,
): Promise<AnalyzedSubject> {
  requirePermission(context, 'events.read');
  requirePermission(context, 'cmdb.read');
  const { ports, tenant } = context;
  const picture = await seeSubject(context, subject);
  const all = describeSubject(picture);
  const { pack, self, abstained, causes, hypothesis } = all;
  const focus = question === null ? null : focusOf(question, pack);
  const claims = narrowed(all.claims, focus);
  const asked = { service: 'platform-analysis', pack, claims, abstained, causes, task: taskFor(focus), mode };
  const { claims: said, grounds } = await answer(context, asked);
  const held = await claimsThatHold(
    ports,
    tenant,
    all.claims.map(({ claim }) => claim),
    pack,
  );
  const telling = thatHold(all, new Set(held));
  const shown = [
    { refs: [self] },
    hypothesis.claim,
    ...telling.alternatives.map(({ claim }) => claim),
    ...telling.timeline.map(({ claim }) => claim),
    ...telling.impact,
    ...telling.recommendations,
    ...said,
  ];
  return {
    picture,
    telling,
    focus,
    summary: said.map(({ text }) => text).join('\n'),
    href: assertDefined(
      pack.find(({ alias }) => alias === self),
      'evidence of the subject',
    ).href,
    grounds: { ...grounds, citations: citationsOf(shown, pack) },
  };
}
