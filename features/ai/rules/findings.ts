import type { Certainty, Claim, EvidencePack, Fact } from '#domain/ai/evidence.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import type { Service } from '#domain/services/service.ts';
import { type NewItem, PackBuilder } from './pack.ts';

export interface NamedCi {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

const MAX_TEXT = 600;
const MAX_REFS = 5;

/** Returns a time for sentences: `2026-11-20 10:00 UTC`. */
export const clockTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** `a`, `a and b`, `a, b and c`, `a, b and 5 more`. */
export function enumeration(names: readonly string[], shown: number): string {
  const listed = names.length > shown ? [...names.slice(0, shown), `${names.length - shown} more`] : [...names];
  const last = listed.pop() ?? '';
  return listed.length === 0 ? last : `${listed.join(', ')} and ${last}`;
}

/** `1 CI`, `3 CIs`. */
export const counted = (n: number, one: string, several = `${one}s`): string => `${n} ${n === 1 ? one : several}`;

/** The same within a sentence, where nothing is `no changes`. */
export const countedOrNo = (n: number, one: string, several = `${one}s`): string =>
  n === 0 ? `no ${several}` : counted(n, one, several);

export const freeText = (name: string, value: string): Fact => ({ name, value, isFreeText: true });

/** Facts by name; missing values are omitted. */
export const factsOf = (values: Readonly<Record<string, string | number | null | undefined>>): Fact[] =>
  Object.entries(values).flatMap(([name, value]) => (value == null ? [] : [{ name, value }]));
/** The same for texts of monitors and users. */
export const freeTexts = (values: Readonly<Record<string, string | null | undefined>>): Fact[] =>
  Object.entries(values).flatMap(([name, value]) => (value == null || value === '' ? [] : [freeText(name, value)]));

/** Sentences of rules with their evidence. */
export class Findings {
  readonly #builder: PackBuilder;
  readonly #claims: Claim[] = [];

  /** `pack`: evidence that there is already. */
  constructor(pack: EvidencePack = []) {
    this.#builder = new PackBuilder(pack);
  }

  add(item: NewItem): string | null {
    return this.#builder.add(item);
  }

  ci({ id, name, type }: NamedCi, facts: readonly Fact[] = []): string | null {
    return this.add({ kind: 'ci', id, label: name, facts: [{ name: 'type', value: type }, ...facts] });
  }

  service({ id, name, criticality }: Service): string | null {
    return this.add({ kind: 'service', id, label: name, facts: [{ name: 'criticality', value: criticality }] });
  }

  event(event: Event, facts: readonly Fact[] = []): string | null {
    const { id, title, severity, status, count, firstOccurrence } = event;
    const own: Fact[] = [
      freeText('title', title),
      { name: 'severity', value: severity },
      { name: 'status', value: status },
      { name: 'occurrences', value: count },
      { name: 'began', value: clockTime(firstOccurrence) },
    ];
    return this.add({ kind: 'event', id: eventIdOf(id), label: title, facts: [...own, ...facts] });
  }

  /** Adds the sentence unless it has no evidence. */
  say(text: string, refs: readonly (string | null)[], certainty: Certainty = 'fact'): void {
    const known = [...new Set(refs.filter((ref) => ref !== null))].slice(0, MAX_REFS);
    if (known.length === 0) return;
    const end = text.lastIndexOf(' ', MAX_TEXT);
    const cut = text.length > MAX_TEXT ? `${text.slice(0, end > 0 ? end : MAX_TEXT)} …` : text;
    this.#claims.push({ text: cut, refs: known, certainty });
  }

  /** Moves the last finding to the start. */
  lead(): void {
    const last = this.#claims.pop();
    if (last !== undefined) this.#claims.unshift(last);
  }

  /** Removes all findings behind the first ones. */
  keep(many: number): void {
    this.#claims.length = Math.min(many, this.#claims.length);
  }

  get pack(): EvidencePack {
    return this.#builder.pack;
  }
  get claims(): readonly Claim[] {
    return this.#claims;
  }
}
