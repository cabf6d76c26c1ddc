import { Link } from '@tanstack/react-router';
import type { AssistantAnswer, Citation } from './api.ts';
import classes from './assistant.module.css';
import { isThere, placeOf } from './places.ts';

const DEGRADED: Readonly<Record<NonNullable<AssistantAnswer['degraded']>, string>> = {
  no_model: 'no model is set up',
  budget: 'the budget of the model is used up',
  busy: 'the model is busy',
  timeout: 'the model took too long',
  provider: 'the model failed',
  invalid_output: 'what the model said was not borne out by what is stored',
};
const CERTAINTY = { fact: null, likely: 'likely', possible: 'possible' } as const;

function Cited({ citation, pages }: { readonly citation: Citation; readonly pages: readonly string[] }) {
  const place = placeOf(citation);
  if (place === null || !isThere(place, pages)) return <span className={classes.cited}>{citation.label}</span>;
  return (
    <Link to={place.to} search={place.search as never} className={classes.cited}>
      {citation.label}
    </Link>
  );
}

function Claim({
  claim: { text, refs, certainty },
  answer,
  pages,
}: {
  readonly claim: AssistantAnswer['claims'][number];
  readonly answer: AssistantAnswer;
  readonly pages: readonly string[];
}) {
  const cited = refs.flatMap((ref) => answer.citations.find((one) => one.ref === ref) ?? []);
  return (
    <p className={classes.claim}>
      {text} {CERTAINTY[certainty] === null ? null : <span className={classes.certainty}>{CERTAINTY[certainty]}</span>}
      {cited.length === 0 ? null : (
        <span className={classes.citations}>
          {cited.map((citation) => (
            <Cited key={citation.ref} citation={citation} pages={pages} />
          ))}
        </span>
      )}
    </p>
  );
}

const byWhom = ({ generatedBy, model, degraded }: AssistantAnswer): string => {
  if (generatedBy === 'model')
    return `Worded by ${model ?? 'a model'}; each sentence was checked against what is stored.`;
  if (degraded === null || degraded === 'no_model') return 'Answered by rules, without a language model.';
  return `Answered by rules: ${DEGRADED[degraded]}.`;
};

/** Sentences with the pages that they stand on. Text stays text: nothing in it becomes a link or markup. */
export function AnswerView({ answer, pages }: { readonly answer: AssistantAnswer; readonly pages: readonly string[] }) {
  const { claims, response, notUnderstood, abstained } = answer;
  return (
    <div className={classes.answer} data-abstained={abstained || undefined}>
      {abstained ? <strong className={classes.abstained}>It does not know</strong> : null}
      {notUnderstood.length === 0 ? null : (
        <p className={classes.note}>Left out, as it was not understood: {notUnderstood.join(', ')}.</p>
      )}
      {claims.length === 0 ? <p className={classes.claim}>{response}</p> : null}
      {claims.map((claim) => (
        <Claim key={claim.text} claim={claim} answer={answer} pages={pages} />
      ))}
      <p className={classes.note}>{byWhom(answer)}</p>
    </div>
  );
}
