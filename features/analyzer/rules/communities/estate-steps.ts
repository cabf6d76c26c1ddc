/** The search for the services of an estate, step by step. */
import { itemAt } from '#domain/known.ts';
import { type Bonds, bondsOf } from './bonds.ts';
import { categoryOf, tierCounts } from './category.ts';
import type { Estate, EstateCi, EstateLink, SeenProcess } from './estate.ts';
import { byConfidence, type FoundService, foundService } from './found-service.ts';
import { findHubs, type Hub } from './hubs.ts';
import { type NameWords, nameWords } from './name-words.ts';
import { type Naming, nameServices } from './naming.ts';
import { type Roles, rolesIn } from './roles.ts';
import { type Split, split } from './split.ts';

/** An estate as it was read; CIs are numbered in the order in which they are passed in. */
export interface EstatePart {
  readonly cis?: readonly EstateCi[];
  readonly links?: readonly EstateLink[];
  readonly processes?: readonly (readonly [ci: number, processes: readonly SeenProcess[]])[];
}

/** Services from one number up to another, exclusive. */
export interface ServiceSlice {
  readonly from: number;
  readonly to: number;
}

type Step<I, A> = (input: I) => A;

/** Steps in their order; slices of one step follow one another from 0 on. */
interface EstateSteps {
  readonly hubs: Step<null, readonly Hub[]>;
  readonly split: Step<readonly Hub[], Split>;
  /** Takes the number of each CI's service. */
  readonly bind: Step<Int32Array, null>;
  readonly classify: Step<ServiceSlice, null>;
  readonly name: Step<ServiceSlice, readonly Pick<FoundService, 'name' | 'category'>[]>;
  readonly score: Step<ServiceSlice, readonly Pick<FoundService, 'name' | 'category' | 'confidence'>[]>;
  /** The surest services first, after all are scored. */
  readonly list: Step<ServiceSlice, readonly FoundService[]>;
}
export type StepName = keyof EstateSteps;
export type StepInput<N extends StepName> = Parameters<EstateSteps[N]>[0];
export type StepAnswer<N extends StepName> = ReturnType<EstateSteps[N]>;

/** Takes an estate in part by part, and then goes its steps. */
export interface EstateSearch {
  readonly add: (part: EstatePart) => void;
  readonly steps: EstateSteps;
}

/** Keeps what later steps need of earlier ones. */
export function estateSearch(): EstateSearch {
  const [cis, links]: [EstateCi[], EstateLink[]] = [[], []];
  const estate: Estate = { cis, links };
  const roles: Roles[] = [];
  const found: FoundService[] = [];
  let words: NameWords | null = null;
  let bonds: readonly Bonds[] = [];
  let namings: readonly Naming[] | null = null;
  let names: readonly string[] = [];
  let isSorted = false;

  function wordsOf(): NameWords {
    words ??= nameWords(cis);
    return words;
  }
  function namingsOf(): readonly Naming[] {
    namings ??= nameServices(estate, wordsOf(), bonds);
    names = namings.map(({ name }) => name);
    return namings;
  }
  const add = (part: EstatePart): void => {
    for (const ci of part.cis ?? []) cis.push(ci);
    for (const link of part.links ?? []) links.push(link);
    for (const [place, processes] of part.processes ?? []) cis[place] = { ...itemAt(cis, place), processes };
  };
  const steps: EstateSteps = {
    hubs: () => findHubs(estate),
    split(hubs) {
      return split(estate, hubs, wordsOf());
    },
    bind(serviceOf) {
      const services = serviceOf.reduce((most, service) => Math.max(most, service + 1), 0);
      bonds = bondsOf(estate, serviceOf, services);
      return null;
    },
    classify({ from, to }) {
      for (const one of bonds.slice(from, to)) roles.push(rolesIn(estate, one));
      return null;
    },
    name({ from, to }) {
      const all = namingsOf();
      return all.slice(from, to).map(({ name }, n) => {
        const category = categoryOf(tierCounts(itemAt(roles, from + n).members.map(({ tier }) => tier)));
        return { name, category };
      });
    },
    score({ from, to }) {
      const all = namingsOf();
      for (let number = from; number < Math.min(to, bonds.length); number++) {
        const [own, naming] = [itemAt(roles, number), itemAt(all, number)];
        found.push(foundService({ estate, bonds: itemAt(bonds, number), roles: own, naming, names }));
      }
      return found.slice(from, to).map(({ name, category, confidence }) => ({ name, category, confidence }));
    },
    list({ from, to }) {
      if (!isSorted) found.sort(byConfidence);
      isSorted = true;
      return found.slice(from, to);
    },
  };
  return { add, steps };
}
