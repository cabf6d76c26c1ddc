import type { Range } from '#features/ai/rules/time/range.ts';
import type { FilterName, Filters, Grouping, Metric, Sort } from '../query.ts';

/** A word or name of the question with its interpretation. */
export interface Entity {
  readonly kind: 'metric' | 'time' | 'group' | 'sort' | 'limit' | 'compare' | FilterName;
  readonly text: string;
  readonly value: string;
}

type ListFilter = Exclude<FilterName, 'text'>;
export class QueryDraft {
  metric: Metric | null = null;
  groupBy: Grouping | null = null;
  range: Range | null = null;
  compareTo: 'previous' | null = null;
  /** The two ranges of a comparison. */
  times: readonly Range[] = [];
  sort: Sort | null = null;
  limit: number | null = null;
  readonly entities: Entity[] = [];
  /** Words that no query can express, or that are unknown. */
  readonly notUnderstood: string[] = [];
  /** The question excludes something that no filter can exclude, so any query would be wrong. */
  isDenied = false;
  /** Minimum age of open things, ms. */
  olderThan: number | null = null;
  readonly #lists = new Map<ListFilter, string[]>();
  #text: string[] = [];

  tell(kind: Entity['kind'], text: string, value: string): void {
    this.entities.push({ kind, text, value });
  }

  /** Replaces an earlier value of the kind. */
  correct(kind: Entity['kind'], text: string, value: string): void {
    const at = this.entities.findIndex((entity) => entity.kind === kind);
    this.entities.splice(at, at < 0 ? 0 : 1, { kind, text, value });
  }

  measure(metric: Metric, text: string): void {
    this.metric = metric;
    this.tell('metric', text, metric);
  }

  filter(name: ListFilter, value: string, text: string): void {
    const values = this.#lists.get(name) ?? [];
    if (!values.includes(value)) values.push(value);
    this.#lists.set(name, values);
    this.tell(name, text, value);
  }

  values(name: ListFilter): readonly string[] {
    return this.#lists.get(name) ?? [];
  }

  replace(name: ListFilter, values: readonly string[]): void {
    if (values.length === 0) this.#lists.delete(name);
    else this.#lists.set(name, [...values]);
  }

  /** Changes the kind of an entity. */
  move(from: ListFilter, to: ListFilter): void {
    const values = this.values(from);
    this.replace(from, []);
    this.replace(to, values);
    for (const [at, entity] of this.entities.entries())
      if (entity.kind === from) this.entities[at] = { ...entity, kind: to };
  }

  /** The excluded part, in the words of the question. */
  deny(words: string): void {
    this.isDenied = true;
    this.notUnderstood.push(words);
  }

  search(words: string): void {
    this.#text.push(words);
    this.tell('text', words, words);
  }

  get filters(): Filters {
    return { ...Object.fromEntries(this.#lists), ...(this.#text.length > 0 && { text: this.#text.join(' ') }) };
  }
}
