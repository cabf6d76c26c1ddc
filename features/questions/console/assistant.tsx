import { ActionIcon, Button, Loader, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { listEvents } from '#console/api/events.ts';
import { readGroup } from '#console/api/groups.ts';
import { Icon } from '#console/components/icon.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { Failure } from '#console/states/failure.tsx';
import { number } from '#console/text/counts.ts';
import { eventName } from '#console/text/event-text.ts';
import { groupTitle } from '#console/text/group-text.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { degradedWords } from '#domain/ai/degraded.ts';
import type { AssistantAnswer, AssistantCall } from './api.ts';
import classes from './assistant.module.css';
import { CitedClaim } from './cited-claim.tsx';
import { openTalk, type Talk, type TalkQuestion, type TalkTurn } from './talk.ts';
import * as text from './texts.ts';

interface Props {
  /** Addresses of the pages that the person has. */
  readonly pages: readonly string[];
}

const byWhom = ({ generatedBy, model, degraded }: AssistantAnswer): string => {
  if (generatedBy === 'model') return text.writtenBy(model ?? text.languageModel);
  const why = degradedWords(degraded);
  return why === null ? text.ruleBasedWithoutModel : text.ruleBasedAnswer(why);
};

/** Sentences with the pages that they stand on. Text stays text: nothing in it becomes a link or markup. */
function AnswerView({ answer, note, pages }: Props & { readonly answer: AssistantAnswer; readonly note: string }) {
  const { claims, response, notUnderstood, abstained, notes = [] } = answer;
  return (
    <div className={classes.answer} data-abstained={abstained || undefined}>
      {abstained ? <strong className={classes.abstained}>{text.noAnswerFound}</strong> : null}
      {notUnderstood.length === 0 ? null : (
        <p className={classes.note}>{text.ignoredNotUnderstood(notUnderstood.join(', '))}</p>
      )}
      {claims.length === 0 ? <p className={classes.claim}>{response}</p> : null}
      {claims.map((claim) => (
        <CitedClaim key={claim.text} claim={claim} citations={answer.citations} pages={pages} />
      ))}
      {notes.map((one) => (
        <p key={one} className={classes.unproven}>
          <strong>{text.unproven}</strong> <bdi>{one}</bdi>
        </p>
      ))}
      <p className={classes.note}>{note}</p>
    </div>
  );
}

const callWords = ({ title, total, error }: AssistantCall): string => `${title} (${error ?? number(total)})`;

/** One question: look-ups while it is open, then the answer with the list of them. */
function TurnView({ turn, talk, pages }: Props & { readonly turn: TalkTurn; readonly talk: Talk }) {
  const { question, calls, answer, state, error } = turn;
  const isRunning = state === 'open' || state === 'draft';
  return (
    <div className={classes.turn}>
      <p className={classes.question}>{question}</p>
      {answer === null ? null : (
        <AnswerView answer={answer} note={isRunning ? text.modelWrites : byWhom(answer)} pages={pages} />
      )}
      {error === null ? null : <Failure error={error} what={nouns.answer} retry={() => void talk.again()} />}
      {state !== 'canceled' ? null : (
        <p className={classes.note}>{answer === null ? text.canceled : text.canceledDraft}</p>
      )}
      {isRunning ? (
        <>
          <ul className={classes.steps} aria-label={text.progress}>
            {calls.map((call, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: calls are only added.
              <li key={at}>{callWords(call)}</li>
            ))}
          </ul>
          <p className={classes.note} role="status">
            <Loader size={12} /> {text.searching}
            <Button variant="subtle" size="compact-xs" onClick={talk.cancel}>
              {text.cancel}
            </Button>
          </p>
        </>
      ) : calls.length === 0 ? null : (
        <p className={classes.note}>{text.lookedUp(calls.map(callWords).join(', '))}</p>
      )}
    </div>
  );
}

/** The subject of the page, and questions about it. */
interface Subject {
  readonly words: string;
  readonly context: Pick<TalkQuestion, 'currentCI' | 'currentGroup'>;
  readonly questions: readonly TalkQuestion[];
}

const ANYTHING: readonly TalkQuestion[] = [
  { words: text.whichCriticalEvents },
  { words: text.howManyEvents },
  { words: text.showDatabases },
];
const OF_GROUP = [text.whatIsHappening, text.whatCausedGroup, text.whoHasIt];
const ofCi = (name: string, ci: string): readonly TalkQuestion[] => [
  { words: text.whyIsDown(name), message: text.whyDown, currentCI: ci },
  { words: text.whatIfFails(name), message: text.whatIfItFails, currentCI: ci },
  { words: text.whatChangedOn(name), message: text.whatChangedOnIt, currentCI: ci },
];

const part = (path: string, page: string): string | null => {
  const found = new RegExp(`/${page}/([^/]+)$`).exec(path)?.[1];
  return found === undefined ? null : decodeURIComponent(found);
};

/** The group, event or CI that the page shows. */
const useSubject = (isOpen: boolean): Subject => {
  const { call } = useAppServices();
  const { path, search } = useRouterState({
    select: ({ location }) => ({
      path: location.pathname,
      search: location.search as Readonly<Record<string, string>>,
    }),
  });
  const groupId = part(path, 'groups');
  const eventId = search.event ?? null;
  const ciId = part(path, 'cis') ?? (path.endsWith('/topology') ? (search.ci ?? null) : null);
  const group = useQuery({
    queryKey: ['groups', 'detail', groupId],
    queryFn: ({ signal }) => readGroup(call, groupId ?? '', signal),
    enabled: isOpen && groupId !== null,
  });
  const event = useQuery({
    queryKey: ['events', 'subject', eventId],
    queryFn: async ({ signal }) => (await listEvents(call, { ids: eventId ?? '', limit: 1 }, signal)).events[0] ?? null,
    enabled: isOpen && groupId === null && eventId !== null,
  });

  if (groupId !== null) {
    const ci = group.data?.cause?.ci ?? null;
    const context = { currentGroup: groupId };
    const questions = OF_GROUP.map((words) => ({ words, ...context }));
    return {
      words: group.data?.title == null ? text.thisGroup : groupTitle(group.data),
      context,
      questions: ci === null ? questions : [...questions, ...ofCi(ci.name, ci.id).slice(1)],
    };
  }
  if (event.data != null) {
    const { ciId: ci, correlationId, eventId: id } = event.data;
    const context = { currentGroup: correlationId ?? id };
    const questions = ci === undefined ? OF_GROUP.map((words) => ({ words, ...context })) : ofCi(ci.name, ci._id);
    return { words: eventName(event.data), context, questions };
  }
  if (ciId !== null) return { words: text.thisCi, context: { currentCI: ciId }, questions: ofCi('it', ciId) };
  return { words: '', context: {}, questions: ANYTHING };
};

const MAX_LETTERS = 2_000;

function Offers({ offers, ask }: Pick<Talk, 'ask'> & { readonly offers: readonly TalkQuestion[] }) {
  return (
    <ul className={classes.offers}>
      {offers.map((offer) => (
        <li key={offer.words}>
          <Button variant="default" className={classes.offer ?? ''} onClick={() => void ask(offer)}>
            {offer.words}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Turns({ talk, subject, pages }: Props & { readonly talk: Talk; readonly subject: Subject }) {
  const turns = useSyncExternalStore(talk.subscribe, talk.turns);
  const end = useRef<HTMLDivElement>(null);
  const last = turns.at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is brought into view.
  useEffect(() => {
    void end.current?.scrollIntoView({ block: 'nearest' });
  }, [turns]);
  const offers =
    last === undefined
      ? subject.questions
      : (last.answer?.suggestions ?? []).map((words) => ({ words, ...subject.context }));
  return (
    <div className={classes.talk} role="log" aria-label={text.conversation}>
      {turns.length === 0 ? <p className={classes.note}>{text.introduction}</p> : null}
      {turns.map((turn) => (
        <TurnView key={turn.id} turn={turn} talk={talk} pages={pages} />
      ))}
      {talk.isBusy() ? null : <Offers offers={offers} ask={talk.ask} />}
      <div ref={end} />
    </div>
  );
}

interface DrawerProps extends Props {
  readonly talk: Talk;
  readonly draft: string;
  readonly setDraft: (draft: string) => void;
  readonly close: () => void;
}
function Drawer({ talk, pages, draft, setDraft, close }: DrawerProps) {
  const subject = useSubject(true);
  const submit = (event: Pick<FormEvent, 'preventDefault'>): void => {
    event.preventDefault();
    if (draft.trim() === '' || talk.isBusy()) return;
    void talk.ask({ words: draft.trim(), ...subject.context });
    setDraft('');
  };
  return (
    <aside
      className={classes.drawer}
      aria-label={text.assistant}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <header className={classes.head}>
        <h2 className={classes.title}>{text.assistant}</h2>
        <Button variant="subtle" size="compact-xs" onClick={talk.forget}>
          {text.newConversation}
        </Button>
        <ActionIcon aria-label={text.closeAssistant} onClick={close}>
          <Icon name="close" />
        </ActionIcon>
      </header>
      {subject.words === '' ? null : <p className={classes.subject}>{text.context(subject.words)}</p>}
      <Turns talk={talk} subject={subject} pages={pages} />
      <form className={classes.form} onSubmit={submit}>
        <Textarea
          aria-label={text.question}
          placeholder={text.questionExample}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={MAX_LETTERS}
          value={draft}
          autoFocus
          onChange={({ currentTarget }) => setDraft(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey) submit(event);
          }}
        />
        <Button type="submit" disabled={draft.trim() === ''}>
          {text.ask}
        </Button>
      </form>
    </aside>
  );
}

/** A button in the header, and the drawer that it opens beside any page. */
export function Assistant({ pages }: Props) {
  const { call } = useAppServices();
  const me = useMe();
  const [talk] = useState(() => openTalk(call));
  const [isOpen, setOpen] = useState(false);
  // A half-typed question is there again when it opens the next time.
  const [draft, setDraft] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  const may = me.features.ai && me.permissions.includes('ai.use');
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useShortcuts([
    {
      keys: 'mod+j',
      words: text.askAssistant,
      section: 'Everywhere',
      isActive: may,
      run: () => (isOpen ? close() : setOpen(true)),
    },
  ]);
  if (!may) return null;
  return (
    <>
      <ActionIcon
        ref={button}
        aria-label={text.askAssistant}
        title={text.askAssistantCtrlJ}
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        <Icon name="chat" />
      </ActionIcon>
      {isOpen ? <Drawer talk={talk} pages={pages} draft={draft} setDraft={setDraft} close={close} /> : null}
    </>
  );
}
